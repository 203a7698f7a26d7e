//! `data filter`: takes positions of games.

use super::{PositionFile, Reading, print_summary};
use crate::files;
use crate::interrupt::Interrupt;
use bartizan_training::data::{Filter, FilterCounts, filter};
use std::fmt::Write as _;
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
    /// Print the counts as JSON, and no progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_input(&args.out, &args.files)?;
    let reading = Reading::new(&args.files, args.skip_errors, 1, args.json, interrupt)?;
    let mut out = PositionFile::new(&args.out)?;
    let settings = Filter {
        skip_plies: args.skip_plies,
        max_score: args.max_score,
        horizon: args.horizon,
        unit: args.unit,
        unit_out: args.unit_out.unwrap_or(args.unit),
        tactical: args.tactical,
    };
    let counts = reading.with(|source| filter(source, &settings, |sample| out.write(sample)))?;
    let is_direct = out.finish()?;
    print_summary(&if args.json { serde_json::to_string(&counts)? } else { text(&counts) }, is_direct)?;
    Ok(())
}

fn text(counts: &FilterCounts) -> String {
    let FilterCounts { games, skipped_games, positions, opening, in_check, tactical, decided, taken } = *counts;
    let share = |count: u64| 100.0 * count as f64 / positions.max(1) as f64;
    let mut text = format!("{games} games, {positions} positions\n");
    if skipped_games > 0 {
        let _ = writeln!(text, "{skipped_games} broken games skipped");
    }
    for (count, reason) in [
        (opening, "at the start of a game"),
        (in_check, "in check"),
        (tactical, "with a capture or a promotion as best move"),
        (decided, "with too large a score"),
        (taken, "taken"),
    ] {
        let _ = writeln!(text, "{count:>12}  {:>4.1} %  {reason}", share(count));
    }
    text
}
