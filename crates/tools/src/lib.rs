//! Tools for chess engine development: the implementation of the program `bartizan-tools`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // The front end of a program for the terminal.

mod chart;
pub mod cli;
pub mod epd;
mod files;
pub mod interrupt;
pub mod learn;
pub mod matches;
mod paired;
mod random;
mod records;
pub mod screen;
pub mod selfplay;
pub mod spsa;
pub mod tablebase;
pub mod tune;
pub mod wdl;
