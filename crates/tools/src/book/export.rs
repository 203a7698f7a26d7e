//! `book export`: the lines of a book as PGN.

use super::open;
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::pgn::output::Output;
use anyhow::bail;
use bartizan_book::Book;
use bartizan_notation::pgn::PgnGame;
use bartizan_types::Escaped;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Each line is a game. The comment after a move holds its weight, in percent of
the position's greatest weight. A position that several lines reach is continued
only in the first of them.

Example:
  bartizan-tools book export openings.bin --out openings.pgn";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Book
    book: PathBuf,
    /// PGN output file, also as .gz, .bz2 or .zst [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Maximum length of a line
    #[arg(long, value_name = "PLIES", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    max_ply: u32,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    match &args.out {
        None => {
            export(&book, args.max_ply, interrupt, |game| Ok(crate::output::print(format_args!("{game}"))?))?;
        }
        Some(path) => {
            files::refuse_input(path, [&args.book])?;
            let mut file = Output::new(Some(path))?;
            let lines = export(&book, args.max_ply, interrupt, |game| file.write(game.to_string().as_bytes()))?;
            file.commit()?;
            say!("{}: {lines} lines", Escaped(path.display()))?;
        }
    }
    Ok(())
}

/// Passes every line to `write`; returns the number of lines.
fn export(
    book: &Book,
    max_ply: u32,
    interrupt: &Interrupt,
    mut write: impl FnMut(&PgnGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut lines = 0;
    for line in book.lines(max_ply as usize)? {
        let mut game = PgnGame::default();
        game.moves = line?;
        lines += 1;
        game.set_tag("Event", "Opening book")?;
        game.set_tag("Round", lines.to_string())?;
        write(&game)?;
        if interrupt.is_set() {
            bail!(Interrupted(format!("after {lines} lines")));
        }
    }
    Ok(lines)
}
