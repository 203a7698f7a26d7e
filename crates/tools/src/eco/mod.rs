//! `eco`: names openings.

mod classify;
mod compare;
mod line;
mod list;

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use bartizan_book::eco::Opening;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools eco classify games.pgn --out named.pgn
  bartizan-tools eco classify games.pgn.zst --out named.pgn.gz
  bartizan-tools eco lookup 1. Nf3 c5 2. e4
  bartizan-tools eco list --code B9 --name english";

/// The arguments of `eco`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tag the games of a PGN file with ECO, Opening and Variation
    Classify(Lazy<classify::Args>),
    /// Compare the ECO tags of a PGN file with the table
    Compare(Lazy<compare::Args>),
    /// List the openings of the table
    List(Lazy<list::Args>),
    /// Name the opening of a position or a line of moves
    Lookup(Lazy<line::Args>),
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and the problem. A broken game is only a warning.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Classify(Lazy(args)) => classify::run(args, interrupt),
        Command::Compare(Lazy(args)) => compare::run(args, interrupt),
        Command::List(Lazy(args)) => list::run(args),
        Command::Lookup(Lazy(args)) => line::run(args),
    }
}

/// The number of plies read from a game. The longest line of the table has 36; this leaves room for lost tempi.
const PLIES: usize = 100;

/// An opening as JSON.
fn to_json(opening: &Opening) -> serde_json::Value {
    serde_json::json!({
        "eco": opening.code(),
        "opening": opening.opening(),
        "variation": opening.variation(),
        "moves": opening.moves(),
    })
}
