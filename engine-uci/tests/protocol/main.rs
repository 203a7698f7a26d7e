//! Black-box tests of the UCI front end: they start the real program and talk to it through pipes, like a GUI.
//!
//! Every wait has a deadline, so a hang is a failure. No test asserts the speed of an answer, and none sleeps in order
//! to pass. `BARTIZAN_TEST_ENGINE=/path/to/engine` runs the same tests against another engine, to check the tests
//! themselves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed; the harness is test code too")]

mod support;

mod book;
mod chess960;
mod clocks;
mod command_line;
mod console;
mod files;
mod handshake;
mod input;
mod levels;
mod lifetime;
mod limits;
mod lines;
#[cfg(target_os = "linux")]
mod memory;
mod network;
mod options;
mod perft;
mod play;
mod ponder;
mod position;
mod review;
mod sequences;
mod stop;
mod syzygy;
#[cfg(target_os = "linux")]
mod terminal;
mod threads;
mod trace;
