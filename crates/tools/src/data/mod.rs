//! `data`: prepares the games of self-play for the training of a network.

mod compare;
mod evaluate;
mod filter;
mod forecast;
mod shuffle;
mod split;
mod stats;
mod vary;

use crate::files::{self, cannot_read, cannot_write};
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{OutputError, note, say};
use crate::progress;
use anyhow::Context;
use bartizan_files::Replacement;
use bartizan_games::selfplay::{GameReader, ReadError, SelfplayGame};
use bartizan_position::Position;
use bartizan_training::positions::{POSITIONS_MAGIC, SAMPLE_SIZE, Sample, SampleReader, SampleWriter};
use clap::Subcommand;
use indicatif::ProgressBar;
use std::io::{BufRead, BufReader, BufWriter, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "\
The usual order:
  bartizan-tools selfplay --games 100000 --nodes 2000 --out games.bin
  bartizan-tools data split games.bin --validation 0.02 --out-train train.bin --out-validation held.bin
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
    /// Count games and positions, results, scores and phases, and positions that repeat
    Stats(stats::Args),
    /// Divide games into some to train with and some to validate with
    Split(split::Args),
    /// Take the positions of games that suit training
    Filter(filter::Args),
    /// Bring positions into a random order, in bounded memory
    Shuffle(shuffle::Args),
    /// Make positions with a cheap score out of others, by random moves
    Vary(vary::Args),
    /// List the positions on which a network and the hand-written evaluation agree least
    Compare(compare::Args),
    /// Print the value that an evaluation gives each position, or how well it predicts results
    Evaluate(evaluate::Args),
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong; then no file is written.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let result = match &args.command {
        Command::Stats(args) => stats::run(args, interrupt),
        Command::Split(args) => split::run(args, interrupt),
        Command::Filter(args) => filter::run(args, interrupt),
        Command::Shuffle(args) => shuffle::run(args, interrupt),
        Command::Vary(args) => vary::run(args, interrupt),
        Command::Compare(args) => compare::run(args, interrupt),
        Command::Evaluate(args) => evaluate::run(args, interrupt),
    };
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // Reading fails after an interruption.
        Err(error) if interrupt.is_set() && !error.is::<Interrupted>() => {
            Err(Interrupted("while reading the input".to_owned()).into())
        }
        Err(error) => Err(error),
    }
}

/// How far reading has come, on standard error.
struct Progress<'a> {
    bar: ProgressBar,
    interrupt: &'a Interrupt,
}

impl<'a> Progress<'a> {
    /// A bar for a number of bytes to read.
    fn new(bytes: u64, is_hidden: bool, interrupt: &'a Interrupt) -> anyhow::Result<Self> {
        let style = "{bar:30} {bytes}/{total_bytes} read  {elapsed} elapsed, {eta} left";
        Ok(Self { bar: progress::bar(bytes, style, is_hidden)?, interrupt })
    }

    /// Counts bytes.
    ///
    /// # Errors
    /// [`Interrupted`], after Ctrl-C.
    fn add(&self, bytes: u64) -> anyhow::Result<()> {
        self.bar.inc(bytes);
        if self.interrupt.is_set() {
            return Err(Interrupted("before the end: nothing was written".to_owned()).into());
        }
        Ok(())
    }

    /// Counts the bytes of positions.
    ///
    /// # Errors
    /// As [`Self::add`].
    fn add_positions(&self, count: usize) -> anyhow::Result<()> {
        self.add((count * SAMPLE_SIZE) as u64)
    }
}

/// The bytes of files together.
fn total_bytes(files: &[PathBuf]) -> anyhow::Result<u64> {
    files
        .iter()
        .map(|file| Ok(std::fs::metadata(file).with_context(|| cannot_read(file))?.len()))
        .sum::<anyhow::Result<u64>>()
}

type Input = BufReader<Box<dyn Read + Send>>;

/// Opens a file, or a named pipe or device, of which the reading fails when the user interrupts the program.
fn open(file: &Path, interrupt: &Interrupt) -> anyhow::Result<Input> {
    Ok(BufReader::new(input::open(file, interrupt).with_context(|| cannot_read(file))?))
}

