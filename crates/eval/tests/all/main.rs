//! The integration tests in one program: to link one for each file would take longer than to run them.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

mod allocations;
mod kpk;
mod random_games;
