//! The integration tests in one program, because linking one for each file would take longer than running them.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

mod allocations;
mod kpk;
mod random_games;
