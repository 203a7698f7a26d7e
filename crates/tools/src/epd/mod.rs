//! Position suites: tests, perft counts, depth, time to depth, mining.

mod depth;
mod mine;
mod perft;
mod plot;
mod report;
mod solver;
mod suite;
mod test;
mod ttd;

use crate::interrupt::Interrupt;
use clap::Subcommand;
use std::process::ExitCode;

/// The arguments of `epd`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Test how many positions of a suite an engine solves
    Test(test::Args),
    /// Count the leaves of each position and compare with the counts in the file
    Perft(perft::Args),
    /// Compare the depths that engines reach
    Depth(depth::Args),
    /// Find positions for a suite in games, and prove their best moves
    Mine(mine::Args),
    /// Measure time to depth at several thread counts
    Ttd(ttd::Args),
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Test(args) => test::run(&args, interrupt),
        Command::Perft(args) => perft::run(&args, interrupt),
        Command::Depth(args) => depth::run(&args, interrupt),
        Command::Mine(args) => mine::run(&args, interrupt),
        Command::Ttd(args) => ttd::run(&args, interrupt),
    }
}
