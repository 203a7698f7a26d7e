//! Reads games, and positions with results, from files.
//!
//! | format | content |
//! |---|---|
//! | EPD | one position a line with its result: `c9 "1-0"`, `c2 "0.5"` or `[0.5]` at the end; optionally `ce`, `id` |
//! | PGN | games with results; optionally scores as comments: `+0.35/12` for the mover, or `[%eval 0.35]` for White |
//! | self-play | the binary format of [`selfplay`](crate::selfplay) |
//!
//! EPD lines with the same `id` count as one game; a line without `id` counts as a separate game. The result may be the
//! mean of White's points in several games from the position, such as `c9 "0.375"`: see [`parse_result`].

mod epd;
mod files;
mod pgn;
mod result;
mod selfplay;

pub use files::RecordFiles;
pub use pgn::SELFPLAY_EVENT;
pub use result::{ParseResultError, Points, parse_result};

use crate::selfplay::{ReadError, is_selfplay};
use bartizan_notation::epd::EpdError;
use bartizan_notation::pgn::{PgnError, PgnErrorKind};
use bartizan_position::Position;
use bartizan_types::{Color, Escaped, Move};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The position before the first move.
    pub start: Position,
    /// The moves and their scores in centipawns for White.
    pub moves: Vec<(Move, Option<i32>)>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Whether the scores are displayed ones, which this engine normalises. Self-play writes internal scores, both in
    /// its own format and as PGN.
    pub is_shown: bool,
}

/// A position and the result of its game, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRecord {
    /// The position.
    pub position: Position,
    /// The result.
    pub result: Points,
    /// Its score in centipawns for White.
    pub score: Option<i32>,
    /// Positions with the same id are from one game.
    pub id: Option<String>,
}

/// One entry of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // Records are handled one at a time.
pub enum Record {
    /// A game.
    Game(GameRecord),
    /// A single position.
    Position(PositionRecord),
    /// A game without a result.
    NoResult,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordFormat {
    /// One position per line.
    Epd,
    /// Games in PGN.
    Pgn,
    /// The binary format of [`selfplay`](crate::selfplay).
    Selfplay,
}

/// A file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", Escaped(.file.display()))]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// The problem and its location.
    pub kind: LoadErrorKind,
}

/// Why and where a file is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The file cannot be opened or read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not a valid EPD.
    #[error("line {line}: {error}")]
    Epd {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        error: EpdError,
    },
    /// A line has no result.
    #[error("line {line}: no result, expected c9, c2 or a final [0.5]")]
    NoResult {
        /// The number of the line, from 1.
        line: usize,
    },
    /// A line has an invalid result.
    #[error("line {line}: {error}")]
    Result {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the result.
        error: ParseResultError,
    },
    /// A PGN game is invalid.
    #[error(transparent)]
    Pgn(PgnError),
    /// A self-play file is invalid.
    #[error(transparent)]
    Selfplay(ReadError),
}

impl From<ReadError> for LoadErrorKind {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => Self::Io(error),
            error => Self::Selfplay(error),
        }
    }
}

impl From<PgnError> for LoadErrorKind {
    fn from(error: PgnError) -> Self {
        match &error.kind {
            // The place matters: from there on the file may be cut off or in another encoding.
            PgnErrorKind::Io(cause) => Self::Io(io::Error::new(cause.kind(), error.to_string())),
            _ => Self::Pgn(error),
        }
    }
}

impl LoadErrorKind {
    /// Whether the rest of the file cannot be read.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Io(_) => true,
            Self::Selfplay(error) => error.is_fatal(),
            _ => false,
        }
    }
}

/// An iterator over the records of a file. After an invalid record it continues with the next one.
pub struct Records {
    file: PathBuf,
    records: Box<dyn Iterator<Item = Result<Record, LoadErrorKind>> + Send>,
    ended: bool,
}

impl Records {
    /// Opens a file. Without a format, it is detected as by [`Records::detect`].
    ///
    /// # Errors
    /// If the file cannot be opened, or is not a self-play file although `format` says so.
    pub fn open(file: &Path, format: Option<RecordFormat>) -> Result<Self, LoadError> {
        let error = |kind: LoadErrorKind| LoadError { file: file.to_owned(), kind };
        let reader = BufReader::with_capacity(1 << 16, bartizan_files::open_input(file).map_err(|e| error(e.into()))?);
        match format {
            Some(format) => Self::of(file, reader, format),
            None => Self::detect(file, reader),
        }
        .map_err(error)
    }

