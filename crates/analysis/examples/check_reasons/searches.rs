//! Searches from empty tables, kept in a journal so that an interrupted run continues where it ended.

use anyhow::{Context, Result, bail};
use bartizan_analysis::{Analyser, Limits, Score};
use bartizan_position::{Game, Position};
use bartizan_types::Move;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The hash table of a search, in MiB: a small one is cleared faster, a large one holds 2 million nodes.
fn hash_mib(nodes: u64) -> usize {
    if nodes <= 200_000 { 16 } else { 64 }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// For the side to move.
    pub(crate) score: Score,
    /// The best line; empty if the game is over.
    pub(crate) line: Vec<Move>,
}

impl Found {
    /// The score in centipawns for the side to move, mates far beyond other scores.
    pub(crate) fn centipawns(&self) -> i32 {
        self.score.centipawns()
    }
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Record {
    key: String,
    score: Score,
    /// Moves in coordinate notation.
    line: String,
}

/// Answers searches, from the journal if possible. Threads may share it.
pub(crate) struct Searches {
    known: Mutex<HashMap<String, (Score, String)>>,
    journal: Mutex<File>,
    /// The analysers that do nothing at the moment, by the size of their hash tables.
    idle: Mutex<HashMap<usize, Vec<Analyser>>>,
}

/// A lock whose data stay consistent if a thread panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Searches {
    /// Reads the journal, which need not exist. A cut last line is ignored.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let mut known = HashMap::new();
        if path.exists() {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            for line in BufReader::new(file).lines() {
                if let Ok(Record { key, score, line }) = serde_json::from_str(&line?) {
                    known.insert(key, (score, line));
                }
            }
        }
        let mut journal = OpenOptions::new().create(true).append(true).open(path)?;
        // Ends a line that an interruption has cut.
        if !known.is_empty() {
            journal.write_all(b"\n")?;
        }
        Ok(Self { known: Mutex::new(known), journal: Mutex::new(journal), idle: Mutex::default() })
    }

    /// Searches the last position of a game, with its earlier positions. `name` tells the game from others.
    pub(crate) fn of_game(&self, name: &str, game: &Game, nodes: u64) -> Result<Found> {
        let key = format!("{name} {nodes} {}", game.position().to_fen());
        self.search(key, game, &[], nodes)
    }

    /// Searches a position without a past.
    pub(crate) fn best(&self, position: &Position, nodes: u64) -> Result<Found> {
        self.best_among(position, &[], nodes)
    }

    /// Searches only some moves of a position; all if there are none.
    pub(crate) fn best_among(&self, position: &Position, moves: &[Move], nodes: u64) -> Result<Found> {
        let moves_text: String = moves.iter().map(|mv| format!(" {mv}")).collect();
        let key = format!("{nodes} {}{moves_text}", position.to_fen());
        self.search(key, &Game::new(position.clone()), moves, nodes)
    }

    fn search(&self, key: String, game: &Game, moves: &[Move], nodes: u64) -> Result<Found> {
        let position = game.position();
        if !position.has_legal_move() {
            let score = if position.in_check() { Score::Mate(0) } else { Score::Cp(0) };
            return Ok(Found { score, line: Vec::new() });
        }
        if let Some((score, line)) = lock(&self.known).get(&key) {
            return Ok(Found { score: *score, line: read_line(position, line) });
        }
        let hash = hash_mib(nodes);
        let analyser = lock(&self.idle).entry(hash).or_default().pop();
        let mut analyser = match analyser {
            Some(analyser) => analyser,
            None => Analyser::new(1, hash)?,
        };
        let limits = Limits::nodes(nodes).with_search_moves(moves.iter().copied());
        let lines = analyser.best_lines(game, &limits, 1);
        lock(&self.idle).entry(hash).or_default().push(analyser);
        let Some(best) = lines?.into_iter().next() else { bail!("no line in {}", position.to_fen()) };
        let text: Vec<String> = best.pv.iter().map(ToString::to_string).collect();
        let record = Record { key: key.clone(), score: best.score, line: text.join(" ") };
        let mut written = serde_json::to_vec(&record)?;
        written.push(b'\n');
        lock(&self.journal).write_all(&written)?;
        lock(&self.known).insert(key, (record.score, record.line));
        Ok(Found { score: best.score, line: best.pv })
    }
}

/// Moves in coordinate notation, up to one that is not legal.
fn read_line(position: &Position, text: &str) -> Vec<Move> {
    let mut position = position.clone();
    let play = |word| {
        let mv = position.parse_uci(word).ok()?;
        position.make_unchecked(mv);
        Some(mv)
    };
    text.split(' ').map_while(play).collect()
}
