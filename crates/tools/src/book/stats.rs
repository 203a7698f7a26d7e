//! `book stats`: summarises the contents of a book.

use super::open;
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use anyhow::{Context, bail};
use bartizan_book::{BookCounts, BookCoverage};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Example:
  bartizan-tools book stats openings.bin";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Book
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    let counts = book.count().with_context(|| files::cannot_read(&args.book))?;
    let BookCounts { positions, most_moves, never_played } = counts;
    let reached = book.reach(|| interrupt.is_set())?;
    if interrupt.is_set() {
        bail!(Interrupted(format!("after {} positions", reached.positions)));
    }
    let moves = book.len();
    if args.json {
        let all = json!({
            "positions": positions, "moves": moves, "bytes": moves * 16, "most_moves": most_moves,
            "never_played": never_played,
            "reached_positions": reached.positions, "reached_moves": reached.moves, "plies": reached.plies,
        });
        return Ok(say!("{all:#}")?);
    }
    say!("{positions} positions, {moves} moves, {} bytes", moves * 16)?;
    say!(
        "{:.2} moves per position, at most {most_moves}; {never_played} are never played",
        moves as f64 / positions as f64
    )?;
    let BookCoverage { positions, moves, plies } = reached;
    say!("from the starting position: {positions} positions, {moves} legal moves, lines of up to {plies} plies")?;
    Ok(())
}
