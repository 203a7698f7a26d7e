//! Reading the games of a book.

use super::{BuildPart, Builder};
use bartizan_notation::pgn::{
    Chunk, PgnError, PgnErrorKind, PgnGame, PgnReader, ResultOrder, Strictness, read_parallel,
};
use std::io::{self, Read};
use std::num::NonZeroUsize;

/// The error of reading games into a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A temporary file cannot be written.
    #[error("cannot write a temporary file")]
    Temporary(#[source] io::Error),
    /// The input cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The input cannot be read; the error names the place.
    #[error(transparent)]
    Game(#[from] PgnError),
}

/// The games of a part of a file.
struct Batch {
    part: BuildPart,
    games: u64,
    errors: Vec<PgnError>,
}

/// A game whose moves cannot all be read does not count.
fn with_settings<R: Read>(reader: PgnReader<R>, max_ply: usize) -> PgnReader<R> {
    reader.strictness(Strictness::Moves).max_plies(max_ply)
}

impl Builder {
    /// Counts the moves of the games of a PGN file on several threads. `report` gets the number of games just read, and
    /// each invalid game, which is skipped. Moves beyond the last ply that counts are not checked.
    ///
    /// # Errors
    /// [`BuildError`] if the input or a temporary file fails.
    pub fn read(
        &mut self,
        input: impl Read + Send,
        threads: NonZeroUsize,
        mut report: impl FnMut(Result<u64, PgnError>),
    ) -> Result<(), BuildError> {
        let max_ply = self.options().max_ply;
        let skip = |report: &mut dyn FnMut(_), error: PgnError| match error.kind {
            PgnErrorKind::Io(_) => Err(BuildError::from(error)),
            _ => {
                report(Err(error));
                Ok(())
            }
        };
        if threads.get() == 1 {
            let (mut reader, mut game) = (with_settings(PgnReader::new(input), max_ply), PgnGame::default());
            while let Some(read) = reader.read_next(&mut game) {
                report(Ok(1));
                match read {
                    Ok(()) => self.add_game(&game).map_err(BuildError::Temporary)?,
                    Err(error) => skip(&mut report, error)?,
                }
            }
            return Ok(());
        }
        let empty = self.part();
        let work = |chunk: &Chunk| {
            let mut batch = Batch { part: empty.clone(), games: 0, errors: Vec::new() };
            let (mut reader, mut game) = (with_settings(chunk.games(), max_ply), PgnGame::default());
            while let Some(read) = reader.read_next(&mut game) {
                batch.games += 1;
                match read {
                    Ok(()) => batch.part.add_game(&game),
                    Err(error) => batch.errors.push(error),
                }
            }
            batch
        };
        let (mut before, mut failure) = (0, None);
        let read = read_parallel(input, threads, ResultOrder::Kept, work, |Batch { part, games, errors }| {
            if failure.is_some() {
                return;
            }
            report(Ok(games));
            let take = || {
                for mut error in errors {
                    error.game += before;
                    skip(&mut report, error)?;
                }
                self.add_part(part).map_err(BuildError::Temporary)
            };
            failure = take().err();
            before += games as usize;
        });
        failure.map_or(Ok(()), Err)?;
        Ok(read?)
    }
}
