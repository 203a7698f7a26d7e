//! Writes the games of a match to a PGN file.

use crate::error::MatchError;
use crate::record::GameRecord;
use bartizan_files::ZeroGuard;
use bartizan_notation::pgn::{PgnGame, PgnReader, begins_like_pgn, game_separator};
use bartizan_position::Position;
use bartizan_types::{GameResult, Move};
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A PGN file to which games are appended. Other games in it are kept.
pub(crate) struct PgnFile {
    path: PathBuf,
    file: File,
}

impl PgnFile {
    /// Opens a file for appending. It must be empty, or look like a PGN file.
    pub(crate) fn open(path: PathBuf) -> Result<Self, MatchError> {
        match open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(source) => Err(MatchError::Write { path, source }),
        }
    }

    /// Appends those games of a resumed journal that the file lacks, so that both agree however the last run ended.
    pub(crate) fn complete(&mut self, games: &[GameRecord]) -> Result<(), MatchError> {
        let is_regular = self.file.metadata().is_ok_and(|file| file.is_file());
        let mut bytes = Vec::new();
        let read = if is_regular { ZeroGuard::new(&self.file).read_to_end(&mut bytes) } else { Ok(0) };
        let missing = read.map(|_| missing(&String::from_utf8_lossy(&bytes), games));
        missing
            .and_then(|missing| bartizan_files::append(&mut self.file, missing.as_bytes()))
            .map_err(|source| MatchError::Write { path: self.path.clone(), source })
    }

    /// Appends a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        bartizan_files::append(&mut self.file, game.pgn.as_bytes())
            .map_err(|source| MatchError::Write { path: self.path.clone(), source })
    }
}

fn open(path: &Path) -> io::Result<File> {
    let is_regular = std::fs::metadata(path).map_or(true, |file| file.is_file());
    bartizan_files::check_kind(path, "a PGN file", begins_like_pgn)?;
    OpenOptions::new().create(true).read(is_regular).append(true).open(path)
}

/// The text to append so that the file has every game, complete and after an empty line.
fn missing(text: &str, games: &[GameRecord]) -> String {
    // The games of the file, from one first tag to the next.
    let mut found: HashMap<&str, usize> = HashMap::new();
    let mut last = 0;
    let starts = text.match_indices("\n\n[Event ").map(|(at, _)| at + 2);
    // The last game may have been cut off within its first tag.
    let cut = text.rfind("\n\n").map(|at| at + 2).filter(|&at| at < text.len() && "[Event ".starts_with(&text[at..]));
    for start in starts.chain(cut) {
        *found.entry(&text[last..start]).or_default() += 1;
        last = start;
    }
    let tail = &text[last..];
    *found.entry(tail).or_default() += 1;
    let mut absent: Vec<&GameRecord> = games
        .iter()
        .filter(|game| match found.get_mut(game.pgn.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect();
    // A killed run may have left the beginning of a game at the end.
    let begun = absent.iter().position(|game| !tail.is_empty() && game.pgn.starts_with(tail));
    let (rest, mut missing) = match begun {
        Some(index) => (&text[..last], absent.remove(index).pgn[tail.len()..].to_owned()),
        None => (text, game_separator(text.as_bytes()).to_owned()),
    };
    if !absent.is_empty() {
        leave_out_changed(&mut absent, games, rest);
    }
    absent.into_iter().for_each(|game| missing += &game.pgn);
    missing
}

/// Removes games that the text has in another form: with other line ends, or without comments. Their tags distinguish
/// them from equal games of another match.
fn leave_out_changed(absent: &mut Vec<&GameRecord>, games: &[GameRecord], text: &str) {
    let mut found: HashMap<Key, usize> = HashMap::new();
    for game in PgnReader::new(text.as_bytes()).flatten() {
        *found.entry(Key::of(&game)).or_default() += 1;
    }
    if found.is_empty() {
        return;
    }
    let mut take = |game: &GameRecord| {
        let key = PgnReader::new(game.pgn.as_bytes()).next().and_then(|game| Some(Key::of(&game.ok()?)));
        let count = key.and_then(|key| found.get_mut(&key)).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    };
    // Compares addresses: games that occur verbatim have already claimed their share of the games found.
    let lacking: HashSet<*const GameRecord> = absent.iter().map(|&game| std::ptr::from_ref(game)).collect();
    for game in games.iter().filter(|&game| !lacking.contains(&std::ptr::from_ref(game))) {
        take(game);
    }
    absent.retain(|game| !take(game));
}

/// The key by which two games are the same.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    tags: [Option<String>; 6],
    start: Position,
    moves: Vec<Move>,
    result: GameResult,
}

impl Key {
    fn of(game: &PgnGame) -> Self {
        Self {
            tags: ["Event", "Date", "Round", "GameNumber", "White", "Black"]
                .map(|name| game.tag(name).map(str::to_owned)),
            start: game.start.clone(),
            moves: game.moves.iter().map(|played| played.mv).collect(),
            result: game.result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::record;

    fn games() -> Vec<GameRecord> {
        let game = |id| GameRecord {
            pgn: format!("[Event \"x\"]\n[Round \"{id}\"]\n\n1. e4 e5 {{[Event }} *\n\n"),
            ..record(id, 0, 1, None)
        };
        (0..3).map(game).collect()
    }

    /// Games of other matches are kept, and wherever the file was cut, each missing game is added once.
    #[test]
    fn a_file_cut_anywhere_is_completed() {
        let games = games();
        let whole: String = games.iter().map(|game| game.pgn.as_str()).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        for before in ["", "{Games of a club}\n\n", "[Event \"other\"]\n\n1. d4 *\n\n"] {
            for cut in 0..=whole.len() {
                std::fs::write(&path, format!("{before}{}", &whole[..cut])).unwrap();
                PgnFile::open(path.clone()).unwrap().complete(&games).unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                assert_eq!(text, format!("{before}{whole}"), "cut at {cut}");
            }
        }
    }

    #[test]
    fn games_of_another_match_between_them_are_no_hindrance() {
        let games = games();
        let other = "[Event \"other\"]\n\n1. d4 *";
        let text = format!("{}{other}", games[1].pgn);
        assert_eq!(missing(&text, &games), format!("\n\n{}{}", games[0].pgn, games[2].pgn));
        let text = format!("{}{}{other}\n\n", games[2].pgn, games[1].pgn);
        assert_eq!(missing(&text, &games), games[0].pgn);
        assert_eq!(missing(&text, &[]), "");
    }

    #[test]
    fn games_in_another_form_are_not_appended_again() {
        let games = games();
        let whole: String = games.iter().map(|game| game.pgn.as_str()).collect();
        for text in [whole.replace('\n', "\r\n"), whole.replace("{[Event } ", "")] {
            assert_eq!(missing(&text, &games), game_separator(text.as_bytes()));
        }
        let text = format!("{}{}", games[0].pgn, games[1].pgn.replace("{[Event } ", ""));
        assert_eq!(missing(&text, &games), games[2].pgn);
        // Two engines may play the same games in another match.
        let other = whole.replace("Event \"x\"", "Event \"y\"");
        assert_eq!(missing(&other, &games), whole);
    }

    #[test]
    fn other_files_are_refused_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["notes", "{\"event\":\"start\"}\n", "[1, 2]", "\u{7f}ELF"] {
            std::fs::write(&path, text).unwrap();
            assert!(PgnFile::open(path.clone()).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let mut null = PgnFile::open("/dev/null".into()).unwrap();
        null.complete(&games()).unwrap();
        null.add(&games()[0]).unwrap();
    }
}
