//! Position suites: solve them, count their moves, measure time to depth.

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

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find the best moves of a suite (bm, am, dm, points in c-opcodes)
    Test(test::Args),
    /// Count the leaves of each position and compare with D1, D2 … in the file
    Perft(perft::Args),
    /// Measure time to depth, nodes and nodes per second at several thread counts
    Ttd(ttd::Args),
}

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Test(args) => test::run(&args, interrupt),
        Command::Perft(args) => perft::run(&args, interrupt),
        Command::Ttd(args) => ttd::run(&args, interrupt),
    }
}
