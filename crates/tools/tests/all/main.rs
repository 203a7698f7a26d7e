//! All integration tests in one program, because linking one per file would take longer than running them.

mod annotate;
mod board;
mod book;
mod commands;
mod common;
mod conduct;
mod eco;
mod epd;
mod errors;
#[cfg(feature = "parquet")]
mod export;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod output;
mod pgn;
mod positions;
mod puzzles;
mod report;
mod resume;
#[cfg(target_os = "linux")]
mod special;
mod tables;
mod trace;
mod training;
mod tune;
#[cfg(unix)]
mod untrusted;
mod wdl;
