//! The journal of a match: a file with one JSON object per line, written as events happen.
//!
//! Statistics, PGN and the remaining games all follow from the journal. So a match of any number of engines can be
//! resumed however a run ended, and a script can follow it live (`tail -f`).
//!
//! This is version 1. Every line has the field `event`:
//!
//! | event | when | fields |
//! |---|---|---|
//! | `start` | first line | `version`, `settings` (completed, see [`MatchSettings`]), perhaps `extra` (of the caller) |
//! | `resume` | a later run begins | `settings`, `games` (finished so far), `extra` if it has changed |
//! | `game` | a game has ended | those of [`GameRecord`] |
//! | `restart` | an engine was restarted | `slot`, `engine`, `reason` |
//! | `end` | a run has ended | `reason`: `complete`, `sprt` or `interrupted` |
//!
//! Readers must skip unknown events and fields.

use crate::record::GameRecord;
use crate::schedule::{Schedule, ScheduledGame};
use crate::settings::MatchSettings;
use bartizan_files::journal::{JournalError, JournalFile, JournalLines, read_lines};
use bartizan_notation::pgn::{PgnReader, Strictness};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

/// The version of the format.
pub const VERSION: u32 = 1;

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // Written and dropped one at a time.
#[non_exhaustive]
pub enum JournalEntry {
    /// The first line.
    Start {
        /// Version of the format.
        version: u32,
        /// Settings of the match.
        settings: MatchSettings,
        /// The caller's data; see [`Match::extra`](crate::Match::extra).
        #[serde(default, skip_serializing_if = "Value::is_null")]
        extra: Value,
    },
    /// A later run begins.
    Resume {
        /// Settings of this run.
        settings: MatchSettings,
        /// Number of games finished so far.
        games: usize,
        /// The caller's data from now on; null if unchanged.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        extra: Value,
    },
    /// A game has ended.
    Game(GameRecord),
    /// An engine was restarted.
    Restart {
        /// Number of the slot.
        slot: usize,
        /// Number of the engine.
        engine: usize,
        /// The reason.
        reason: String,
    },
    /// A run has ended.
    End {
        /// The reason; see [`MatchEnd`](crate::MatchEnd).
        reason: String,
    },
    /// An event that a later version wrote.
    #[serde(other)]
    Unknown,
}

/// The content of a journal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JournalContent {
    /// Settings of the latest run.
    pub settings: MatchSettings,
    /// The data of the latest run's caller; null if none.
    pub extra: Value,
    /// The finished games, in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// Whether the file ends within a line, which is lost.
    pub is_cut: bool,
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal(JournalFile);

impl Journal {
    /// Creates a journal.
    ///
    /// # Errors
    /// When the file already exists or cannot be created.
    pub fn create(path: &Path, settings: &MatchSettings, extra: &Value) -> Result<Self, JournalError> {
        let start = JournalEntry::Start { version: VERSION, settings: settings.clone(), extra: extra.clone() };
        Ok(Self(JournalFile::create(path, &start)?))
    }

