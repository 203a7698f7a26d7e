//! Starts the program and talks to it.

#![allow(dead_code, unused_imports, reason = "each test uses one of its parts")]

mod assistant;
mod board;

use std::process::{Command, Stdio};
use std::time::Duration;

pub use assistant::Assistant;
pub use board::{Board, Socket};

/// The longest wait for an answer.
const WAIT: Duration = Duration::from_secs(20);

/// The program with arguments.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bartizan-server"));
    command.args(args).stdin(Stdio::null());
    command
}
