//! `pgn`: works on collections of games.

mod contradiction;
mod dedup;
mod export;
mod filter;
mod label;
mod output;
mod select;
mod sort;
mod split;
mod stats;

use crate::interrupt::Interrupt;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools pgn filter games.pgn --player carlsen --min-rating 2700 --out best.pgn
  bartizan-tools pgn dedup a.pgn b.pgn.zst --out all.pgn
  bartizan-tools pgn sort all.pgn --by date,event,round --out all.pgn
  bartizan-tools pgn split all.pgn --games 10000 --out 'part-{}.pgn'
  bartizan-tools pgn stats all.pgn";

/// The arguments of `pgn`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Copy the games that fulfil conditions
    Filter(Box<filter::Args>),
    /// Remove games that are there more than once
    Dedup(dedup::Args),
    /// Sort games
    Sort(sort::Args),
    /// Count results, players, openings and more
    Stats(stats::Args),
    /// Choose random positions of games, with their results
    Select(select::Args),
    /// Play out positions with an engine, and note the results
    Label(Box<label::Args>),
    /// Split games into several files
    Split(split::Args),
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and what is wrong with it.
pub fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Filter(args) => filter::run(args, interrupt)?,
        Command::Dedup(args) => dedup::run(args, interrupt)?,
        Command::Sort(args) => sort::run(args, interrupt)?,
        Command::Stats(args) => stats::run(args, interrupt)?,
        Command::Select(args) => select::run(args, interrupt)?,
        Command::Label(args) => return label::run(args, interrupt),
        Command::Split(args) => split::run(args, interrupt)?,
    }
    Ok(ExitCode::SUCCESS)
}
