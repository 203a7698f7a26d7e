//! `data stats`: counts the contents of data files.

use super::Reading;
use crate::interrupt::Interrupt;
use crate::output::{say, say_part};
use crate::records::CUT_OFF;
use anyhow::ensure;
use bartizan_training::data::stats;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Scores are in internal centipawns, for the side to move. Positions are the same
if board, side to move, castling rights and en passant square agree; beyond a
million positions, a sample is counted.

Example:
  bartizan-tools data stats games.bin shuffled.pos";

/// The arguments of `data stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Game files written by `selfplay`, or position files by `data filter`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Skip broken games
    #[arg(long)]
    skip_errors: bool,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    partial: bool,
    /// Print the counts as JSON, without progress
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    // What is before the end of a cut file is shown in any case.
    let reading = Reading::new(&args.files, args.skip_errors, 1, args.json, interrupt)?.partial(true);
    let counts = reading.with(|source| Ok(stats(source)?))?;
    if args.json { say!("{}", serde_json::to_string(&counts)?) } else { say_part!("{counts}") }?;
    ensure!(args.partial || !reading.is_cut.get(), CUT_OFF);
    Ok(())
}
