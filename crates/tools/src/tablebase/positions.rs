//! The positions that a command is asked about.

use anyhow::Context;
use std::io::{BufRead, stdin};

/// Calls `work` with each FEN of the command line or, if there is none, with each line of standard input that is not
/// blank, as soon as it is read. Ends with the first error.
pub(super) fn for_each(fens: &[String], mut work: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if !fens.is_empty() {
        return fens.iter().try_for_each(|fen| work(fen));
    }
    for line in stdin().lock().lines() {
        let line = line.context("cannot read standard input")?;
        if !line.trim().is_empty() {
            work(line.trim())?;
        }
    }
    Ok(())
}
