//! Files of games and of positions with results.
//!
//! | format | what it must hold |
//! |---|---|
//! | EPD | a result on each line: `c9 "1-0"`, `c2 "0.5"` or `[0.5]` at the end; optionally `ce` (the score) and `id` |
//! | PGN | results; optionally scores as comments: `+0.35/12` for the mover, or `[%eval 0.35]` for white |
//! | self-play | `BZSELF01` and records, as `bartizan-tools selfplay` writes them |
//!
//! Lines with the same `id` count as one game, any other line as a game of its own.

mod epd;
mod pgn;
mod result;
mod selfplay;

pub use result::{ParseResultError, parse_result};

use bartizan_data::ReadError;
use bartizan_notation::epd::EpdError;
use bartizan_notation::pgn::PgnError;
use bartizan_position::Position;
use bartizan_types::Move;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Where the moves begin.
    pub start: Position,
    /// The moves and their scores, in centipawns for white.
    pub moves: Vec<(Move, Option<i32>)>,
    /// 0 black won, 1 draw, 2 white won.
    pub result: u8,
    /// The scores were written for people: if they are of this engine, they are normalised.
    pub is_shown: bool,
}

/// A position and how its game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRecord {
    /// The position.
    pub position: Position,
    /// 0 black won, 1 draw, 2 white won.
    pub result: u8,
    /// Its score, in centipawns for white.
    pub score: Option<i32>,
    /// The same for positions of one game.
    pub id: Option<String>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // One at a time.
pub enum Record {
    /// A game.
    Game(GameRecord),
    /// A single position.
    Position(PositionRecord),
    /// A game without a result, which teaches nothing.
    NoResult,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One position a line.
    Epd,
    /// Games.
    Pgn,
    /// Games of `bartizan-tools selfplay`.
    Selfplay,
}

/// What is wrong with a file, and where.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", .file.display())]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// What and where.
    pub kind: LoadErrorKind,
}

/// What is wrong with a file, and where in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is no EPD.
    #[error("line {line}: {error}")]
    Epd {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        error: EpdError,
    },
    /// A line without a result.
    #[error("line {line}: no result: neither c9 nor c2 nor a last word such as [0.5]")]
    NoResult {
        /// From 1.
        line: usize,
    },
    /// A result that is none.
    #[error("line {line}: {error}")]
    Result {
        /// From 1.
        line: usize,
        /// What stands there.
        error: ParseResultError,
    },
    /// A game is broken.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A self-play file is broken.
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

impl LoadErrorKind {
    /// Whether the rest of the file cannot be read.
    fn is_fatal(&self) -> bool {
        match self {
            Self::Io(_) => true,
            Self::Selfplay(error) => error.is_fatal(),
            _ => false,
        }
    }
}

/// The records of a file, one after the other; after an error in one the next is read.
pub struct Records {
    file: PathBuf,
    records: Box<dyn Iterator<Item = Result<Record, LoadErrorKind>> + Send>,
    ended: bool,
}

impl Records {
    /// Opens a file. Without a format it is told from the first bytes and the name: `BZSELF01`, then `.pgn`, a tag, and
    /// what is left is EPD.
    ///
    /// # Errors
    /// When the file cannot be opened, or is no self-play file and should be.
    pub fn open(file: &Path, format: Option<Format>) -> Result<Self, LoadError> {
        let error = |kind: LoadErrorKind| LoadError { file: file.to_owned(), kind };
        let mut reader = BufReader::with_capacity(1 << 16, File::open(file).map_err(|e| error(e.into()))?);
        let format = match format {
            Some(format) => format,
            None => guess(file, &mut reader).map_err(|e| error(e.into()))?,
        };
        Self::of(file, reader, format).map_err(error)
    }

    /// The same for anything that can be read. `file` is its name in messages.
    ///
    /// # Errors
    /// When it is no self-play file and should be.
    pub fn of(file: &Path, reader: impl BufRead + Send + 'static, format: Format) -> Result<Self, LoadErrorKind> {
        let records: Box<dyn Iterator<Item = _> + Send> = match format {
            Format::Epd => Box::new(epd::read(reader)),
            Format::Pgn => Box::new(pgn::read(reader)),
            Format::Selfplay => Box::new(selfplay::read(reader)?),
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

fn guess(file: &Path, reader: &mut (impl BufRead + Seek)) -> io::Result<Format> {
    let is_pgn = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let bytes = reader.fill_buf()?;
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    Ok(match first {
        _ if bytes.starts_with(&bartizan_data::MAGIC) => Format::Selfplay,
        _ if is_pgn => Format::Pgn,
        Some(b'[') => Format::Pgn,
        _ => Format::Epd,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn open(name: &str, bytes: &[u8]) -> Vec<Result<Record, LoadError>> {
        let folder = std::env::temp_dir().join(format!("bartizan-tuner-{}-{name}", std::process::id()));
        File::create(&folder).unwrap().write_all(bytes).unwrap();
        let records = match Records::open(&folder, None) {
            Ok(records) => records.collect(),
            Err(error) => vec![Err(error)],
        };
        std::fs::remove_file(folder).unwrap();
        records
    }

    #[test]
    fn formats_are_told_apart() {
        assert!(matches!(open("a.pgn", b"1. e4 1-0")[..], [Ok(Record::Game(_))]));
        assert!(matches!(open("a.txt", b"\n[White \"x\"]\n\n1. e4 1-0")[..], [Ok(Record::Game(_))]));
        assert!(matches!(open("a.epd", b"8/8/8/8/8/8/8/K1k5 w - - c9 \"1-0\";")[..], [Ok(Record::Position(_))]));
        assert!(open("a.bin", b"BZSELF01").is_empty());
        assert!(open("empty", b"").is_empty());
    }

    #[test]
    fn errors_name_the_file() {
        let error = Records::open(Path::new("/nonexistent/games.bin"), None).err().unwrap();
        assert!(error.to_string().starts_with("/nonexistent/games.bin: "), "{error}");
        let error = Records::of(Path::new("x.bin"), &b"BZ"[..], Format::Selfplay).err().unwrap();
        assert_eq!(error.to_string(), "not a self-play file: the first 8 bytes are not 'BZSELF01'");
    }
}
