//! `bartizan-tools`: see `--help`.
#![allow(clippy::print_stderr)] // A program for the terminal: printing is its output.

use bartizan_tools::cli::Cli;
use bartizan_tools::interrupt::Interrupt;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match Interrupt::listen().and_then(|interrupt| cli.run(&interrupt)) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
