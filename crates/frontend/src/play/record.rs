//! The game as PGN.

use bartizan_engine::{NAME, Players, today};
use bartizan_notation::pgn::{GameResult, PgnGame, begins_like_pgn, game_separator};
use bartizan_notation::san::San;
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Move};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Who plays, with this colour for the person.
pub(super) fn players(person: Color) -> Players {
    let (white, black) = if person.is_white() { ("Player", NAME) } else { (NAME, "Player") };
    Players { white: white.to_owned(), black: black.to_owned() }
}

/// Appends a game to a PGN file, which is created if it does not exist.
pub(super) fn append(path: &Path, game: &Game, person: Color, result: GameResult) -> io::Result<()> {
    let mut pgn = PgnGame::new(game.start().clone());
    let Players { white, black } = players(person);
    let (year, month, day) = today();
    let date = format!("{year:04}.{month:02}.{day:02}");
    for (tag, value) in [("Event", "Casual game"), ("Site", "?"), ("Date", date.as_str()), ("Round", "-")] {
        pgn.set_tag(tag, value);
    }
    pgn.set_tag("White", white);
    pgn.set_tag("Black", black);
    pgn.moves = game.moves().map(Into::into).collect();
    pgn.result = result;
    bartizan_files::check_kind(path, "a PGN file", begins_like_pgn)?;
    bartizan_files::check_no_named_pipe(path)?;
    let is_regular = std::fs::metadata(path).is_ok_and(|file| file.is_file());
    let mut file = File::options().create(true).read(is_regular).append(true).open(path)?;
    let mut text = if is_regular { separator(&mut file)?.into() } else { Vec::new() };
    pgn.write_to(&mut text)?;
    bartizan_files::append(&mut file, &text)
}

/// What separates a game from those of the file.
fn separator(file: &mut File) -> io::Result<&'static str> {
    let length = file.metadata()?.len();
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(3)))?;
    file.read_to_end(&mut end)?;
    Ok(game_separator(&end))
}

/// Moves with their numbers: `1. e4 e5 2. Nf3`.
pub(super) fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        let san = San::new(&position, mv);
        let has_number = position.turn().is_white() || index == 0;
        let number = if has_number { super::move_number(&position) } else { String::new() };
        words.push(format!("{number}{san}"));
        let Ok(next) = position.play(mv) else { break };
        position = next;
    }
    words.join(" ")
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
        let error = append(&path, &Game::default(), Color::White, GameResult::Unknown).unwrap_err();
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
                append(&path, &game, Color::White, GameResult::Unknown).unwrap();
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let games = PgnReader::new(text.as_bytes()).map(Result::unwrap).count();
            assert_eq!(games, 2 + usize::from(!before.is_empty()), "{text}");
            assert!(text.starts_with(before) && text.ends_with("1. e4 *\n\n") && !text.contains("\n\n\n"), "{text:?}");
        }
    }
}