    /// Continues a journal. An incomplete last line, left by a killed program, is removed when the next one is written;
    /// until then, the file is unchanged.
    ///
    /// # Errors
    /// When the file cannot be read or is not a journal.
    pub fn resume(path: &Path) -> Result<(Self, JournalContent), JournalError> {
        let (file, lines) = JournalFile::resume(path)?;
        Ok((Self(file), parse(&lines)?))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// [`JournalError::Write`].
    pub fn write(&mut self, entry: &JournalEntry) -> Result<(), JournalError> {
        self.0.append(entry)
    }
}

/// Reads a journal without changing it.
///
/// # Errors
/// When the file cannot be read or is not a journal.
pub fn read(path: &Path) -> Result<JournalContent, JournalError> {
    parse(&read_lines(path)?)
}

/// Reads a journal from an open input, such as a pipe. `path` names it in errors.
///
/// # Errors
/// As [`read`].
pub fn read_from(path: &Path, input: impl Read) -> Result<JournalContent, JournalError> {
    parse(&JournalLines::read(path, input)?)
}

fn parse(lines: &JournalLines) -> Result<JournalContent, JournalError> {
    let mut history: Option<JournalContent> = None;
    let mut schedule = None;
    let mut seen = HashSet::new();
    for (number, line) in lines.iter() {
        let entry = serde_json::from_slice(line).map_err(|error| match history {
            None => lines.head_error(number, "event", "a journal of a match", error),
            Some(_) => lines.error(number, error),
        })?;
        match (entry, &mut history) {
            (JournalEntry::Start { version, settings, extra }, None) => {
                lines.check_version(version, VERSION)?;
                schedule = Some(unlimited(&settings));
                history = Some(JournalContent { settings, extra, games: Vec::new(), is_cut: lines.is_cut() });
            }
            (JournalEntry::Start { .. }, Some(_)) => return Err(lines.error(number, "a second start event")),
            (_, None) => return Err(lines.error(number, "expected a start event")),
            (JournalEntry::Game(game), Some(_)) if !schedule.as_ref().is_some_and(|schedule| has(schedule, &game)) => {
                return Err(lines.error(number, format!("game {} does not belong to this match", game.id)));
            }
            (JournalEntry::Game(game), Some(history)) => {
                check_winner(&game).map_err(|reason| lines.error(number, format!("game {}: {reason}", game.id)))?;
                // A game that is recorded twice counts once.
                if seen.insert(game.id) {
                    history.games.push(game);
                }
            }
            (JournalEntry::Resume { settings, extra, .. }, Some(history)) => {
                schedule = Some(unlimited(&settings));
                history.settings = settings;
                if !extra.is_null() {
                    history.extra = extra;
                }
            }
            (JournalEntry::Restart { .. } | JournalEntry::End { .. } | JournalEntry::Unknown, Some(_)) => {}
        }
    }
    history.ok_or_else(|| lines.none())
}

/// The games of a match with any number of rounds, which may change from run to run.
fn unlimited(settings: &MatchSettings) -> Schedule {
    Schedule::new(settings.format, settings.engines.len(), u32::MAX)
}

/// Whether the schedule has a game of this number, with this round, pair and engines.
fn has(schedule: &Schedule, game: &GameRecord) -> bool {
    let parts = |scheduled: ScheduledGame| (scheduled.round, scheduled.pair, scheduled.white, scheduled.black);
    schedule.game(game.id).map(parts) == Some((game.round, game.pair, game.white, game.black))
}

/// Compares a game's winner with the result in its PGN, which must be readable.
fn check_winner(game: &GameRecord) -> Result<(), String> {
    // The result does not depend on the moves.
    match PgnReader::new(game.pgn.as_bytes()).strictness(Strictness::Strict).max_plies(0).next() {
        Some(Ok(pgn)) if pgn.result.as_str() == game.result() => Ok(()),
        Some(Ok(pgn)) => Err(format!("its winner makes it {}, its PGN says {}", game.result(), pgn.result)),
        Some(Err(error)) => Err(format!("invalid PGN: {error}")),
        None => Err("it has no PGN".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Termination, record};
    use bartizan_client::EngineSpec;
    use bartizan_types::Color;

    /// A match of two engines.
    fn two() -> MatchSettings {
        MatchSettings { engines: vec![EngineSpec::new("x"); 2], ..MatchSettings::default() }
    }

    /// A game of that match, with the colours for its number.
    fn game(id: usize) -> GameRecord {
        record(id, id % 2, 1 - id % 2, Some(Color::White))
    }

    #[test]
    fn games_that_do_not_belong_to_the_match_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let wrong = [
            GameRecord { pair: 99, ..game(1) },
            GameRecord { round: 1, ..game(1) },
            GameRecord { white: 0, black: 1, ..game(1) },
            GameRecord { white: 7, ..game(1) },
            GameRecord { id: usize::MAX, ..game(1) },
        ];
        for wrong in wrong {
            let mut journal = Journal::create(&path, &two(), &Value::Null).unwrap();
            let message = format!("line 3: game {} does not belong to this match", wrong.id);
            for game in [game(0), wrong] {
                journal.write(&JournalEntry::Game(game)).unwrap();
            }
            drop(journal);
            let error = read(&path).unwrap_err().to_string();
            assert!(error.ends_with(&message), "{error}");
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_winner_that_the_pgn_contradicts_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let loss = "its winner makes it 0-1, its PGN says 1-0";
        let draw = "its winner makes it 1/2-1/2, its PGN says 1-0";
        for (wrong, reason) in [
            (GameRecord { winner: Some(Color::Black), ..game(1) }, loss),
            (GameRecord { winner: None, ..game(1) }, draw),
            (GameRecord { pgn: "1. e4 *".to_owned(), ..game(1) }, "its winner makes it 1-0, its PGN says *"),
            (GameRecord { pgn: String::new(), ..game(1) }, "it has no PGN"),
            (GameRecord { pgn: "1. e4 {".to_owned(), ..game(1) }, "invalid PGN: "),
        ] {
            let mut journal = Journal::create(&path, &two(), &Value::Null).unwrap();
            for game in [game(0), wrong] {
                journal.write(&JournalEntry::Game(game)).unwrap();
            }
            drop(journal);
            let message = format!("line 3: game 1: {reason}");
            for error in [read(&path).unwrap_err(), Journal::resume(&path).unwrap_err()] {
                assert!(error.to_string().contains(&message), "{error}");
            }
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn an_incomplete_line_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let settings = two();
        let mut journal = Journal::create(&path, &settings, &Value::Null).unwrap();
        assert!(matches!(Journal::create(&path, &settings, &Value::Null), Err(JournalError::Exists(_))));
        for id in 0..3 {
            journal.write(&JournalEntry::Game(game(id))).unwrap();
        }
        drop(journal);
        let text = std::fs::read(&path).unwrap();
        // Cut off at any byte: the games with complete lines remain.
        for cut in 0..=text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let lines = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
            match Journal::resume(&path) {
                Ok((mut journal, history)) => {
                    assert_eq!(history.games.len() + 1, lines);
                    journal.write(&JournalEntry::Game(game(9))).unwrap();
                    assert_eq!(read(&path).unwrap().games.last().unwrap().id, 9);
                }
                Err(error) => {
                    let is_right = matches!(error, JournalError::Empty(_) | JournalError::Foreign(_));
                    assert!(lines == 0 && is_right, "{error}");
                    assert_eq!(std::fs::read(&path).unwrap(), text[..cut]);
                }
            }
        }
    }

    /// A file that is not a journal, or belongs to another match, is rejected and left unchanged.
    #[test]
    fn looking_at_a_file_does_not_change_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["notes", "notes\nmore", "{\"event\":\"start\"", "[Event \"x\"]\n\n1. e4 *"] {
            std::fs::write(&path, text).unwrap();
            Journal::resume(&path).unwrap_err();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let path = folder.path().join("journal");
        drop(Journal::create(&path, &MatchSettings::default(), &serde_json::json!({"pgn": "x.pgn"})).unwrap());
        let mut text = std::fs::read(&path).unwrap();
        text.extend(b"{\"event\":\"ga");
        std::fs::write(&path, &text).unwrap();
        let (mut journal, history) = Journal::resume(&path).unwrap();
        assert_eq!((history.games.len(), &history.extra["pgn"]), (0, &serde_json::json!("x.pgn")));
        assert_eq!(std::fs::read(&path).unwrap(), text);
        if cfg!(unix) {
            let error = std::error::Error::source(&Journal::resume(&path).unwrap_err()).unwrap().to_string();
            assert!(error.contains("another process"), "{error}");
        }
        journal.write(&JournalEntry::End { reason: "complete".to_owned() }).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
    }

    #[test]
    fn later_events_are_skipped_and_faults_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let start = serde_json::to_string(&JournalEntry::Start {
            version: 1,
            settings: MatchSettings::default(),
            extra: Value::Null,
        })
        .unwrap();
        let read = |text: String| {
            std::fs::write(&path, text).unwrap();
            read(&path)
        };
        assert!(read(format!("{start}\n{{\"event\":\"news\"}}\n")).unwrap().games.is_empty());
        for (text, message) in [
            (format!("{start}\nrubbish\n"), "line 2: expected value"),
            (format!("{start}\n{start}\n"), "line 2: a second start event"),
            ("{\"event\":\"news\"}\n".to_owned(), "line 1: expected a start event"),
            (start.replace("\"engine\":[]", "\"engine\":1") + "\n", "line 1: invalid type"),
            ("1. e4 *\n".to_owned(), "j.jsonl' is not a journal of a match"),
            ("{\"setup\":1}\n".to_owned(), "j.jsonl' is not a journal of a match"),
            (
                start.replace("\"version\":1", "\"version\":2") + "\n",
                "has version 2; this program reads versions up to 1",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    /// A journal written before this library existed can be resumed, and the format has not changed.
    #[test]
    fn the_format_is_stable() {
        let text = include_str!("../tests/data/journal-v1.jsonl");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        std::fs::write(&path, text).unwrap();
        let (_, history) = Journal::resume(&path).unwrap();
        assert_eq!(history.games.len(), 2);
        assert_eq!((history.games[0].result(), history.games[0].termination), ("0-1", Termination::TimeForfeit));
        assert_eq!((history.games[1].result(), history.games[1].faults.len()), ("1/2-1/2", 2));
        assert_eq!(history.settings.clone().complete().unwrap(), history.settings);
        for line in text.lines() {
            let entry: JournalEntry = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&entry).unwrap(), line);
        }
    }
}
