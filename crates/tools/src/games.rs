//! Reads the games of PGN files, for the commands that need them: several files, compressed or not, with several
//! threads.

use crate::files;
use crate::input::{self, InterruptibleStdin, name};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::note;
use crate::progress;
use crate::threads::parse_threads;
use anyhow::{Context, ensure};
pub(crate) use bartizan_games::GameText;
use bartizan_games::{GameFault, ProcessedText, ReadError, SeenGame};
use bartizan_notation::pgn::{PgnProblem, Strictness};
use indicatif::ProgressBar;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tempfile::NamedTempFile;

/// Number of broken games, and of problems, that are reported; further ones are only counted.
const SHOWN: usize = 10;

/// Number of games after which the progress display changes.
const STEP: usize = 100;

/// Maximum number of texts at the beginning of a file that are held back until one looks like a game.
const MOST_HELD: usize = 100;

/// Where the games are read from.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Input {
    /// PGN files, also as .gz, .bz2 or .zst; '-' is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Suppress progress and summary
    #[arg(long)]
    quiet: bool,
    /// Treat a game with a problem in its text as broken, such as an illegal move or another result than in its tag
    #[arg(long)]
    strict: bool,
    /// Whether broken games are reported.
    #[arg(skip = true)]
    reports: bool,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The file, as the user named it; `None` for standard input.
    pub(crate) file: Option<&'a Path>,
    /// The number of the game in the file, from 1. For a text without a game, that of the game before it.
    pub(crate) number: usize,
    /// The line of the file on which the text begins.
    pub(crate) line: usize,
}

/// How many games have been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) games: usize,
    /// The games with a fault, as far as the command looked at their moves.
    pub(crate) broken: usize,
    /// The problems in the texts of the other games, likewise.
    pub(crate) problems: usize,
}

/// Games being read.
struct Reading<'a> {
    bar: &'a ProgressBar,
    interrupt: &'a Interrupt,
    counts: Counts,
}

impl Reading<'_> {
    fn open(&self, file: Option<&Path>) -> anyhow::Result<Box<dyn Read + Send>> {
        let &Self { bar, interrupt, counts } = self;
        let opened = match file {
            None => bartizan_files::decompress(bar.wrap_read(InterruptibleStdin::for_standard_input(interrupt)?)),
            Some(path) => input::open(path, interrupt).and_then(|file| bartizan_files::decompress(bar.wrap_read(file))),
        };
        if interrupt.is_set() {
            return Err(Interrupted(format!("after {} games", counts.games)).into());
        }
        opened.with_context(|| format!("cannot read {}", name(file)))
    }
}

/// Reports what is wrong with the games of a file.
struct Report<'a, 'b> {
    reading: &'a mut Reading<'b>,
    /// The file.
    name: String,
    /// The number of its games.
    number: usize,
    is_shown: bool,
}

impl<'a, 'b> Report<'a, 'b> {
    fn new(input: &Input, file: Option<&Path>, reading: &'a mut Reading<'b>) -> Self {
        Self { reading, name: name(file), number: 0, is_shown: input.reports }
    }

    /// Counts a text with what is wrong in it.
    fn count(&mut self, is_game: bool, fault: Option<GameFault>, problems: Vec<PgnProblem>) {
        let Self { ref mut reading, ref name, ref mut number, is_shown } = *self;
        let &mut Reading { bar, ref mut counts, .. } = &mut **reading;
        *number += usize::from(is_game);
        counts.games += usize::from(is_game);
        if let Some(GameFault { line, column, reason }) = fault {
            counts.broken += 1;
            if counts.broken <= SHOWN && is_shown {
                let place = format_args!("{name}: game {number}, line {line}, column {column}");
                bar.suspend(|| note!("warning: {place}: {reason}"));
            }
        }
        for problem in problems {
            counts.problems += 1;
            if counts.problems <= SHOWN && is_shown {
                bar.suspend(|| note!("warning: {name}: game {number}, {problem}"));
            }
        }
        if counts.games.is_multiple_of(STEP) {
            bar.set_message(format!("{} games", counts.games));
        }
    }

