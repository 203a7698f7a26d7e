//! `book`: builds, shows and compares opening books.

mod build;
mod check;
mod compare;
mod expand;
mod export;
mod grow;
mod played;
mod scores;
mod show;
mod stats;

use crate::files::NewFile;
use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
use anyhow::Context;
use bartizan_book::{Book, BookEntry};
use bartizan_types::Escaped;
use clap::Subcommand;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools book build games.pgn --out games.bin
  bartizan-tools book show games.bin e4 c5 Nf3";

/// The arguments of `book`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build a book from games
    Build(Lazy<build::Args>),
    /// Show the moves of a book in a position
    Show(Lazy<show::Args>),
    /// Count the positions and moves of a book
    Stats(Lazy<stats::Args>),
    /// Export the lines of a book as PGN for `book build --annotated`
    Export(Lazy<export::Args>),
    /// Search every position of a book and list the worst
    Check(Lazy<check::Args>),
    /// Extend opening lines with the engine, for `book build`
    Grow(Lazy<grow::Args>),
    /// Make a book from opening lines by searching every position
    Expand(Lazy<expand::Args>),
    /// Check games that engines played from a book
    Played(Lazy<played::Args>),
    /// Compare two books
    Diff(Lazy<compare::DiffArgs>),
    /// Merge books, such as those built from parts of a collection
    Merge(Lazy<compare::MergeArgs>),
}

/// Runs the command.
///
/// # Errors
/// Names the file and the problem.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    match &args.command {
        Command::Build(Lazy(args)) => build::run(args, interrupt)?,
        Command::Show(Lazy(args)) => show::run(args)?,
        Command::Stats(Lazy(args)) => stats::run(args, interrupt)?,
        Command::Export(Lazy(args)) => export::run(args, interrupt)?,
        Command::Check(Lazy(args)) => return check::run(args, interrupt),
        Command::Grow(Lazy(args)) => grow::run(args, interrupt)?,
        Command::Expand(Lazy(args)) => expand::run(args, interrupt)?,
        Command::Played(Lazy(args)) => return played::run(args, interrupt),
        Command::Diff(Lazy(args)) => compare::diff(args)?,
        Command::Merge(Lazy(args)) => compare::merge(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens a book.
fn open(path: &Path) -> anyhow::Result<Book> {
    Book::open(path).with_context(|| format!("cannot read book '{}'", Escaped(path.display())))
}

/// Opens a book, or else the built-in one.
fn open_or_built_in(path: Option<&PathBuf>) -> anyhow::Result<Book> {
    path.map_or_else(|| Book::built_in().context("cannot read the built-in book"), |path| open(path))
}

/// A book while it is written, under a temporary name.
struct Output {
    file: NewFile,
    entries: u64,
}

impl Output {
    fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { file: NewFile::create(path)?, entries: 0 })
    }

    fn write(&mut self, entry: BookEntry) -> io::Result<()> {
        self.entries += 1;
        self.file.write_all(&entry.to_bytes())
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If it cannot be written, or has no entries: other programs reject an empty book.
    fn commit(self) -> anyhow::Result<()> {
        let Self { file, entries } = self;
        let path = Escaped(file.path.display());
        anyhow::ensure!(entries > 0, "no moves left for the book '{path}', which is not written");
        file.commit()
    }
}
