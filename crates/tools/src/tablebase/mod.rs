//! Endgame tablebases: what they say about positions.

mod probe;

use clap::Subcommand;
use std::process::ExitCode;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say who wins, how far it is, and how good each move is
    Probe(probe::Args),
}

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Probe(args) => probe::run(args),
    }
}