    /// Ends the reading, which has found whether a text looks like a game.
    fn finish(self, has_game: Result<bool, ReadError<anyhow::Error>>) -> anyhow::Result<()> {
        let (name, games) = (self.name, self.reading.counts.games);
        self.reading.bar.set_message(format!("{games} games"));
        let has_game = has_game.map_err(|error| match error {
            ReadError::Taker(error) => error,
            ReadError::Stopped => Interrupted(format!("after {games} games")).into(),
            ReadError::Io(error) => anyhow::Error::new(error).context(format!("cannot read {name}")),
        })?;
        ensure!(has_game, "no games in {name}");
        Ok(())
    }
}

impl Input {
    /// Files that are read with one thread. In `strict` reading, a game with a problem is broken.
    ///
    /// # Errors
    /// If one of them does not exist.
    pub(crate) fn of(files: &[PathBuf], strict: bool) -> anyhow::Result<Self> {
        let (threads, quiet, reports) = (NonZeroUsize::MIN, true, true);
        let input = Self { files: files.to_owned(), threads, quiet, strict, reports };
        input.length()?;
        Ok(input)
    }

    /// The same input, read with a number of threads.
    pub(crate) fn with_threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }

    /// Each file as an input of its own, with its name and its length in bytes, if that is known.
    ///
    /// # Errors
    /// If one of them does not exist.
    #[cfg(feature = "parquet")]
    pub(crate) fn by_file(&self) -> anyhow::Result<Vec<(Self, String, Option<u64>)>> {
        let files = self.files().map(|file| {
            let path = file.unwrap_or(Path::new("-"));
            let own = Self { files: vec![path.to_owned()], ..self.clone() };
            let length = own.length()?;
            Ok((own, path.to_string_lossy().into_owned(), length))
        });
        files.collect()
    }

    /// Rejects an output that is also an input: see [`files::refuse_input`].
    pub(crate) fn refuse(&self, output: Option<&Path>) -> anyhow::Result<()> {
        output.map_or(Ok(()), |output| files::refuse_input(output, &self.files))
    }

    /// Whether a problem makes a game broken.
    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// Passes each text to `work`, in several threads, and the results to `sink`, in this thread and in the order of
    /// the input. Prints the progress, and a warning for each broken game.
    ///
    /// # Errors
    /// Those of `sink`; a file that is unreadable or has no games; [`Interrupted`]. Everything before the error has
    /// been passed to `sink`, but nothing of a file without games.
    pub(crate) fn each<T: Send>(
        &self,
        interrupt: &Interrupt,
        work: impl Fn(&GameText<'_>) -> T + Sync,
        sink: impl FnMut(Place<'_>, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        self.each_with(&mut self.states::<()>(), interrupt, |(), game| work(game), sink)
    }

    /// Adds each game to the value of a thread, and returns all of these: as [`Input::each`], but faster, and without
    /// the texts. All moves are read, those of variations, too.
    pub(crate) fn fold<S: Default + Send>(
        &self,
        interrupt: &Interrupt,
        see: impl Fn(&mut S, SeenGame<'_>) + Sync,
    ) -> anyhow::Result<Vec<S>> {
        let mut states = self.states();
        self.with_bar(interrupt, |reading| {
            self.files().try_for_each(|file| self.fold_file(file, reading, &mut states, &see))
        })?;
        Ok(states)
    }

    /// As [`Input::each`], with a state for each thread.
    fn each_with<S: Send, T: Send>(
        &self,
        states: &mut [S],
        interrupt: &Interrupt,
        work: impl Fn(&mut S, &GameText<'_>) -> T + Sync,
        sink: impl FnMut(Place<'_>, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        self.with_bar(interrupt, |reading| self.read_all(reading, states, work, sink))
    }

    /// Reads with a progress display.
    fn with_bar(
        &self,
        interrupt: &Interrupt,
        read: impl FnOnce(&mut Reading<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let bar = self.bar()?;
        let mut reading = Reading { bar: &bar, interrupt, counts: Counts::default() };
        let read = read(&mut reading);
        let counts = reading.counts;
        bar.finish_and_clear();
        read?;
        for (count, what) in [(counts.broken, "broken games"), (counts.problems, "problems")] {
            if count > SHOWN && self.reports {
                note!("warning: {} more {what}", count - SHOWN);
            }
        }
        Ok(counts)
    }

    /// As [`Input::each`], with the caller's progress display, whose bytes and message are updated. Only the first few
    /// broken games are reported; the others are counted.
    pub(crate) fn each_beside<T: Send>(
        &self,
        bar: &ProgressBar,
        interrupt: &Interrupt,
        work: impl Fn(&GameText<'_>) -> T + Sync,
        sink: impl FnMut(Place<'_>, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let mut reading = Reading { bar, interrupt, counts: Counts::default() };
        self.read_all(&mut reading, &mut self.states::<()>(), |(), game| work(game), sink)?;
        Ok(reading.counts)
    }

    /// A value for each thread.
    fn states<S: Default>(&self) -> Vec<S> {
        (0..self.threads.get()).map(|_| S::default()).collect()
    }

    /// An input that can be read more than once: standard input and named pipes are copied to temporary files, which
    /// are deleted when they are dropped.
    pub(crate) fn repeatable(&self, interrupt: &Interrupt) -> anyhow::Result<(Self, Vec<NamedTempFile>)> {
        let mut copy = Self { files: Vec::new(), reports: true, ..self.clone() };
        let mut spool = Vec::new();
        let mut is_taken = false;
        for file in self.files() {
            let cannot_read = || format!("cannot read {}", name(file));
            let mut input: Box<dyn Read + Send> = match file {
                Some(path) if !input::is_stream(path).with_context(cannot_read)? => {
                    copy.files.push(path.to_owned());
                    continue;
                }
                Some(path) => input::open(path, interrupt).with_context(cannot_read)?,
                // It can be read only once, by whoever names it first.
                None if is_taken => continue,
                None => {
                    is_taken = true;
                    Box::new(InterruptibleStdin::for_standard_input(interrupt)?)
                }
            };
            let mut file_copy = NamedTempFile::new().context("cannot create a temporary file")?;
            let copied = io::copy(&mut input, file_copy.as_file_mut());
            if interrupt.is_set() {
                return Err(Interrupted(format!("while reading {}", name(file))).into());
            }
            copied.with_context(|| format!("cannot copy {} to a temporary file", name(file)))?;
            copy.files.push(file_copy.path().to_owned());
            spool.push(file_copy);
        }
        Ok((copy, spool))
    }

    /// The same input, for reading again without reporting its faults twice.
    pub(crate) fn without_reports(&self) -> Self {
        Self { reports: false, ..self.clone() }
    }

    /// The same input, limited to the number of threads that half of a memory limit in megabytes allows, but at least
    /// one. Also returns the bytes left beside reading, at least 1 MiB.
    pub(crate) fn within_memory(&self, megabytes: u64) -> (Self, usize) {
        // Each thread has a part of the input, copies of its games, and up to four parts ahead of the caller: measured
        // at 19 MB with games of 220 bytes. Games of more than 1 MiB, which enlarge the parts, are not considered.
        const FOR_A_THREAD: u64 = 20;
        let most = usize::try_from(megabytes / 2 / FOR_A_THREAD).unwrap_or(usize::MAX);
        let threads = self.threads.min(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN));
        let reading = FOR_A_THREAD * threads.get() as u64;
        let left = usize::try_from(megabytes.saturating_sub(reading).max(1) << 20).unwrap_or(usize::MAX);
        (Self { threads, ..self.clone() }, left)
    }

    /// Prints a summary, unless the user suppresses it.
    pub(crate) fn report(&self, text: &str) {
        if !self.quiet {
            note!("{text}");
        }
    }

    /// The files in order; `None` is standard input.
    fn files(&self) -> impl Iterator<Item = Option<&Path>> {
        let none = if self.files.is_empty() { Some(None) } else { None };
        self.files.iter().map(|file| Some(file.as_path()).filter(|path| path.as_os_str() != "-")).chain(none)
    }

    fn read_all<S: Send, T: Send>(
        &self,
        reading: &mut Reading<'_>,
        states: &mut [S],
        work: impl Fn(&mut S, &GameText<'_>) -> T + Sync,
        mut sink: impl FnMut(Place<'_>, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.files().try_for_each(|file| self.read(file, reading, states, &work, &mut sink))
    }

    fn read<S: Send, T: Send>(
        &self,
        file: Option<&Path>,
        reading: &mut Reading<'_>,
        states: &mut [S],
        work: &(impl Fn(&mut S, &GameText<'_>) -> T + Sync),
        sink: &mut impl FnMut(Place<'_>, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let reader = reading.open(file)?;
        let mut report = Report::new(self, file, reading);
        let stop = report.reading.interrupt.stop();
        let has_game = AtomicBool::new(false);
        let work = |state: &mut S, game: &GameText<'_>| {
            // Relaxed: the flag publishes no other data. Several threads may set it.
            if !has_game.load(Relaxed) && game.looks_like_game() {
                has_game.store(true, Relaxed);
            }
            work(state, game)
        };
        let mut held = Vec::new();
        let read = bartizan_games::read_with(reader, self.strictness(), states, &stop, work, |text| {
            let ProcessedText { line, is_game, fault, problems, result } = text;
            report.count(is_game, fault, problems);
            let place = Place { file, number: report.number, line };
            if !has_game.load(Relaxed) && held.len() < MOST_HELD {
                held.push((place, result));
                return Ok(());
            }
            held.drain(..).try_for_each(|(place, result)| sink(place, result))?;
            sink(place, result)
        });
        report.finish(read.map(|()| has_game.into_inner()))?;
        held.into_iter().try_for_each(|(place, result)| sink(place, result))
    }

    fn fold_file<S: Send>(
        &self,
        file: Option<&Path>,
        reading: &mut Reading<'_>,
        states: &mut [S],
        see: &(impl Fn(&mut S, SeenGame<'_>) + Sync),
    ) -> anyhow::Result<()> {
        let reader = reading.open(file)?;
        let mut report = Report::new(self, file, reading);
        let stop = report.reading.interrupt.stop();
        let read = bartizan_games::fold(reader, self.strictness(), states, &stop, see, |game| {
            report.count(true, game.fault, game.problems);
            Ok(())
        });
        report.finish(read)
    }

    fn strictness(&self) -> Strictness {
        if self.strict { Strictness::Strict } else { Strictness::Lenient }
    }

    /// The total bytes of all files; `None` if unknown. A missing or special file is an error before the
    /// others are read.
    fn length(&self) -> anyhow::Result<Option<u64>> {
        let mut length = Some(0);
        for file in self.files() {
            let own = match file {
                None => None,
                Some(path) => bartizan_files::length(path).with_context(|| format!("cannot read {}", name(file)))?,
            };
            length = length.zip(own).map(|(sum, length)| sum + length);
        }
        Ok(length)
    }

    fn bar(&self) -> anyhow::Result<ProgressBar> {
        let length = self.length()?;
        let template = if length.is_some() {
            "{bytes}/{total_bytes}  {msg}  {elapsed} elapsed, {eta} left"
        } else {
            "{spinner} {bytes}  {msg}  {elapsed} elapsed"
        };
        progress::bar(length, template, self.quiet)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    #[test]
    fn reading_takes_at_most_half_of_the_memory() {
        for (threads, megabytes, used, left) in
            [(1, 512, 1, 492), (4, 512, 4, 432), (64, 512, 12, 272), (64, 1_000, 25, 500), (2, 30, 1, 10), (2, 1, 1, 1)]
        {
            let threads = NonZeroUsize::new(threads).unwrap();
            let input = Input { files: Vec::new(), threads, quiet: true, strict: false, reports: true };
            let (input, memory) = input.within_memory(megabytes);
            assert_eq!((input.threads.get(), memory), (used, left << 20), "{threads} {megabytes}");
        }
    }
}
