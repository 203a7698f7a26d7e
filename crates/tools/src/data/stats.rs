//! `data stats`: counts what data consists of.

use super::{CHUNK, Progress, detect, each_chunk, each_game_of, open, total_bytes, unpack};
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use bartizan_training::positions::Sample;
use bartizan_types::Color;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Scores are in internal centipawns, for the side to move. Positions are the same if board, side to move, castling rights
and en passant agree; where there are more than a million of them, a sample of them is counted.

Example:
  bartizan-tools data stats games.bin shuffled.pos";

/// Different positions that are kept to find those that repeat.
const MOST_KEYS: usize = 1 << 20;

/// Absolute scores at which the classes of the histogram end.
const SCORES: [u16; 7] = [25, 50, 100, 200, 400, 1_000, 2_000];

/// The arguments of `data stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of games of `selfplay`, or of positions of `data filter`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Print the counts as JSON, and no progress
    #[arg(long)]
    json: bool,
}

/// The counts of all files.
#[derive(Debug, Default, Serialize)]
struct Counts {
    games: u64,
    skipped_games: u64,
    positions: u64,
    /// Positions of games that the side to move won, drew and lost.
    won: u64,
    drawn: u64,
    lost: u64,
    /// Positions with at least 24 men, with 12 to 23, and with fewer.
    opening: u64,
    middlegame: u64,
    endgame: u64,
    in_check: u64,
    /// Positions with an absolute score below each of [`SCORES`], and with a greater one.
    scores: [u64; SCORES.len() + 1],
    /// The estimated share of positions that occurred before.
    repeated: f64,
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

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut counts = Counts::default();
    let mut repeats = Repeats::default();
    for file in &args.files {
        let (is_positions, input) = detect(file, open(file, interrupt)?)?;
        if is_positions {
            each_chunk(file, input, CHUNK, |samples, before| {
                progress.add_positions(samples.len())?;
                for (sample, number) in samples.iter().zip(before + 1..) {
                    let position = unpack(sample, file, number)?;
                    counts.in_check += u64::from(position.in_check());
                    add(&mut counts, &mut repeats, sample);
                }
                Ok(())
            })?;
        } else {
            counts.skipped_games += each_game_of(file, input, args.skip_errors, &progress, |game| {
                counts.games += 1;
                let mut position = game.start;
                for scored in &game.moves {
                    counts.in_check += u64::from(position.in_check());
                    add(&mut counts, &mut repeats, &Sample::new(&position, scored.score, game.winner));
                    position.make_unchecked(scored.mv);
                }
                Ok(())
            })?;
        }
    }
    counts.repeated = repeats.share();
    progress.bar.finish_and_clear();
    if args.json { say!("{}", serde_json::to_string(&counts)?) } else { say_part!("{}", text(&counts)) }?;
    Ok(())
}

fn add(counts: &mut Counts, repeats: &mut Repeats, sample: &Sample) {
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

fn text(counts: &Counts) -> String {
    let mut text = String::new();
    let positions = counts.positions;
    if counts.games > 0 {
        let _ = writeln!(text, "{} games", counts.games);
    }
    if counts.skipped_games > 0 {
        let _ = writeln!(text, "{} broken games skipped", counts.skipped_games);
    }
    let _ = writeln!(text, "{positions} positions, {:.1} % of them repeated", 100.0 * counts.repeated);
    let mut line = |count: u64, what: &str| {
        let _ = writeln!(text, "{count:>12}  {:>4.1} %  {what}", 100.0 * count as f64 / positions.max(1) as f64);
    };
    line(counts.won, "won by the side to move");
    line(counts.drawn, "drawn");
    line(counts.lost, "lost by the side to move");
    line(counts.opening, "with 24 men or more");
    line(counts.middlegame, "with 12 to 23 men");
    line(counts.endgame, "with fewer men");
    line(counts.in_check, "in check");
    let mut from = 0;
    for (end, &count) in SCORES.iter().zip(&counts.scores) {
        line(count, &format!("with a score from {from} to {}", end - 1));
        from = *end;
    }
    line(counts.scores[SCORES.len()], &format!("with a score of {from} or more"));
    text
}
