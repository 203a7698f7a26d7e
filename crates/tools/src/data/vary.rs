//! `data vary`: makes positions with a cheap score out of others.

use super::{PositionFile, Progress, each_chunk, open, print_summary, total_bytes, unpack};
use crate::files;
use crate::interrupt::Interrupt;
use crate::selfplay::EvaluationChoice;
use crate::threads::parse_threads;
use anyhow::Context;
use bartizan_eval::ORDINARY_MAX;
use bartizan_network::EvaluationModel;
use bartizan_position::Position;
use bartizan_training::positions::Sample;
use bartizan_types::{Color, SplitMix64};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

const EXAMPLE: &str = "\
A network that first learns what an evaluation says of very many positions needs fewer positions with the score of a
search after that (`train --start`). The evaluation is the hand-written one, a network, or both. The random moves also
show positions that games do not have and searches evaluate all the time: pieces stand badly or hang.

Example:
  bartizan-tools data vary train.pos --copies 8 --out varied.pos";

/// New positions that are made at a time, at most, unless there are more threads.
const CHUNK: usize = 65_536;

/// The arguments of `data vary`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of positions of `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// File for the new positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Network that scores the new positions [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// What scores the new positions [default: network with --eval-file, otherwise classical]
    #[arg(long)]
    evaluation: Option<EvaluationChoice>,
    /// Number of new positions for each position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    copies: u32,
    /// Most random moves before a new position; each has at least one
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Score above which a position is left out, in internal centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..))]
    max_score: u16,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads; 'auto' is one per core. The result does not depend on it
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print the count as JSON, and no progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_input(&args.out, args.files.iter().chain(&args.eval_file))?;
    let default = if args.eval_file.is_some() { EvaluationChoice::Network } else { EvaluationChoice::Classical };
    let model = args.evaluation.unwrap_or(default).model(args.eval_file.as_deref())?;
    let variations = Variations { args, model };
    let progress = Progress::new(total_bytes(&args.files)?, args.json, interrupt)?;
    let mut out = PositionFile::new(&args.out)?;
    let (mut read, mut written) = (0_u64, 0_u64);
    let size = (CHUNK / args.copies as usize).max(args.threads.get());
    for file in &args.files {
        each_chunk(file, open(file, interrupt)?, size, |samples, before| {
            for sample in variations.of_all(&Part { file, before, samples, first: read })?.into_iter().flatten() {
                out.write(sample)?;
                written += 1;
            }
            read += samples.len() as u64;
            progress.add_positions(samples.len())
        })?;
    }
    let is_direct = out.is_direct;
    out.finish()?;
    progress.bar.finish_and_clear();
    let summary = if args.json {
        serde_json::json!({ "read": read, "positions": written }).to_string()
    } else {
        format!("{written} positions from {read}")
    };
    print_summary(&summary, is_direct)?;
    Ok(())
}

/// Positions that are read together.
struct Part<'a> {
    file: &'a Path,
    samples: &'a [Sample],
    /// The number of positions before these in the file.
    before: u64,
    /// The number of positions before these in all files.
    first: u64,
}

/// How new positions are made and scored.
struct Variations<'a> {
    args: &'a Args,
    model: EvaluationModel,
}

impl Variations<'_> {
    /// The new positions for some, in order, those of each thread together.
    fn of_all(&self, part: &Part<'_>) -> anyhow::Result<Vec<Vec<Sample>>> {
        let share = part.samples.len().div_ceil(self.args.threads.get()).max(1);
        thread::scope(|scope| {
            let parts = part.samples.chunks(share).enumerate().map(|(index, samples)| {
                let skipped = (index * share) as u64;
                let work = move || {
                    let mut varied = Vec::new();
                    for (sample, index) in samples.iter().zip(skipped..) {
                        let start = unpack(sample, part.file, part.before + index + 1)?;
                        varied.extend(self.of(&start, sample.result(), part.first + index));
                    }
                    Ok::<_, anyhow::Error>(varied)
                };
                thread::Builder::new().spawn_scoped(scope, work).context("cannot start a thread")
            });
            let parts: Vec<_> = parts.collect::<anyhow::Result<_>>()?;
            // A thread that panicked has no result; the scope passes the panic on.
            parts.into_iter().filter_map(|part| part.join().ok()).collect()
        })
    }

    /// The new positions for the one with this number, whose game had a result for the side to move.
    fn of(&self, start: &Position, result: f32, number: u64) -> Vec<Sample> {
        let winner = match (result, start.turn()) {
            (0.5, _) => None,
            (1.0, turn) => Some(turn),
            (_, turn) => Some(!turn),
        };
        let mut random = SplitMix64::stream(self.args.seed, number);
        (0..self.args.copies).filter_map(|_| self.one(start.clone(), winner, &mut random)).collect()
    }

    /// Plays random moves and scores what comes out; `None` if the side to move is in check or has no move, or if the
    /// score is too large.
    fn one(&self, mut position: Position, winner: Option<Color>, random: &mut SplitMix64) -> Option<Sample> {
        for _ in 0..1 + random.below(self.args.plies as usize) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.make_unchecked(moves[random.below(moves.len())]);
        }
        if position.in_check() || position.legal_moves().is_empty() {
            return None;
        }
        let score = self.model.value(&position).0;
        let most = i32::from(self.args.max_score).min(ORDINARY_MAX.0);
        (score.abs() <= most).then(|| Sample::new(&position, score as i16, winner))
    }
}
