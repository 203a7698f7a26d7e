//! Counts the contents of data files.

use super::{CHUNK, DataSource, detect, write_share};
use crate::Error;
use crate::positions::PositionSample;
use bartizan_types::Color;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of distinct positions kept to detect repeated ones.
const MOST_KEYS: usize = 1 << 20;

/// Upper limits of the classes of [`Stats::scores`], absolute, in internal centipawns.
pub const SCORES: [u16; 7] = [25, 50, 100, 200, 400, 1_000, 2_000];

/// The counts of all files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Broken games.
    pub skipped_games: u64,
    /// Positions.
    pub positions: u64,
    /// Positions of games that the side to move won.
    pub won: u64,
    /// Positions of drawn games.
    pub drawn: u64,
    /// Positions of games that the side to move lost.
    pub lost: u64,
    /// Positions with at least 24 men.
    pub opening: u64,
    /// Positions with 12 to 23 men.
    pub middlegame: u64,
    /// Positions with fewer men.
    pub endgame: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions with an absolute score below each of [`SCORES`], and with at least the last one.
    pub scores: [u64; SCORES.len() + 1],
    /// The estimated share of positions that occurred before.
    pub repeated: f64,
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.games > 0 {
            writeln!(f, "{} games", self.games)?;
        }
        if self.skipped_games > 0 {
            writeln!(f, "{} broken games skipped", self.skipped_games)?;
        }
        let positions = self.positions;
        writeln!(f, "{positions} positions, {:.1} % of them repeated", 100.0 * self.repeated)?;
        for (count, what) in [
            (self.won, "won by the side to move"),
            (self.drawn, "drawn"),
            (self.lost, "lost by the side to move"),
            (self.opening, "with 24 men or more"),
            (self.middlegame, "with 12 to 23 men"),
            (self.endgame, "with fewer men"),
            (self.in_check, "in check"),
        ] {
            write_share(f, count, positions, what)?;
        }
        let mut from = 0;
        for (end, &count) in SCORES.into_iter().zip(&self.scores) {
            write_share(f, count, positions, &format!("with a score from {from} to {}", end - 1))?;
            from = end;
        }
        write_share(f, self.scores[SCORES.len()], positions, &format!("with a score of {from} or more"))
    }
}

/// The numbers of occurrences of a sample of positions (Mark Wegman's adaptive sampling): all positions whose hash ends
/// with `zeros` zero bits or more.
#[derive(Debug, Default)]
struct Repeats {
    occurrences: HashMap<u64, u64>,
    zeros: u32,
}

impl Repeats {
    fn add(&mut self, hash: u64) {
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        *self.occurrences.entry(hash).or_default() += 1;
        if self.occurrences.len() > MOST_KEYS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.occurrences.retain(|hash, _| hash.trailing_zeros() >= zeros);
        }
    }

    fn share(&self) -> f64 {
        let all: u64 = self.occurrences.values().sum();
        if all == 0 { 0.0 } else { 1.0 - self.occurrences.len() as f64 / all as f64 }
    }
}

/// Counts games and positions, results, scores and phases, and positions that repeat. The files have games or
/// positions. Positions are the same if board, side to move, castling rights and en passant agree; where there are more
/// than a million of them, a sample of them is counted.
///
/// # Errors
/// If a file cannot be read.
pub fn stats(source: &DataSource<'_>) -> Result<Stats, Error> {
    let (mut counts, mut repeats) = (Stats::default(), Repeats::default());
    for file in source.files {
        let (is_positions, input) = detect(file, source.open(file)?)?;
        if is_positions {
            source.each_chunk_of(file, input, CHUNK, |samples, place| {
                for (index, sample) in samples.iter().enumerate() {
                    let position = place.unpack(sample, index)?;
                    counts.in_check += u64::from(position.in_check());
                    add(&mut counts, &mut repeats, sample);
                }
                Ok::<_, Error>(())
            })?;
        } else {
            counts.skipped_games += source.each_game_of(file, input, |game| {
                counts.games += 1;
                let mut position = game.start;
                for scored in &game.moves {
                    counts.in_check += u64::from(position.in_check());
                    add(&mut counts, &mut repeats, &PositionSample::new(&position, scored.score, game.winner));
                    position.make_unchecked(scored.mv);
                }
                Ok::<_, Error>(())
            })?;
        }
    }
    counts.repeated = repeats.share();
    Ok(counts)
}

fn add(counts: &mut Stats, repeats: &mut Repeats, sample: &PositionSample) {
    counts.positions += 1;
    let of_result = match sample.result() {
        0.0 => &mut counts.lost,
        1.0 => &mut counts.won,
        _ => &mut counts.drawn,
    };
    *of_result += 1;
    let of_phase = match sample.packed().pieces().count() {
        24.. => &mut counts.opening,
        12.. => &mut counts.middlegame,
        _ => &mut counts.endgame,
    };
    *of_phase += 1;
    counts.scores[SCORES.partition_point(|&end| end <= sample.score().unsigned_abs())] += 1;
    let mut hasher = DefaultHasher::new();
    // Everything but the counters of moves.
    sample.to_bytes()[..24].hash(&mut hasher);
    (sample.packed().turn() == Color::White).hash(&mut hasher);
    repeats.add(hasher.finish());
}
