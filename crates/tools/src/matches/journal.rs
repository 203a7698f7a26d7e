//! The journal of a tournament: one JSON object a line, written as things happen. It is the truth: statistics, PGN and
//! what is left to play all follow from it, so that a tournament of any number of engines can be resumed after any end,
//! and a script can follow it live (`tail -f`).
//!
//! Version 1. Every line has `event`:
//!
//! | event | when | fields |
//! |---|---|---|
//! | `start` | first line | `version`, `settings` (as of a settings file, completed) |
//! | `resume` | a run goes on | `settings`, `games` (finished so far) |
//! | `game` | a game has ended | see [`GameRecord`] |
//! | `restart` | an engine was started anew | `slot`, `engine`, `reason` |
//! | `end` | a run has ended | `reason`: `complete`, `sprt`, `interrupted` |
//!
//! Readers must skip events and fields that they do not know.

use super::config::Settings;
use crate::files;
use anyhow::{Context, bail, ensure};
use bartizan_types::Color;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the format.
pub const VERSION: u32 = 1;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// Mate on the board.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The same position for the third time.
    Repetition,
    /// 50 moves without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The scores said that it was lost, or the tablebases: then the detail says so.
    AdjudicatedWin,
    /// The scores said that it was drawn, or the tablebases.
    AdjudicatedDraw,
    /// More moves than allowed.
    TooLong,
    /// An engine resigned.
    Resignation,
    /// An engine overstepped its clock.
    TimeForfeit,
    /// An engine played an illegal move.
    IllegalMove,
    /// An engine claimed a result that is not so.
    FalseClaim,
    /// An engine's process ended.
    Crash,
    /// An engine gave no move and did not react.
    Hang,
    /// An engine did not come up for the game.
    NoStart,
}

impl Termination {
    /// Whether an engine is to blame, so that the loss says nothing about its chess.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit | Self::IllegalMove | Self::FalseClaim | Self::Crash | Self::Hang | Self::NoStart
        )
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "50-move rule",
            Self::InsufficientMaterial => "insufficient material",
            Self::AdjudicatedWin => "win by adjudication",
            Self::AdjudicatedDraw => "draw by adjudication",
            Self::TooLong => "draw by length",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::FalseClaim => "false claim",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::NoStart => "no start",
        })
    }
}

/// What one side did in a game, moves out of the opening not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStats {
    /// Moves.
    pub moves: u64,
    /// The sum of the depths that it reported, …
    pub depth: u64,
    /// … over so many moves.
    pub moves_with_depth: u64,
    /// The sum of the nodes that it reported, …
    pub nodes: u64,
    /// … in so many microseconds of our clock.
    pub node_time: u64,
    /// Microseconds of our clock for all moves.
    pub time: u64,
}

impl std::ops::AddAssign for SideStats {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.moves_with_depth += other.moves_with_depth;
        self.nodes += other.nodes;
        self.node_time += other.node_time;
        self.time += other.time;
    }
}

/// A fault of protocol that did not cost the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The engine's number.
    pub engine: usize,
    /// The ply of the game.
    pub ply: usize,
    /// Its kind.
    pub kind: FaultKind,
    /// What was seen.
    pub detail: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A pv with an illegal move.
    IllegalPv,
    /// The best move is not the first of the last pv.
    BestMoveNotPv,
    /// A pv that goes on after the game is over.
    PvPastEnd,
    /// A best move that nobody asked for.
    BestMoveTooEarly,
    /// A mate score that its own pv contradicts.
    ContradictoryMate,
    /// A best move without any information before it.
    Silent,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalPv => "illegal pv",
            Self::BestMoveNotPv => "bestmove is not pv[0]",
            Self::PvPastEnd => "pv past the end of the game",
            Self::BestMoveTooEarly => "bestmove too early",
            Self::ContradictoryMate => "contradictory mate score",
            Self::Silent => "silent engine",
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the fixture.
    pub id: usize,
    /// The round, from 0.
    pub round: usize,
    /// The pair, from 0: two games with one opening.
    pub pair: usize,
    /// The number of the engine that played white.
    pub white: usize,
    /// The number of the engine that played black.
    pub black: usize,
    /// Who won; `None` is a draw.
    #[serde(with = "winner")]
    pub winner: Option<Color>,
    /// Why the game ended.
    pub termination: Termination,
    /// More about that.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Plies played, the opening's included.
    pub plies: usize,
    /// White's and black's numbers.
    pub sides: [SideStats; 2],
    /// Faults of protocol.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// The whole game.
    pub pgn: String,
}

mod winner {
    use super::Color;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(winner: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match winner {
            Some(Color::White) => "white",
            Some(Color::Black) => "black",
            None => "none",
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Color>, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "white" => Ok(Some(Color::White)),
            "black" => Ok(Some(Color::Black)),
            "none" => Ok(None),
            other => Err(D::Error::custom(format!("'{other}' is no winner"))),
        }
    }
}

