//! Explains a position: `cargo run -p bartizan-eval --example explain -- "FEN"`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A program for the terminal: printing is its output.

use bartizan_position::Position;
use std::process::ExitCode;

fn main() -> ExitCode {
    let fen = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let position = if fen.is_empty() { Ok(Position::startpos()) } else { Position::from_fen(&fen) };
    match position {
        Ok(position) => {
            println!("{}\n{}", position.diagram(), bartizan_eval::explain(&position));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
