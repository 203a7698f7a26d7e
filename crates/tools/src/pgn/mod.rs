//! `pgn`: works on collections of games.

mod split;

use crate::interrupt::Interrupt;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools pgn split games.pgn --games 10000 --out 'part-{}.pgn'";

/// The arguments of `pgn`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Split games into several files
    Split(split::Args),
}

/// Runs the command.
///
/// # Errors
/// Names the file or the argument, and what is wrong with it.
pub fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Split(args) => split::run(args, interrupt)?,
    }
    Ok(ExitCode::SUCCESS)
}
