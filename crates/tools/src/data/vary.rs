//! `data vary`: makes new positions with cheap scores from existing ones.

use super::{Reading, finish, position_file};
use crate::files::{self, cannot_write};
use crate::interrupt::Interrupt;
use crate::selfplay::EvaluationChoice;
use crate::threads::parse_threads;
use anyhow::Context;
use bartizan_training::data::{Variations, vary};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
A network that first learns what an evaluation says of very many positions needs fewer positions with the score of a
search after that (`train --start`). The evaluation is the hand-written one, a network, or both. The random moves also
show positions that games do not have and searches evaluate all the time: pieces stand badly or hang.

Example:
  bartizan-tools data vary train.pos --copies 8 --out varied.pos";

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
    let &Args { copies, plies, max_score, seed, threads, .. } = args;
    let model = args.evaluation.unwrap_or(default).model(args.eval_file.as_deref())?;
    let variations = Variations { model, copies, plies, max_score, seed, threads };
    let reading = Reading::new(&args.files, false, 1, args.json, interrupt)?;
    let mut out = position_file(&args.out)?;
    let mut written = 0_u64;
    let write = |sample| {
        written += 1;
        out.write(sample).with_context(|| cannot_write(&args.out))
    };
    let read = reading.with(|source| vary(source, &variations, write))?;
    let summary = if args.json {
        serde_json::json!({ "read": read, "positions": written }).to_string()
    } else {
        format!("{written} positions from {read}")
    };
    finish(out, &summary)
}
