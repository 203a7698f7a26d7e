//! Tools for chess engine development: the implementation of the program `bartizan-tools`.

mod analyser;
mod board;
mod book;
pub mod cli;
mod data;
mod eco;
mod epd;
mod files;
mod games;
mod input;
pub mod interrupt;
mod lazy;
mod learn;
mod matches;
pub mod output;
#[cfg(feature = "pages")]
mod pages;
mod paired;
mod pgn;
mod progress;
mod puzzles;
mod records;
mod repertoire;
mod report;
mod resume;
mod review;
mod screen;
mod selfplay;

mod spsa;
mod tablebase;
mod threads;
mod trace;
mod train;
mod tune;
mod wdl;
