//! Work on this repository's own files; run as `cargo xtask <task>`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command-line program prints its results.

mod bench;
mod ci;
mod error;
mod files;
mod layers;
mod magics;
mod params;
mod perft_import;
mod perft_suite;
mod run;
mod wdl;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Work on the repository's own files.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Search the magic numbers of the slider tables and write crates/attacks/src/magics.rs
    Magics {
        /// Where the random numbers start; the same seed gives the same file
        #[arg(long, value_name = "N", default_value_t = magics::DEFAULT_SEED)]
        seed: u64,
        /// Write nothing; fail unless the file is what the seed in its header gives
        #[arg(long, conflicts_with = "seed")]
        check: bool,
    },
    /// Write the numbers of the evaluation, crates/eval/src/weights/values.rs, from testdata/tuning/weights.json
    Params {
        /// Write nothing; fail unless the file is what the weights give
        #[arg(long)]
        check: bool,
    },
    /// Write the numbers that turn values into chances, crates/eval/src/wdl/fitted.rs, from testdata/wdl/fit.json
    Wdl {
        /// Write nothing; fail unless the file is what the fit gives
        #[arg(long)]
        check: bool,
    },
    /// Run `bartizan bench` and say how many nodes it searched
    Bench {
        /// Fail unless the number is the one in testdata/bench.txt
        #[arg(long, conflicts_with = "write")]
        check: bool,
        /// Put the number into testdata/bench.txt
        #[arg(long)]
        write: bool,
    },
    /// Check the layers of the crates and that no generated file is stale
    Ci,
    /// Count the positions of testdata/perft with the release build
    PerftSuite(perft_suite::Suite),
    /// Make testdata/perft from a folder with tricky.perft, random.perft and chess960.perft
    PerftImport {
        /// The folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Magics { check: true, .. } => magics::check(),
        Task::Magics { seed, check: false } => magics::write(seed),
        Task::Params { check: true } => params::check(),
        Task::Params { check: false } => params::write(),
        Task::Wdl { check: true } => wdl::check(),
        Task::Wdl { check: false } => wdl::write(),
        Task::Bench { check, write } => bench::bench(match (check, write) {
            (true, _) => bench::Keep::Check,
            (false, true) => bench::Keep::Write,
            (false, false) => bench::Keep::Print,
        }),
        Task::Ci => ci::ci(|line| println!("{line}")),
        Task::PerftSuite(suite) => perft_suite::run(&suite).map(|()| "every count is right".to_owned()),
        Task::PerftImport { folder } => perft_import::import(&folder),
    };
    match done {
        Ok(what) => {
            println!("{what}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_fit_together() {
        Args::command().debug_assert();
        assert!(Args::try_parse_from(["xtask", "bench", "--check", "--write"]).is_err());
        assert!(Args::try_parse_from(["xtask", "magics", "--check", "--seed", "1"]).is_err());
    }
}
