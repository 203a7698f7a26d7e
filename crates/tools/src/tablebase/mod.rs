//! `tb`: queries Syzygy endgame tablebases.

mod probe;

use clap::Subcommand;
use std::process::ExitCode;

/// The arguments of `tb`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Probe positions: result, distance to zeroing, and the rank of each move
    Probe(probe::Args),
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Probe(args) => probe::run(args),
    }
}
