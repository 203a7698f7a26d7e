//! The game as PGN.

use crate::Players;
use bartizan_notation::pgn::{GameResult, PgnGame, begins_like_pgn, game_separator_at};
use bartizan_position::Game;
use bartizan_types::{Color, Date};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The players, with this colour for the person.
pub(super) fn players(person: Color) -> Players {
    Players::new(!person, "Player")
}

/// The copy of a game in a PGN file.
pub(super) struct Saved {
    path: PathBuf,
    /// Where it begins, in bytes.
    begin: u64,
    /// Including the empty lines before it.
    text: Vec<u8>,
}

/// A game with its players and the date of today.
pub(super) fn pgn(game: &Game, person: Color, result: GameResult) -> PgnGame {
    let mut pgn = PgnGame::new(game.start().clone());
    let Players { white, black } = players(person);
    let date = Date::today().pgn().to_string();
    pgn.tags = [
        ("Event", "Casual game".to_owned()),
        ("Site", "?".to_owned()),
        ("Date", date),
        ("Round", "-".to_owned()),
        ("White", white),
        ("Black", black),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    pgn.moves = game.moves().map(Into::into).collect();
    pgn.result = result;
    pgn
}

/// Appends a game to a PGN file, which is created if it does not exist. Replaces an earlier copy of the same game if
/// nothing follows it in the file.
pub(super) fn save(
    path: &Path,
    game: &Game,
    person: Color,
    result: GameResult,
    earlier: Option<&Saved>,
) -> io::Result<Saved> {
    let pgn = pgn(game, person, result);
    bartizan_files::check_kind(path, "a PGN file", begins_like_pgn)?;
    let is_regular = std::fs::metadata(path).is_ok_and(|file| file.is_file());
    let mut file = File::options().create(true).truncate(false).read(is_regular).write(true).open(path)?;
    let earlier = match earlier.filter(|earlier| is_regular && earlier.path == path) {
        Some(earlier) if earlier.is_last_of(&mut file)? => Some(earlier),
        _ => None,
    };
    let (mut begin, mut text) = (0, Vec::new());
    if is_regular {
        begin = earlier.map_or(file.metadata()?.len(), |earlier| earlier.begin);
        text.extend(game_separator_at(&mut file, begin)?.bytes());
    }
    pgn.write_to(&mut text)?;
    if earlier.is_some() {
        file.set_len(begin)?;
    }
    let written = bartizan_files::append(&mut file, &text);
    if let (Err(_), Some(earlier)) = (&written, earlier) {
        // There was room for it before.
        let _ = bartizan_files::append(&mut file, &earlier.text);
    }
    written.map(|()| Saved { path: path.to_owned(), begin, text })
}

impl Saved {
    /// Whether the file ends with this copy, as written.
    fn is_last_of(&self, file: &mut File) -> io::Result<bool> {
        if file.metadata()?.len() != self.begin + self.text.len() as u64 {
            return Ok(false);
        }
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(self.begin))?;
        file.read_to_end(&mut end)?;
        Ok(end == self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;

    #[test]
    fn a_file_of_another_kind_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        std::fs::write(&path, [0; 32]).unwrap();
        let error = save(&path, &Game::default(), Color::White, GameResult::Unknown, None).err().unwrap();
        assert_eq!(error.to_string(), "the file exists and is not a PGN file");
        assert_eq!(std::fs::read(&path).unwrap(), [0; 32]);
    }

    #[test]
    fn games_are_separated_whatever_the_file_ends_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let mut game = Game::default();
        let e4 = game.position().legal_moves().iter().copied().find(|mv| mv.to_string() == "e2e4").unwrap();
        game.push(e4).unwrap();
        for before in ["", "[Event \"x\"]\n\n1. d4 *", "[Event \"x\"]\n\n1. d4 *\n", "[Event \"x\"]\n\n1. d4 *\n\n"] {
            std::fs::write(&path, before).unwrap();
            for _ in 0..2 {
                save(&path, &game, Color::White, GameResult::Unknown, None).unwrap();
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let games = PgnReader::new(text.as_bytes()).map(Result::unwrap).count();
            assert_eq!(games, 2 + usize::from(!before.is_empty()), "{text}");
            assert!(text.starts_with(before) && text.ends_with("1. e4 *\n\n") && !text.contains("\n\n\n"), "{text:?}");
        }
    }

    #[test]
    fn a_copy_is_replaced_while_it_is_the_last_game() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, "[Event \"x\"]\n\n1. d4 *").unwrap();
        let mut game = Game::default();
        let mut saved = None;
        for mv in ["e2e4", "e7e5", "g1f3"] {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
            saved = Some(save(&path, &game, Color::White, GameResult::Unknown, saved.as_ref()).unwrap());
        }
        let games = || std::fs::read_to_string(&path).unwrap();
        assert!(
            games().matches("[Event ").count() == 2 && games().ends_with("\n\n1. e4 e5 2. Nf3 *\n\n"),
            "{}",
            games()
        );
        // Another file, and a file that was changed.
        let other = folder.path().join("other.pgn");
        save(&other, &game, Color::White, GameResult::Unknown, saved.as_ref()).unwrap();
        std::fs::write(&path, games() + "1. c4 *\n").unwrap();
        save(&path, &game, Color::White, GameResult::Draw, saved.as_ref()).unwrap();
        assert!(games().matches("2. Nf3").count() == 2 && games().contains("\n1. c4 *\n"), "{}", games());
    }
}
