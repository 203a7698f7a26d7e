//! The journal of `book check` and `book expand`: the scores of positions, with which an interrupted run continues.
//!
//! The first line is the [`Head`], every other line a [`Record`], both as JSON.

use crate::resume::cannot;
use anyhow::ensure;
use bartizan_analysis::book::Candidates;
use bartizan_files::journal::{JournalError, JournalFile};
use bartizan_position::{MoveError, Position, Tolerance};
use bartizan_types::{Escaped, Key, Limits, Move};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

/// How far positions are searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// In plies.
    Depth(u32),
    Nodes(u64),
}

impl Limit {
    pub(super) fn limits(self) -> Limits {
        match self {
            Self::Depth(plies) => Limits::depth(plies),
            Self::Nodes(nodes) => Limits::nodes(nodes),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(plies) => write!(f, "depth {plies}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// What decides the scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) version: u32,
    pub(super) engine: String,
    /// In plies; 0 if `nodes` limits the searches.
    pub(super) depth: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    /// Size of the hash table in MiB, which is empty when a search begins. Version 1 had one table for all searches.
    #[serde(default)]
    pub(super) hash: usize,
}

impl Head {
    pub(super) fn new(limit: Limit, hash: usize) -> Self {
        let (depth, nodes) = match limit {
            Limit::Depth(plies) => (plies, None),
            Limit::Nodes(nodes) => (0, Some(nodes)),
        };
        Self { version: 2, engine: bartizan_engine::NAME.to_owned(), depth, nodes, hash }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, engine, depth, nodes, hash } = self;
        let limit = nodes.map_or(Limit::Depth(*depth), Limit::Nodes);
        write!(f, "{engine} at {limit} with {hash} MB of hash table (version {version})")
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    fen: String,
    /// Centipawns for White.
    score: i32,
    /// The best moves and their scores, for `book expand`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<(String, i32)>,
}

/// Scores by position, and the journal that keeps them.
pub(super) struct Scores {
    known: HashMap<Key, Candidates>,
    journal: Option<JournalFile>,
}

impl Scores {
    /// Reads a journal, or begins a new one. Without a path, nothing is stored.
    ///
    /// # Errors
    /// If the file is unusable, is damaged, or was begun with another engine or limit.
    pub(super) fn open(path: Option<&Path>, head: &Head) -> anyhow::Result<Self> {
        let mut known = HashMap::new();
        let Some(path) = path else { return Ok(Self { known, journal: None }) };
        let failed = |error| cannot("use journal", path, &error);
        let (journal, lines) = match JournalFile::create(path, head) {
            Ok(journal) => return Ok(Self { known, journal: Some(journal) }),
            Err(JournalError::Exists(_)) => JournalFile::resume(path).map_err(failed)?,
            Err(error) => return Err(failed(error)),
        };
        let mut records = lines.iter();
        let (number, first) = records.next().ok_or_else(|| failed(lines.none()))?;
        let found: Head = serde_json::from_slice(first).map_err(|error| failed(lines.error(number, error)))?;
        ensure!(
            found == *head,
            "journal '{}' has scores of {found}, not of {head}: use another file",
            Escaped(path.display()),
        );
        for (number, line) in records {
            let record: Record = serde_json::from_slice(line).map_err(|error| failed(lines.error(number, error)))?;
            let position = Position::from_fen_with(&record.fen, Tolerance::ALL);
            let position = position.map_err(|error| failed(lines.error(number, error)))?;
            let read = |(text, score): &(String, i32)| Ok((position.parse_uci(text)?, *score));
            let moves: Result<_, MoveError> = record.moves.iter().map(read).collect();
            let moves = moves.map_err(|error| failed(lines.error(number, error)))?;
            known.insert(position.key(), Candidates { score: record.score, moves });
        }
        Ok(Self { known, journal: Some(journal) })
    }

    pub(super) fn get(&self, position: &Position) -> Option<i32> {
        self.candidates(position).map(|candidates| candidates.score)
    }

    /// What is known about a position. After `book check`, its moves are not.
    pub(super) fn candidates(&self, position: &Position) -> Option<&Candidates> {
        self.known.get(&position.key())
    }

    /// Keeps what a search has found.
    pub(super) fn insert(&mut self, position: &Position, candidates: Candidates) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            let text = |&(mv, score): &(Move, i32)| (mv.to_string(), score);
            let moves = candidates.moves.iter().map(text).collect();
            journal.append(&Record { fen: position.to_fen(), score: candidates.score, moves })?;
        }
        self.known.insert(position.key(), candidates);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn another_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let first = serde_json::to_string(&Head::new(Limit::Depth(1), 1)).unwrap();
        for text in ["", "only line", "[Event \"a\"]\n\n1. e4 e5 1-0", "{}\n", &format!("{first} and more")] {
            fs::write(&path, text).unwrap();
            assert!(Scores::open(Some(&path), &Head::new(Limit::Depth(1), 1)).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    fn scored(score: i32) -> Candidates {
        Candidates { score, moves: Vec::new() }
    }

    #[test]
    fn a_journal_continues_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.jsonl");
        let head = Head::new(Limit::Depth(4), 1);
        let start = Position::startpos();
        let mut scores = Scores::open(Some(&path), &head).unwrap();
        scores.insert(&start, scored(17)).unwrap();
        drop(scores);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{{\"fen\":\"rn")).unwrap();
        let mut scores = Scores::open(Some(&path), &head).unwrap();
        assert_eq!(scores.get(&start), Some(17));
        scores.insert(&start, scored(17)).unwrap();
        drop(scores);
        let again = fs::read_to_string(&path).unwrap();
        assert_eq!(again, format!("{whole}{}\n", whole.lines().last().unwrap()));
        let message = |error: anyhow::Error| format!("{error:#}");
        let other = Scores::open(Some(&path), &Head::new(Limit::Depth(5), 1)).err().map(message).unwrap();
        assert!(other.contains(" at depth 4 with 1 MB of hash table (version 2), not of "), "{other}");
        assert!(other.ends_with(" at depth 5 with 1 MB of hash table (version 2): use another file"), "{other}");
        fs::write(&path, whole.replacen("\"version\":2", "\"version\":1", 1).replacen(",\"hash\":1", "", 1)).unwrap();
        let older = Scores::open(Some(&path), &head).err().map(message).unwrap();
        assert!(older.contains(" at depth 4 with 0 MB of hash table (version 1), not of "), "{older}");
        fs::write(&path, format!("{whole}{{\"fen\":\"x\",\"score\":1}}\n")).unwrap();
        let broken = Scores::open(Some(&path), &head).err().map(message).unwrap();
        assert!(broken.contains("scores.jsonl': line 3: "), "{broken}");
    }
}
