//! Tools for chess engine development: the implementation of the program `bartizan-tools`.

pub mod board;
pub mod book;
mod chart;
pub mod cli;
pub mod data;
pub mod eco;
pub mod epd;
mod files;
mod games;
mod input;
pub mod interrupt;
mod lazy;
pub mod learn;
pub mod matches;
pub mod output;
#[cfg(feature = "pages")]
pub mod pages;
mod paired;
pub mod pgn;
mod progress;
mod random;
mod records;
mod resume;
pub mod screen;
mod searcher;
pub mod selfplay;
mod solver;
pub mod spsa;
pub mod tablebase;
mod threads;
pub mod train;
pub mod tune;
pub mod wdl;