/// Calls `work` with each game of the files. Broken games are an error unless `skip_errors`; returns how many were
/// skipped. An incomplete game at the end of a file is left out with a warning, because the file may still be written
/// to.
fn each_game(
    files: &[PathBuf],
    skip_errors: bool,
    progress: &Progress<'_>,
    mut work: impl FnMut(SelfplayGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut skipped = 0;
    for file in files {
        skipped += each_game_of(file, open(file, progress.interrupt)?, skip_errors, progress, &mut work)?;
    }
    Ok(skipped)
}

/// As [`each_game`], for the content of one file.
fn each_game_of(
    file: &Path,
    input: impl BufRead,
    skip_errors: bool,
    progress: &Progress<'_>,
    mut work: impl FnMut(SelfplayGame) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut games = GameReader::new(input).with_context(|| cannot_read(file))?;
    let (mut skipped, mut offset) = (0, 0);
    while let Some(game) = games.next() {
        progress.add(games.offset() - offset)?;
        offset = games.offset();
        match game {
            Ok(game) => work(game)?,
            Err(error @ ReadError::Incomplete { .. }) => note!("warning: {}: {error}, skipped", file.display()),
            Err(error) if skip_errors && !error.is_fatal() => skipped += 1,
            Err(error) => return Err(error).with_context(|| cannot_read(file)),
        }
    }
    Ok(skipped)
}

/// Positions read at a time.
const CHUNK: usize = 16_384;

/// Calls `work` with the positions that a file contains, at most `size` at a time, and the number of those before them.
fn each_chunk(
    file: &Path,
    input: impl BufRead,
    size: usize,
    mut work: impl FnMut(&[Sample], u64) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader = SampleReader::new(input).with_context(|| cannot_read(file))?;
    let (mut samples, mut before) = (Vec::new(), 0);
    loop {
        reader.read(&mut samples, size).with_context(|| cannot_read(file))?;
        if samples.is_empty() {
            return Ok(());
        }
        work(&samples, before)?;
        before += samples.len() as u64;
    }
}

/// The position of a sample, which has a number in its file, from 1.
fn unpack(sample: &Sample, file: &Path, number: u64) -> anyhow::Result<Position> {
    sample.packed().unpack().with_context(|| format!("{}: record {number}", cannot_read(file)))
}

/// A new file of positions, which takes the place of an old one when it is whole.
struct PositionFile<'a> {
    path: &'a Path,
    /// Whether it is no file that could be replaced, such as standard output.
    is_direct: bool,
    writer: SampleWriter<BufWriter<Replacement>>,
}

impl<'a> PositionFile<'a> {
    fn new(path: &'a Path) -> anyhow::Result<Self> {
        files::refuse_compressed(path)?;
        let file = Replacement::new(path).with_context(|| cannot_write(path))?;
        let is_direct = file.is_direct();
        let writer = SampleWriter::new(BufWriter::new(file)).with_context(|| cannot_write(path))?;
        Ok(Self { path, is_direct, writer })
    }

    fn write(&mut self, sample: Sample) -> anyhow::Result<()> {
        self.writer.write(sample).with_context(|| cannot_write(self.path))
    }

    fn finish(self) -> anyhow::Result<()> {
        let file = self.writer.into_inner().into_inner().map_err(std::io::IntoInnerError::into_error);
        file.and_then(Replacement::commit).with_context(|| cannot_write(self.path))
    }
}

/// Prints a summary; to standard error if the data did not go to a file, but perhaps to standard output.
fn print_summary(summary: &str, is_direct: bool) -> Result<(), OutputError> {
    let summary = summary.trim_end();
    if is_direct {
        note!("{summary}");
        return Ok(());
    }
    say!("{summary}")
}

/// Whether an input consists of positions, and not of games; and the input from its beginning.
fn detect(file: &Path, mut input: Input) -> anyhow::Result<(bool, impl BufRead)> {
    let mut start = Vec::new();
    (&mut input).take(POSITIONS_MAGIC.len() as u64).read_to_end(&mut start).with_context(|| cannot_read(file))?;
    Ok((start == POSITIONS_MAGIC, Cursor::new(start).chain(input)))
}
