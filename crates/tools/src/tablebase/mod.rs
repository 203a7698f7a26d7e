//! `tb`: queries Syzygy endgame tablebases, generates and queries distance-to-mate tables, and explains endings.

mod advise;
mod check;
mod endings;
mod generate;
mod positions;
mod probe;
mod stats;
mod verify;

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools tb probe --path /syzygy '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'
  bartizan-tools tb generate --tables tables all3 KQKR
  bartizan-tools tb advise --tables tables '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'";

/// The arguments of `tb`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explain an ending: result, moves, plan and best play
    Advise(Lazy<advise::Args>),
    /// Probe positions: result, distance, and the value of each move
    Probe(Lazy<probe::Args>),
    /// Check Syzygy files for missing and damaged ones
    Check(Lazy<check::Args>),
    /// Make distance-to-mate tables
    Generate(Lazy<generate::Args>),
    /// Verify distance-to-mate tables
    Verify(Lazy<verify::Args>),
    /// Show the results and longest mates of distance-to-mate tables
    Stats(Lazy<stats::Args>),
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Advise(Lazy(args)) => advise::run(args, interrupt),
        Command::Probe(Lazy(args)) => probe::run(args, interrupt),
        Command::Check(Lazy(args)) => check::run(args, interrupt),
        Command::Generate(Lazy(args)) => generate::run(args, interrupt),
        Command::Verify(Lazy(args)) => verify::run(args, interrupt),
        Command::Stats(Lazy(args)) => stats::run(args),
    }
}
