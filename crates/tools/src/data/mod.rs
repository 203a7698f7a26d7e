//! `data`: prepares self-play games for training a network.

mod compare;
mod evaluate;
mod filter;
mod list;
mod rescore;
mod shuffle;
mod split;
mod stats;
mod vary;

use crate::files::{self, NewFile, cannot_read, cannot_write};
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{OutputError, note, say};
use crate::progress;
use crate::records::CUT_OFF;
use anyhow::Context;
use bartizan_games::selfplay::ReadError;
use bartizan_training::Error;
use bartizan_training::data::DataSource;
use bartizan_training::positions::SampleWriter;
use bartizan_types::Escaped;
use clap::Subcommand;
use indicatif::ProgressBar;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example, in the usual order:
  bartizan-tools selfplay --games 100000 --nodes 2000 --out games.bin
  bartizan-tools data split games.bin \\
      --out-train train.bin --out-validation held.bin
  bartizan-tools data filter train.bin --out train.pos
  bartizan-tools data filter held.bin --out held.pos
  bartizan-tools data shuffle train.pos --out shuffled.pos";

/// The arguments of `data`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List game files with their content, and check them
    List(list::Args),
    /// Count games, positions, results, scores, phases and repeats
    Stats(stats::Args),
    /// Split games into a training and a validation set
    Split(split::Args),
    /// Extract the positions that suit training
    Filter(filter::Args),
    /// Rescore positions with deeper searches
    Rescore(Box<rescore::Args>),
    /// Shuffle positions, in bounded memory
    Shuffle(shuffle::Args),
    /// Derive new positions with static scores by random moves
    Vary(vary::Args),
    /// List the positions where network and hand-written terms differ most
    Compare(compare::Args),
    /// Evaluate positions, or measure how well values predict results
    Evaluate(evaluate::Args),
}

/// Runs the command.
///
/// # Errors
/// Names the problem; then no file is written.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    let result = match &args.command {
        Command::List(args) => list::run(args, interrupt),
        Command::Stats(args) => stats::run(args, interrupt).map(done),
        Command::Split(args) => split::run(args, interrupt).map(done),
        Command::Filter(args) => filter::run(args, interrupt).map(done),
        Command::Rescore(args) => rescore::run(args, interrupt),
        Command::Shuffle(args) => shuffle::run(args, interrupt).map(done),
        Command::Vary(args) => vary::run(args, interrupt).map(done),
        Command::Compare(args) => compare::run(args, interrupt).map(done),
        Command::Evaluate(args) => evaluate::run(args, interrupt).map(done),
    };
    match result {
        Ok(code) => Ok(code),
        Err(error) if matches!(error.downcast_ref(), Some(Error::Stopped)) => {
            Err(Interrupted("before the end; nothing was written".to_owned()).into())
        }
        // Reading fails after an interruption.
        Err(error) if interrupt.is_set() && !error.is::<Interrupted>() => {
            Err(Interrupted("while reading the input".to_owned()).into())
        }
        Err(error) if is_cut_off(&error) => Err(error.context(CUT_OFF)),
        Err(error) => Err(error),
    }
}

/// Whether a game file ends within a game.
fn is_cut_off(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref(), Some(ReadError::Incomplete { .. })))
}

/// Files to read, with a display of the progress on standard error.
struct Reading<'a> {
    files: &'a [PathBuf],
    skip_errors: bool,
    partial: bool,
    /// Whether a partial file has ended within a game.
    is_cut: Cell<bool>,
    bar: ProgressBar,
    interrupt: &'a Interrupt,
}

impl<'a> Reading<'a> {
    /// Files whose bytes are processed this many `times`.
    fn new(
        files: &'a [PathBuf],
        skip_errors: bool,
        times: u64,
        is_hidden: bool,
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let style = "{bar:30} {bytes}/{total_bytes} read  {elapsed} elapsed, {eta} left";
        let bar = progress::bar(times * total_bytes(files)?, style, is_hidden)?;
        Ok(Self { files, skip_errors, partial: false, is_cut: Cell::new(false), bar, interrupt })
    }

    /// Whether files may end within a game.
    fn partial(self, partial: bool) -> Self {
        Self { partial, ..self }
    }

    /// Lets `work` read the files.
    fn with<T>(&self, work: impl FnOnce(&DataSource<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let done = work(&DataSource {
            files: self.files,
            skip_errors: self.skip_errors,
            partial: self.partial,
            open: &|file| input::open(file, self.interrupt),
            progress: &|bytes| self.bar.inc(bytes),
            warn: &|file, error| {
                self.is_cut.set(true);
                note!("warning: {}: {error}, skipped", Escaped(file.display()));
            },
            stop: &self.interrupt.stop(),
        })?;
        self.bar.finish_and_clear();
        Ok(done)
    }
}

/// The bytes of files together.
fn total_bytes(files: &[PathBuf]) -> anyhow::Result<u64> {
    files
        .iter()
        .map(|file| Ok(bartizan_files::length(file).with_context(|| cannot_read(file))?.unwrap_or(0)))
        .sum::<anyhow::Result<u64>>()
}

/// Begins a file of positions.
fn position_file(path: &Path) -> anyhow::Result<SampleWriter<NewFile>> {
    files::refuse_compressed(path)?;
    SampleWriter::new(NewFile::create(path)?).with_context(|| cannot_write(path))
}

/// Moves the file of positions into place, and prints a summary.
fn finish(file: SampleWriter<NewFile>, summary: &str) -> anyhow::Result<()> {
    let file = file.into_inner();
    let is_direct = file.is_direct();
    file.commit()?;
    Ok(print_summary(summary, is_direct)?)
}

/// Prints a summary; to standard error unless the data went to a file, because it may have gone to standard output.
fn print_summary(summary: &str, is_direct: bool) -> Result<(), OutputError> {
    let summary = summary.trim_end();
    if is_direct {
        note!("{summary}");
        return Ok(());
    }
    say!("{summary}")
}