    /// Reads any input and detects its format: self-play if it begins like one, PGN if the file name ends in `.pgn` or
    /// the first character is `[` or `%`, otherwise EPD. The name is also used in messages.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn detect(file: &Path, mut reader: impl BufRead + Send + 'static) -> Result<Self, LoadErrorKind> {
        // A reader may return less than is available.
        let mut start = Vec::new();
        (&mut reader).take(START).read_to_end(&mut start)?;
        let format = guess(file, &start);
        Self::of(file, Cursor::new(start).chain(reader), format)
    }

    /// Reads any input. `file` is its name for messages.
    ///
    /// # Errors
    /// If the input is not a self-play file although `format` says so.
    pub fn of(file: &Path, reader: impl BufRead + Send + 'static, format: RecordFormat) -> Result<Self, LoadErrorKind> {
        let records: Box<dyn Iterator<Item = _> + Send> = match format {
            RecordFormat::Epd => Box::new(epd::read(reader)),
            RecordFormat::Pgn => Box::new(pgn::read(reader)),
            RecordFormat::Selfplay => Box::new(selfplay::read(reader)?),
        };
        Ok(Self { file: file.to_owned(), records, ended: false })
    }
}

impl Iterator for Records {
    type Item = Result<Record, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.records.next()?;
        Some(item.map_err(|kind| {
            self.ended = kind.is_fatal();
            LoadError { file: self.file.clone(), kind }
        }))
    }
}

/// The number of bytes that decide the format.
const START: u64 = 1 << 10;

fn guess(file: &Path, start: &[u8]) -> RecordFormat {
    let is_pgn = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    match first {
        _ if is_selfplay(start) => RecordFormat::Selfplay,
        _ if is_pgn => RecordFormat::Pgn,
        Some(b'[' | b'%') => RecordFormat::Pgn,
        _ => RecordFormat::Epd,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;

    fn open(name: &str, bytes: &[u8]) -> Vec<Result<Record, LoadError>> {
        let folder = std::env::temp_dir().join(format!("bartizan-games-{}-{name}", std::process::id()));
        File::create(&folder).unwrap().write_all(bytes).unwrap();
        let records = match Records::open(&folder, None) {
            Ok(records) => records.collect(),
            Err(error) => vec![Err(error)],
        };
        std::fs::remove_file(folder).unwrap();
        records
    }

    #[test]
    fn formats_are_detected() {
        assert!(matches!(open("a.pgn", b"1. e4 1-0")[..], [Ok(Record::Game(_))]));
        assert!(matches!(open("a.txt", b"\n[White \"x\"]\n\n1. e4 1-0")[..], [Ok(Record::Game(_))]));
        assert!(matches!(open("a.epd", b"8/8/8/8/8/8/8/K1k5 w - - c9 \"1-0\";")[..], [Ok(Record::Position(_))]));
        assert!(open("a.bin", b"BZSELF01").is_empty());
        assert!(open("empty", b"").is_empty());
    }

    /// A reader that returns one byte at a time, as a decompressor may.
    #[test]
    fn formats_are_detected_in_pieces() {
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
                let one = to.len().min(1);
                self.0.read(&mut to[..one])
            }
        }
        let detect = |bytes: &'static [u8]| {
            Records::detect(Path::new("x"), BufReader::new(Slow(bytes))).unwrap().collect::<Vec<_>>()
        };
        assert!(detect(b"BZSELF01").is_empty());
        assert!(matches!(detect(b"\n[White \"x\"]\n\n1. e4 1-0")[..], [Ok(Record::Game(_))]));
        assert!(matches!(detect(b"8/8/8/8/8/8/8/K1k5 w - - c9 \"1-0\";")[..], [Ok(Record::Position(_))]));
    }

    #[test]
    fn errors_name_the_file() {
        let error = Records::open(Path::new("/nonexistent/games.bin"), None).err().unwrap();
        assert!(error.to_string().starts_with("/nonexistent/games.bin: "), "{error}");
        let error = Records::of(Path::new("x.bin"), &b"BZ"[..], RecordFormat::Selfplay).err().unwrap();
        assert_eq!(
            error.to_string(),
            "not a self-play file: the first 8 bytes are not 'BZSELF04', nor 'BZSELF01' or 'BZSELF02'"
        );
    }
}
