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
A network pre-trained on the static evaluation of many positions needs fewer
positions with search scores afterwards (`train --start`). The evaluation is the
hand-written one, a network, or both. Random moves also produce positions that
are rare in games and common in searches, with misplaced or hanging pieces.

Example:
  bartizan-tools data vary train.pos --copies 8 --out varied.pos";

/// The arguments of `data vary`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Position files written by `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Output file for the new positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Network for the scores [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Evaluation function for the scores [default: network with --eval-file, otherwise classical]
    #[arg(long)]
    evaluation: Option<EvaluationChoice>,
    /// Number of new positions per position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    copies: u32,
    /// Maximum number of random moves to a new position; at least one is played
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Maximum score, in internal centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..))]
    max_score: u16,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads, which does not affect the result; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print the count as JSON, without progress
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
