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

/// The arguments of `tb`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explain an ending: result, moves, the plan in words, best play
    Advise(Lazy<advise::Args>),
    /// Probe positions: result, distance to zeroing or to mate, and the value of each move
    Probe(Lazy<probe::Args>),
    /// Check Syzygy files: what there is, what is missing, what is broken
    Check(Lazy<check::Args>),
    /// Make distance-to-mate tables
    Generate(Lazy<generate::Args>),
    /// Verify distance-to-mate tables
    Verify(Lazy<verify::Args>),
    /// Show results and longest mates of distance-to-mate tables
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