impl GameRecord {
    /// The points of an engine in half points: 0, 1 or 2.
    pub fn half_points(&self, engine: usize) -> u64 {
        match self.winner {
            None => 1,
            Some(Color::White) => 2 * u64::from(engine == self.white),
            Some(Color::Black) => 2 * u64::from(engine == self.black),
        }
    }
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant)] // Written and dropped one at a time.
pub enum Event {
    /// The first line.
    Start {
        /// The version of the format.
        version: u32,
        /// What is played.
        settings: Settings,
    },
    /// A later run goes on.
    Resume {
        /// What is played.
        settings: Settings,
        /// Games finished so far.
        games: usize,
    },
    /// A game has ended.
    Game(GameRecord),
    /// An engine was started anew.
    Restart {
        /// In which slot.
        slot: usize,
        /// Its number.
        engine: usize,
        /// Why.
        reason: String,
    },
    /// A run has ended.
    End {
        /// Why.
        reason: String,
    },
    /// Something that a later version writes.
    #[serde(other)]
    Unknown,
}

/// What a journal says.
#[derive(Clone, Debug)]
pub struct History {
    /// What is played.
    pub settings: Settings,
    /// The finished games, in the order of their ends.
    pub games: Vec<GameRecord>,
}

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// When the file is there already, or cannot be made.
    pub fn create(path: &Path, settings: &Settings) -> anyhow::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path).with_context(|| {
            format!("cannot begin the journal {} (to go on with one, say --resume)", path.display())
        })?;
        let mut journal = Self { path: path.to_owned(), file };
        journal.write(&Event::Start { version: VERSION, settings: settings.clone() })?;
        Ok(journal)
    }

    /// Goes on with a journal. A last line that was cut off when the program was killed is removed.
    ///
    /// # Errors
    /// When it cannot be read, or is no journal: names the line.
    pub fn resume(path: &Path) -> anyhow::Result<(Self, History)> {
        let (text, file) = files::reopen(path)?;
        let history = parse(&text).with_context(|| format!("cannot go on with {}", path.display()))?;
        Ok((Self { path: path.to_owned(), file }, history))
    }

    /// Writes a line; it is with the system when this returns.
    ///
    /// # Errors
    /// When the disk is full, for instance.
    pub fn write(&mut self, event: &Event) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(event)?;
        line.push(b'\n');
        self.file.write_all(&line).with_context(|| format!("cannot write the journal {}", self.path.display()))
    }
}

/// Reads a journal without writing to it.
///
/// # Errors
/// As [`Journal::resume`].
pub fn read(path: &Path) -> anyhow::Result<History> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(files::whole_lines(&text)).with_context(|| path.display().to_string())
}

fn parse(text: &[u8]) -> anyhow::Result<History> {
    let mut history: Option<History> = None;
    let mut seen = HashSet::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let event: Event = serde_json::from_slice(line).with_context(|| format!("line {}", index + 1))?;
        match (event, &mut history) {
            (Event::Start { version, settings }, None) => {
                ensure!(version <= VERSION, "written by a later version ({version}; this one knows {VERSION})");
                history = Some(History { settings, games: Vec::new() });
            }
            (Event::Start { .. }, Some(_)) => bail!("line {}: a second start", index + 1),
            (_, None) => bail!("line {}: it does not begin with a start event", index + 1),
            (Event::Game(game), Some(history)) => {
                // Whatever happened, no game counts twice.
                if seen.insert(game.id) {
                    history.games.push(game);
                }
            }
            (Event::Resume { settings, .. }, Some(history)) => history.settings = settings,
            (Event::Restart { .. } | Event::End { .. } | Event::Unknown, Some(_)) => {}
        }
    }
    history.context("it is empty")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::matches) fn record(id: usize, white: usize, black: usize, winner: Option<Color>) -> GameRecord {
        GameRecord {
            id,
            round: id / 2,
            pair: id / 2,
            white,
            black,
            winner,
            termination: if winner.is_some() { Termination::Checkmate } else { Termination::Repetition },
            detail: String::new(),
            plies: 80,
            sides: [SideStats { moves: 40, time: 4_000, ..SideStats::default() }; 2],
            faults: Vec::new(),
            pgn: "1. e4 *\n\n".to_owned(),
        }
    }

    #[test]
    fn a_torn_line_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let settings = Settings::default();
        let mut journal = Journal::create(&path, &settings).unwrap();
        assert!(Journal::create(&path, &settings).is_err());
        for id in 0..3 {
            journal.write(&Event::Game(record(id, 0, 1, Some(Color::White)))).unwrap();
        }
        drop(journal);
        let text = std::fs::read(&path).unwrap();
        // Cut off at any byte: the games whose lines are whole are there.
        for cut in 0..=text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let lines = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
            match Journal::resume(&path) {
                Ok((mut journal, history)) => {
                    assert_eq!(history.games.len() + 1, lines);
                    journal.write(&Event::Game(record(9, 0, 1, None))).unwrap();
                    assert_eq!(read(&path).unwrap().games.last().unwrap().id, 9);
                }
                Err(_) => assert_eq!(lines, 0),
            }
        }
    }

    #[test]
    fn later_events_are_skipped_and_faults_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let start = serde_json::to_string(&Event::Start { version: 1, settings: Settings::default() }).unwrap();
        std::fs::write(&path, format!("{start}\n{{\"event\":\"news\"}}\n")).unwrap();
        assert!(read(&path).unwrap().games.is_empty());
        std::fs::write(&path, format!("{start}\nrubbish\n")).unwrap();
        assert!(format!("{:#}", read(&path).unwrap_err()).contains("line 2"));
    }
}
