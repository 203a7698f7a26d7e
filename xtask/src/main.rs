//! Maintenance tasks of this repository: `cargo xtask <task>`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command-line program prints its results.

mod bench;
mod book;
mod ci;
mod dist;
mod error;
mod examples;
mod faults;
mod files;
mod fuzz;
mod generated;
#[cfg(test)]
mod hooks;
mod instructions;
mod layers;
mod learning;
mod levels;
mod line_ends;
mod links;
mod magics;
mod measure;
mod network;
mod opens;
mod params;
mod paths;
mod published;
mod python;
mod run;
mod shown;
mod supply;
mod unused;
mod wdl;
mod web;
mod width;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The exit status of a task that cannot run here, which .ci/run reports as skipped.
const SKIPPED: u8 = 77;

/// Maintain the generated files, the test data and the rules of this repository
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", term_width = 80)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Find the magic numbers of the slider tables and write them to crates/attacks/src/magics.txt
    Magics {
        /// Seed of the random numbers; the same seed gives the same file
        #[arg(long, value_name = "N", default_value_t = magics::DEFAULT_SEED)]
        seed: u64,
        /// Only check that the file matches the seed in its header
        #[arg(long, conflicts_with = "seed")]
        check: bool,
    },
    /// Write crates/eval/src/weights/values.txt from testdata/tuning/weights.json
    Params {
        /// Only check that the file matches the weights
        #[arg(long)]
        check: bool,
    },
    /// Write crates/eval/src/wdl/fitted.rs from testdata/wdl/fit.json
    Wdl {
        /// Only check that the file matches the fit
        #[arg(long)]
        check: bool,
    },
    /// Build crates/book/built-in.bin from testdata/book
    Book(book::Book),
    /// Describe crates/network/built-in.bin in testdata/network/SOURCE.md
    Network {
        /// Only check that the file matches SOURCE.md
        #[arg(long)]
        check: bool,
    },
    /// Run `bartizan bench` and print its node count
    Bench(bench::Bench),
    /// Run the examples of README.md and docs/
    Examples(examples::Examples),
    /// Run the short measurements and rewrite their tables in README.md and docs/measurements.md
    Measure(measure::Measure),
    /// Measure how far position learning guides a shallow search
    Learning(learning::Learning),
    /// Measure the limited levels of play: strength, conduct, endings, time
    Levels(levels::Levels),
    /// Count the instructions of perft, evaluation, search and notation with valgrind
    Instructions(instructions::Instructions),
    /// Kill long-running programs, fill the disk and more, and check their files
    Faults(faults::Faults),
    /// Build the release archive for this platform, with profile-guided optimisation
    Dist(dist::Dist),
    /// Build the npm package of web/
    Web(web::Web),
    /// Write python/NOTICES.txt, the licences that a wheel or source distribution contains
    Python,
    /// Check layers, line width, links and generated files
    Ci,
    /// Check the width of the lines of Rust files
    Width(width::Width),
    /// Run the fuzz targets of fuzz/, with a nightly toolchain and cargo-fuzz
    Fuzz(fuzz::Fuzz),
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Magics { check: true, .. } => magics::check(),
        Task::Magics { seed, check: false } => magics::write(seed),
        Task::Params { check: true } => params::check(),
        Task::Params { check: false } => params::write(),
        Task::Wdl { check: true } => wdl::check(),
        Task::Wdl { check: false } => wdl::write(),
        Task::Book(options) => book::run(&options),
        Task::Network { check: true } => network::check(),
        Task::Network { check: false } => network::write(),
        Task::Bench(bench) => bench::run(&bench),
        Task::Examples(pages) => examples::run(&pages, |line| println!("{line}")),
        Task::Measure(measure) => measure::run(&measure),
        Task::Learning(options) => learning::run(&options, |line| eprintln!("{line}")),
        Task::Levels(options) => levels::run(&options, &|line| eprintln!("{line}")),
        Task::Instructions(options) => instructions::run(&options, |line| println!("{line}")),
        Task::Faults(options) => faults::run(&options, |line| println!("{line}")),
        Task::Dist(options) => dist::run(&options, |line| println!("{line}")),
        Task::Web(options) => web::run(&options, |line| eprintln!("{line}")),
        Task::Python => python::run(),
        Task::Ci => ci::ci(|line| println!("{line}")),
        Task::Width(width) => width::run(&width),
        Task::Fuzz(args) => fuzz::fuzz(&args, |line| eprintln!("{line}")),
    };
    match done {
        Ok(what) => {
            println!("{what}");
            ExitCode::SUCCESS
        }
        Err(error::Error::Skipped(why)) => {
            println!("SKIPPED: {why}");
            ExitCode::from(SKIPPED)
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
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
        assert!(Args::try_parse_from(["xtask", "bench", "--check", "--write"]).is_err());
        assert!(Args::try_parse_from(["xtask", "magics", "--check", "--seed", "1"]).is_err());
    }
}
