//! `data filter`: selects positions from games.

use super::{Reading, finish, position_file};
use crate::files::{self, cannot_write};
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_training::data::{Filter, FilterCounts, filter};
use std::path::PathBuf;

const EXAMPLE: &str = "\
Skips positions in check and positions whose best move is a capture or a
promotion: a static evaluation should not learn what only a search can see.

Example:
  bartizan-tools data filter train.bin --max-score 2000 --out train.pos";

/// The arguments of `data filter`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Game files written by `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// Output file for the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of plies to skip at the start of each game, after its random plies
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Maximum score, in internal centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..))]
    max_score: u16,
    /// Average number of following plies whose scores are mixed into each score, with the result of the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    horizon: u16,
    /// Scale of the games' scores: internal centipawns per unit of the logistic curve of expected points
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    unit: u16,
    /// Scale of the scores to write; a value other than --unit stretches them [default: that of --unit]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(1..))]
    unit_out: Option<u16>,
    /// Also take positions whose best move is a capture or a promotion
    #[arg(long)]
    tactical: bool,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    partial: bool,
    /// Print the counts as JSON, without progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_input(&args.out, &args.files)?;
    let reading = Reading::new(&args.files, args.skip_errors, 1, args.json, interrupt)?.partial(args.partial);
    let mut out = position_file(&args.out)?;
    let settings = Filter {
        skip_plies: args.skip_plies,
        max_score: args.max_score,
        horizon: args.horizon,
        unit: args.unit,
        unit_out: args.unit_out.unwrap_or(args.unit),
        tactical: args.tactical,
    };
    let write = |sample| out.write(sample).with_context(|| cannot_write(&args.out));
    let mut counts = FilterCounts::default();
    reading.with(|source| filter(source, &settings, &mut counts, write))?;
    finish(out, &if args.json { serde_json::to_string(&counts)? } else { counts.to_string() })
}
