//! `pgn`: works on collections of games.

mod annotate;
mod contradiction;
mod dedup;
mod export;
mod filter;
mod label;
pub(crate) mod output;
mod select;
mod sort;
mod split;
mod stats;

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use bartizan_games::{Identity, tags};
use bartizan_notation::pgn::{PgnGame, RawGame};
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

/// What tells whether games are equal, with `same_players` also by the names of the players. `None` for a game without
/// moves of which it is not known who has played it: it equals no other.
fn identity(raw: &RawGame, game: &PgnGame, same_players: bool) -> Option<Identity> {
    let are_known = || ["White", "Black"].iter().all(|name| tags::known(raw, name).is_some());
    if game.moves.is_empty() && !(same_players && are_known()) {
        return None;
    }
    let identity = Identity::of(game);
    if !same_players {
        return Some(identity);
    }
    let names = ["White", "Black"].map(|name| tags::value(raw, name).unwrap_or_default());
    Some(identity.with(names.iter().map(AsRef::as_ref)))
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and what is wrong with it.
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
