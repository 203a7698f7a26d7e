//! `pgn`: processes collections of games.

mod annotate;
mod dedup;
mod filter;
mod label;
pub(crate) mod output;
mod select;
mod sort;
mod split;
mod stats;

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools pgn filter games.pgn --player carlsen --min-rating 2700 --out best.pgn
  bartizan-tools pgn dedup a.pgn b.pgn.zst --out all.pgn
  bartizan-tools pgn sort all.pgn --by date,event,round --out all.pgn
  bartizan-tools pgn split all.pgn --games 10000 --out 'part-{}.pgn'
  bartizan-tools pgn stats all.pgn
  bartizan-tools pgn annotate all.pgn --nodes 100000 --concurrency auto --out annotated.pgn";

/// The arguments of `pgn`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Copy the games that fulfil conditions
    Filter(Lazy<Box<filter::Args>>),
    /// Remove games that are there more than once
    Dedup(Lazy<dedup::Args>),
    /// Sort games
    Sort(Lazy<sort::Args>),
    /// Count results, players, openings and more
    Stats(Lazy<stats::Args>),
    /// Choose random positions of games, with their results
    Select(Lazy<select::Args>),
    /// Play out positions with an engine, and note the results
    Label(Lazy<Box<label::Args>>),
    /// Write an engine's evaluations, marks and better lines into games
    Annotate(Lazy<Box<annotate::Args>>),
    /// Split games into several files
    Split(Lazy<split::Args>),
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and the problem.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Filter(Lazy(args)) => filter::run(args, interrupt)?,
        Command::Dedup(Lazy(args)) => dedup::run(args, interrupt)?,
        Command::Sort(Lazy(args)) => sort::run(args, interrupt)?,
        Command::Stats(Lazy(args)) => stats::run(args, interrupt)?,
        Command::Select(Lazy(args)) => select::run(args, interrupt)?,
        Command::Label(Lazy(args)) => return label::run(args, interrupt),
        Command::Annotate(Lazy(args)) => annotate::run(args, interrupt)?,
        Command::Split(Lazy(args)) => split::run(args, interrupt)?,
    }
    Ok(ExitCode::SUCCESS)
}
