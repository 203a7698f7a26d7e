//! `book stats`: what a book contains.

use super::open;
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use anyhow::{Context, bail};
use bartizan_book::{Book, PolyglotKey};
use bartizan_position::Position;
use bartizan_types::Move;
use serde_json::json;
use std::collections::{HashSet, VecDeque};
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
    let context = || files::cannot_read(&args.book);
    let (mut positions, mut most, mut same, mut never) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut last = None;
    for entry in &book {
        let entry = entry.with_context(context)?;
        same = if last == Some(entry.key) { same + 1 } else { 1 };
        positions += u64::from(same == 1);
        most = most.max(same);
        never += u64::from(entry.weight == 0);
        last = Some(entry.key);
    }
    let reached = reach(&book, interrupt)?;
    let moves = book.len();
    if args.json {
        let all = json!({
            "positions": positions, "moves": moves, "bytes": moves * 16, "most_moves": most, "never_played": never,
            "reached_positions": reached.positions, "reached_moves": reached.moves, "plies": reached.plies,
        });
        say!("{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    say!("{positions} positions, {moves} moves, {} bytes", moves * 16)?;
    say!("{:.2} moves per position, at most {most}; {never} are never played", moves as f64 / positions as f64)?;
    let Reached { positions, moves, plies } = reached;
    say!("from the starting position: {positions} positions, {moves} legal moves, lines of up to {plies} plies")?;
    Ok(())
}

/// What can be reached from the starting position by moves of the book.
struct Reached {
    positions: u64,
    moves: u64,
    plies: u32,
}

fn reach(book: &Book, interrupt: &Interrupt) -> anyhow::Result<Reached> {
    let mut reached = Reached { positions: 0, moves: 0, plies: 0 };
    let mut seen = HashSet::new();
    let mut queue: VecDeque<(Position, Option<Move>, u32)> = VecDeque::from([(Position::startpos(), None, 0)]);
    while let Some((position, last, ply)) = queue.pop_front() {
        if !seen.insert(PolyglotKey::after(&position, last)) {
            continue;
        }
        let moves = book.moves(&position, last)?;
        if moves.is_empty() {
            continue;
        }
        reached.positions += 1;
        reached.moves += moves.len() as u64;
        reached.plies = reached.plies.max(ply + 1);
        queue.extend(moves.iter().map(|found| (position.play_unchecked(found.mv), Some(found.mv), ply + 1)));
        if interrupt.is_set() {
            bail!(Interrupted(format!("after {} positions", reached.positions)));
        }
    }
    Ok(reached)
}
