//! `data filter`: selects positions from games.

use super::{Reading, finish, position_file};
use crate::files::{self, cannot_write};
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_training::data::{Filter, FilterCounts, filter};
use std::path::PathBuf;

const EXAMPLE: &str = "\
A static evaluation should not learn what only a search can see: positions in check, and positions whose best move takes
something or promotes, are left out.

Example:
  bartizan-tools data filter train.bin --max-score 2000 --out train.pos";

/// The arguments of `data filter`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of games of `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// File for the positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of plies to skip at the start of each game; the random plies before it do not count
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Score above which a position is left out, in internal centipawns
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000, value_parser = clap::value_parser!(u16).range(1..))]
    max_score: u16,
    /// Mix each score with those of the following plies, N of them on average, and with the result of the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    horizon: u16,
    /// Internal centipawns of the games' scores that make one unit of the logistic curve of expected points
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    unit: u16,
    /// The same for the scores to write: other than `--unit`, it stretches them [default: that of --unit]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u16).range(1..))]
    unit_out: Option<u16>,
    /// Take positions whose best move is a capture or a promotion, too
    #[arg(long)]
    tactical: bool,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// The last game of a file may be incomplete, because it is still being written
    #[arg(long)]
    partial: bool,
    /// Print the counts as JSON, and no progress
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
