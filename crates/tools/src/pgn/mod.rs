//! `pgn`: processes collections of games.

mod agreement;
mod annotate;
mod bands;
mod conduct;
mod dedup;
#[cfg(feature = "parquet")]
mod export;
mod filter;
#[cfg(feature = "parquet")]
mod find;
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
  bartizan-tools pgn annotate games.pgn --nodes 100000 --out annotated.pgn
  bartizan-tools pgn filter games.pgn --player carlsen --out carlsen.pgn
  bartizan-tools pgn dedup a.pgn b.pgn.zst --out all.pgn
  bartizan-tools pgn sort all.pgn --by date,event,round --out all.pgn
  bartizan-tools pgn split all.pgn --games 10000 --out 'part-{}.pgn'
  bartizan-tools pgn stats all.pgn";

/// The arguments of `pgn`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Copy the games that match conditions
    Filter(Lazy<Box<filter::Args>>),
    /// Remove duplicate games
    Dedup(Lazy<dedup::Args>),
    /// Sort games
    Sort(Lazy<sort::Args>),
    /// Count results, players, openings and more
    Stats(Lazy<stats::Args>),
    /// Sample random positions from games, with their results
    Select(Lazy<select::Args>),
    /// Play out positions with an engine and record the results
    Label(Lazy<Box<label::Args>>),
    /// Annotate games: evaluations, marked mistakes, better lines
    Annotate(Lazy<Box<annotate::Args>>),
    /// Count how players err: pieces left, mates missed, losses, by rating or name
    Conduct(Lazy<Box<conduct::Args>>),
    /// Measure how often engines choose the moves that people played, by rating
    Agreement(Lazy<Box<agreement::Args>>),
    /// Split games into several files
    Split(Lazy<split::Args>),
    /// Write games as Parquet files for databases and data frames
    #[cfg(feature = "parquet")]
    Export(Lazy<export::Args>),
    /// Find the games of an export that reach a position or material
    #[cfg(feature = "parquet")]
    Find(Lazy<find::Args>),
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
        Command::Conduct(Lazy(args)) => conduct::run(args, interrupt)?,
        Command::Agreement(Lazy(args)) => agreement::run(args, interrupt)?,
        Command::Split(Lazy(args)) => split::run(args, interrupt)?,
        #[cfg(feature = "parquet")]
        Command::Export(Lazy(args)) => export::run(args, interrupt)?,
        #[cfg(feature = "parquet")]
        Command::Find(Lazy(args)) => find::run(args, interrupt)?,
    }
    Ok(ExitCode::SUCCESS)
}
