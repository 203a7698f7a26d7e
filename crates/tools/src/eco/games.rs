//! Reading the games of a PGN file one by one, with progress.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::note;
use anyhow::Context;
use bartizan_book::eco::{Classifier, Opening};
use bartizan_notation::pgn::{PgnGame, PgnReader, RawGame, RawGames};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

/// Number of broken games that are reported; further ones are only counted.
const SHOWN: usize = 10;

/// The plies of a game that are read. The longest line of the table has 36; this leaves room for lost time.
const PLIES: usize = 100;

/// Games between two looks at the clock.
const STEP: usize = 256;

/// Where the games are read from.
#[derive(Debug, clap::Args)]
pub(super) struct Input {
    /// PGN file [default: standard input]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print no progress and no summary
    #[arg(long)]
    quiet: bool,
}

/// A game of a file.
pub(super) struct Game {
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) raw: RawGame,
    /// Nothing if the text has no game, or one that cannot be read.
    pub(super) pgn: Option<PgnGame>,
}

impl Game {
    /// The opening of the game, by its first [`PLIES`] plies.
    pub(super) fn opening(&self) -> Option<&'static Opening> {
        let pgn = self.pgn.as_ref()?;
        let mut classifier = Classifier::new();
        let mut position = pgn.start.clone();
        classifier.see(&position);
        for played in &pgn.moves {
            position = position.play(played.mv).ok()?;
            if !classifier.see(&position) {
                break;
            }
        }
        classifier.opening()
    }
}

/// How many games have been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) games: usize,
    pub(super) broken: usize,
}

impl Input {
    fn name(&self) -> String {
        self.path().map_or_else(|| "standard input".to_owned(), |path| format!("'{}'", path.display()))
    }

    fn path(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// Prints a summary, unless the user wants none.
    pub(super) fn report(&self, text: &str) {
        if !self.quiet {
            note!("{text}");
        }
    }

    /// Passes each game to `take`. A broken game is reported.
    pub(super) fn each(
        &self,
        interrupt: &Interrupt,
        mut take: impl FnMut(&Game) -> anyhow::Result<()>,
    ) -> anyhow::Result<Counts> {
        let cannot_read = || format!("cannot read {}", self.name());
        let (input, length): (Box<dyn BufRead>, Option<u64>) = match self.path() {
            None => (Box::new(stdin().lock()), None),
            Some(path) => {
                let file = File::open(path).with_context(cannot_read)?;
                let length = file.metadata().ok().filter(|file| file.is_file()).map(|file| file.len());
                (Box::new(BufReader::with_capacity(1 << 16, file)), length)
            }
        };
        let bar = self.bar(length)?;
        let mut counts = Counts::default();
        let mut was_part = false;
        for (index, raw) in RawGames::new(input).enumerate() {
            let raw = raw.with_context(cannot_read)?;
            let is_rest = raw.is_part && std::mem::replace(&mut was_part, raw.is_part);
            bar.inc(raw.bytes.len() as u64);
            let pgn = if is_rest { None } else { self.read(&raw, &mut counts, &bar) };
            take(&Game { number: counts.games, raw, pgn })?;
            if index % STEP == STEP - 1 {
                bar.set_message(format!("{} games", counts.games));
                if interrupt.is_set() {
                    bar.finish_and_clear();
                    return Err(Interrupted(format!("after {} games", counts.games)).into());
                }
            }
        }
        bar.finish_and_clear();
        if counts.broken > SHOWN {
            note!("warning: {} more broken games", counts.broken - SHOWN);
        }
        Ok(counts)
    }

    /// The game of a text. Counts it, and reports what is wrong with it.
    fn read(&self, raw: &RawGame, counts: &mut Counts, bar: &ProgressBar) -> Option<PgnGame> {
        let read = if raw.is_part {
            Err((raw.line, 1, format!("the game has more than {} MiB", RawGames::<&[u8]>::LIMIT >> 20)))
        } else {
            let game = PgnReader::new(raw.bytes.as_slice()).max_plies(PLIES).next()?;
            game.map_err(|error| (raw.line + error.line - 1, error.column, error.kind.to_string()))
        };
        counts.games += 1;
        match read {
            Ok(game) => Some(game),
            Err((line, column, what)) => {
                counts.broken += 1;
                if counts.broken <= SHOWN {
                    let (name, number) = (self.name(), counts.games);
                    bar.suspend(|| note!("warning: {name}: game {number}, line {line}, column {column}: {what}"));
                }
                None
            }
        }
    }

    fn bar(&self, length: Option<u64>) -> anyhow::Result<ProgressBar> {
        let bar = match length {
            _ if self.quiet => ProgressBar::hidden(),
            Some(length) => ProgressBar::new(length),
            None => ProgressBar::new_spinner(),
        };
        let template = if length.is_some() {
            "{bytes}/{total_bytes}  {msg}  {elapsed} elapsed, {eta} left"
        } else {
            "{spinner} {bytes}  {msg}  {elapsed} elapsed"
        };
        bar.set_style(ProgressStyle::with_template(template).context("progress style")?);
        Ok(bar)
    }
}
