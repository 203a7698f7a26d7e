#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
mod mcp;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Serve Bartizan's board to the browser, or chess to an assistant
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Open the board in the browser, with the native engine
    Board(board::Options),
    /// Give chess to a language-model assistant, on standard input and output
    Mcp(mcp::Options),
}

fn main() -> ExitCode {
    let Arguments { task } = Arguments::parse();
    let done = match task {
        Task::Board(options) => board::run(options),
        Task::Mcp(options) => mcp::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
