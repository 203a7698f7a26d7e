//! Black-box tests of the xboard front end: they start the real program and talk to it through pipes, like a client.
//!
//! Every wait has a deadline, so a hang is a failure. No test asserts the speed of an answer, and none sleeps in order
//! to pass.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed; the harness is test code too")]

mod support;

mod analysis;
mod arasan;
mod book;
mod chess960;
mod clocks;
mod command_line;
mod console;
mod handshake;
mod learning;
mod levels;
mod moves;
mod ping;
mod play;
mod ponder;
mod position;
mod resign_draw;
mod sequences;
mod server;
mod syzygy;
mod trace;
