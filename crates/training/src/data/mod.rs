//! Prepares games and positions for training.

mod agreement;
mod compare;
mod evaluate;
mod filter;
mod forecast;
mod shuffle;
mod split;
mod stats;
mod vary;

pub use agreement::{Agreement, Mean, ValueScorePair, agreement};
pub use compare::{ComparedPosition, Disputes, ValueComparison};
pub use evaluate::{Evaluated, evaluate};
pub use filter::{Filter, FilterCounts, filter};
pub use forecast::Forecast;
pub use shuffle::{Shuffle, shuffle};
pub use split::{SplitCounts, split};
pub use stats::{SCORES, Stats, stats};
pub use vary::{Variations, vary};

use crate::error::{Error, FileAction};
use crate::positions::{POSITIONS_MAGIC, PositionSample, SAMPLE_SIZE, each_chunk};
use bartizan_games::selfplay::{GameReader, ReadError, SelfplayGame};
use bartizan_parallel::StopFlag;
use bartizan_position::Position;
use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

/// Positions read at a time.
const CHUNK: usize = 16_384;

/// Files to read, and how.
pub struct DataSource<'a> {
    /// Files of self-play games or of positions, depending on the task, in reading order.
    pub files: &'a [PathBuf],
    /// Whether broken games are skipped.
    pub skip_errors: bool,
    /// Whether game files may end within a game because they are still being written.
    pub partial: bool,
    /// Opens a file.
    pub open: &'a dyn Fn(&Path) -> io::Result<Box<dyn Read + Send>>,
    /// Called with the number of bytes just processed.
    pub progress: &'a dyn Fn(u64),
    /// Called for an incomplete game at the end of a partial file, which is left out.
    pub warn: &'a dyn Fn(&Path, &ReadError),
    /// Ends the work with [`Error::Stopped`].
    pub stop: &'a StopFlag,
}

/// Writes the line of a count and its share of the positions.
fn write_share(f: &mut fmt::Formatter<'_>, count: u64, positions: u64, what: &str) -> fmt::Result {
    writeln!(f, "{count:>12}  {:>4.1} %  {what}", 100.0 * count as f64 / positions.max(1) as f64)
}

type Input = BufReader<Box<dyn Read + Send>>;

impl DataSource<'_> {
    fn open(&self, file: &Path) -> Result<Input, Error> {
        Ok(BufReader::new((self.open)(file).map_err(FileAction::Read.failed(file))?))
    }

    /// Counts bytes.
    fn advance(&self, bytes: u64) -> Result<(), Error> {
        (self.progress)(bytes);
        if self.stop.is_stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// Calls `work` with each game. Returns the number of broken games skipped.
    fn each_game<E: From<Error>>(&self, mut work: impl FnMut(SelfplayGame) -> Result<(), E>) -> Result<u64, E> {
        let mut skipped = 0;
        for file in self.files {
            skipped += self.each_game_of(file, self.open(file)?, &mut work)?;
        }
        Ok(skipped)
    }

    /// As [`each_game`](Self::each_game), for the content of one file.
    fn each_game_of<E: From<Error>>(
        &self,
        file: &Path,
        input: impl BufRead,
        mut work: impl FnMut(SelfplayGame) -> Result<(), E>,
    ) -> Result<u64, E> {
        let mut games = GameReader::new(input).map_err(FileAction::Read.failed(file))?;
        let (mut skipped, mut offset) = (0, 0);
        while let Some(game) = games.next() {
            self.advance(games.offset() - offset)?;
            offset = games.offset();
            match game {
                Ok(game) => work(game)?,
                Err(error @ ReadError::Incomplete { .. }) if self.partial => (self.warn)(file, &error),
                Err(error) if self.skip_errors && !error.is_fatal() => skipped += 1,
                Err(error) => return Err(FileAction::Read.failed(file)(error).into()),
            }
        }
        Ok(skipped)
    }

    /// Calls `work` with the positions of the files, at most `size` at a time, and with their location.
    fn each_chunk<E: From<Error>>(
        &self,
        size: usize,
        mut work: impl FnMut(&[PositionSample], Place<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.files.iter().try_for_each(|file| self.each_chunk_of(file, self.open(file)?, size, &mut work))
    }

    /// As [`each_chunk`](Self::each_chunk), for the content of one file.
    fn each_chunk_of<E: From<Error>>(
        &self,
        file: &Path,
        input: impl BufRead,
        size: usize,
        mut work: impl FnMut(&[PositionSample], Place<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |error| FileAction::Read.failed(file)(error).into();
        each_chunk(input, size, failed, |samples, before| {
            work(samples, Place { file, before })?;
            Ok(self.advance((samples.len() * SAMPLE_SIZE) as u64)?)
        })
    }
}

/// Where positions stand.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a Path,
    /// The number of positions before these in the file.
    before: u64,
}

impl Place<'_> {
    /// The position of the sample with this index.
    fn unpack(self, sample: &PositionSample, index: usize) -> Result<Position, Error> {
        sample.unpack("record", self.before + index as u64 + 1).map_err(FileAction::Read.failed(self.file))
    }
}

/// All positions of the files, in memory.
///
/// # Errors
/// If a file cannot be read.
pub fn samples(source: &DataSource<'_>) -> Result<Vec<PositionSample>, Error> {
    let mut all = Vec::new();
    source.each_chunk(CHUNK, |samples, place| {
        for (index, sample) in samples.iter().enumerate() {
            place.unpack(sample, index)?;
        }
        all.extend_from_slice(samples);
        Ok::<_, Error>(())
    })?;
    Ok(all)
}

/// Whether an input contains positions rather than games; also returns the input from its beginning.
fn detect(file: &Path, mut input: Input) -> Result<(bool, impl BufRead), Error> {
    let mut start = Vec::new();
    let read = (&mut input).take(POSITIONS_MAGIC.len() as u64).read_to_end(&mut start);
    read.map_err(FileAction::Read.failed(file))?;
    Ok((start == POSITIONS_MAGIC, Cursor::new(start).chain(input)))
}
