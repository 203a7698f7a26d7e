//! `book export`: the lines of a book as PGN.

use super::open;
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::pgn::output::Output;
use anyhow::bail;
use bartizan_book::{Book, PolyglotKey};
use bartizan_notation::pgn::{PgnGame, PgnMove};
use bartizan_position::Position;
use std::collections::HashSet;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every line is a game, and the comment after a move has its weight in percent of the greatest one of the position. A
position that several lines reach is continued in the first of them.

Example:
  bartizan-tools book export openings.bin --out openings.pgn";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Book
    book: PathBuf,
    /// PGN file to write, also .gz, .bz2 and .zst [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of plies after which lines end
    #[arg(long, value_name = "PLIES", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    max_ply: u32,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    match &args.out {
        None => {
            export(&book, args.max_ply, interrupt, &mut |game| {
                crate::output::print(format_args!("{game}"))?;
                Ok(())
            })?;
        }
        Some(path) => {
            files::refuse_input(path, [&args.book])?;
            let mut file = Output::new(Some(path))?;
            let lines = export(&book, args.max_ply, interrupt, &mut |game| file.write(game.to_string().as_bytes()))?;
            file.commit()?;
            say!("{}: {lines} lines", path.display())?;
        }
    }
    Ok(())
}

/// Passes every line to `write`; returns their number.
fn export(
    book: &Book,
    max_ply: u32,
    interrupt: &Interrupt,
    write: &mut dyn FnMut(&PgnGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut seen = HashSet::new();
    let mut lines = 0;
    // The moves of a line, and for each position in it the moves that are still to be followed, best last.
    let mut line: Vec<PgnMove> = Vec::new();
    let mut positions = vec![Position::startpos()];
    let mut open: Vec<Vec<PgnMove>> = vec![moves(book, &positions[0], None)?];
    seen.insert(PolyglotKey::of(&positions[0]));
    while let (Some(position), Some(rest)) = (positions.last(), open.last_mut()) {
        let Some(next) = rest.pop() else {
            open.pop();
            positions.pop();
            line.pop();
            continue;
        };
        let (mv, after) = (next.mv, position.play_unchecked(next.mv));
        line.push(next);
        let is_new = line.len() < max_ply as usize && seen.insert(PolyglotKey::after(&after, Some(mv)));
        let replies = if is_new { moves(book, &after, Some(mv))? } else { Vec::new() };
        if replies.is_empty() {
            let mut game = PgnGame::default();
            lines += 1;
            game.set_tag("Event", "Opening book");
            game.set_tag("Round", lines.to_string());
            game.moves.clone_from(&line);
            write(&game)?;
            line.pop();
        } else {
            positions.push(after);
            open.push(replies);
        }
        if interrupt.is_set() {
            bail!(Interrupted(format!("after {lines} lines")));
        }
    }
    Ok(lines)
}

/// The moves of a position with their weights as comments, best last.
fn moves(book: &Book, position: &Position, last: Option<bartizan_types::Move>) -> anyhow::Result<Vec<PgnMove>> {
    let found = book.moves(position, last)?;
    let greatest = found.first().map_or(1, |best| u32::from(best.weight).max(1));
    let percent = |weight: u16| (100 * u32::from(weight)).div_ceil(greatest);
    let commented = |weight| Some(format!("weight: {}", percent(weight)));
    Ok(found.iter().rev().map(|found| PgnMove { comment: commented(found.weight), ..found.mv.into() }).collect())
}
