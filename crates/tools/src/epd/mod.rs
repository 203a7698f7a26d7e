//! Position suites: tests, perft counts, depth, time to depth, mining.

mod depth;
mod measure;
mod mine;
mod perft;
mod plot;
mod report;
pub(crate) mod suite;
mod test;
mod ttd;

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use clap::Subcommand;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools epd test suite.epd --st 1
  bartizan-tools epd perft perft.epd --max-leaves 10000000
  bartizan-tools epd ttd positions.epd --depth 16 --threads 1,2,4";

/// The arguments of `epd`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Test how many positions of a suite an engine solves
    Test(Lazy<test::Args>),
    /// Check the perft counts of positions
    Perft(Lazy<perft::Args>),
    /// Compare the depths that engines reach
    Depth(Lazy<depth::Args>),
    /// Mine games for suite positions and prove their best moves
    Mine(Lazy<mine::Args>),
    /// Measure time to depth at several thread counts
    Ttd(Lazy<ttd::Args>),
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Test(Lazy(args)) => test::run(&args, interrupt),
        Command::Perft(Lazy(args)) => perft::run(&args, interrupt),
        Command::Depth(Lazy(args)) => depth::run(&args, interrupt),
        Command::Mine(Lazy(args)) => mine::run(&args, interrupt),
        Command::Ttd(Lazy(args)) => ttd::run(&args, interrupt),
    }
}
