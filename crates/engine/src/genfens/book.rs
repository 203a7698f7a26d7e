//! The positions from which openings begin.

use bartizan_files::ZeroGuard;
use bartizan_notation::epd::{Epd, EpdError};
use bartizan_notation::list;
use bartizan_notation::pgn::{PgnError, PgnReader, Strictness};
use bartizan_position::{Game, Position};
use bartizan_types::{Escaped, SplitMix64};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The greatest length of a line in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// Why a book is unusable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningSourceError {
    /// The file cannot be read.
    #[error("cannot read '{}': {source}", Escaped(.path.display()))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// A line of an EPD or FEN file is invalid.
    #[error("'{}': line {line}: {source}", Escaped(.path.display()))]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The problem.
        source: EpdError,
    },
    /// A game of a PGN file is invalid.
    #[error("'{}': {source}", Escaped(.path.display()))]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The problem and its location.
        source: PgnError,
    },
    /// The file has no position.
    #[error("no positions in '{}'", Escaped(.0.display()))]
    Empty(PathBuf),
}

/// Where openings begin.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpeningSource {
    /// The starting position of chess.
    Startpos,
    /// A position of an EPD or FEN file.
    Lines(Lines),
    /// The last positions of the games of a PGN file; at least one.
    Games(Vec<Position>),
}

impl OpeningSource {
    /// Opens a file: PGN if the name ends in `.pgn`, otherwise EPD or FEN with one position per line. The lines of an
    /// EPD file are parsed when they are picked, because the largest books have millions.
    ///
    /// # Errors
    /// [`OpeningSourceError`] when the file cannot be read, has no position, or has an invalid PGN game.
    pub fn open(path: &Path) -> Result<Self, OpeningSourceError> {
        let io_error = |source| OpeningSourceError::Io { path: path.to_owned(), source };
        let reader = BufReader::new(ZeroGuard::new(bartizan_files::open_regular(path).map_err(io_error)?));
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let book = if is_pgn {
            let last_position = |game: Result<_, PgnError>| {
                let pgn: bartizan_notation::pgn::PgnGame =
                    game.map_err(|source| OpeningSourceError::Pgn { path: path.to_owned(), source })?;
                // The reader has already played every move.
                Ok(pgn.to_game().unwrap_or_else(|_| Game::new(pgn.start.clone())).position().clone())
            };
            Self::Games(
                PgnReader::new(reader).strictness(Strictness::Moves).map(last_position).collect::<Result<_, _>>()?,
            )
        } else {
            Self::Lines(Lines::new(path, reader).map_err(io_error)?)
        };
        let is_empty = match &book {
            Self::Startpos => false,
            Self::Lines(lines) => lines.starts.is_empty(),
            Self::Games(positions) => positions.is_empty(),
        };
        if is_empty { Err(OpeningSourceError::Empty(path.to_owned())) } else { Ok(book) }
    }

    /// Whether there is no book.
    pub fn is_startpos(&self) -> bool {
        matches!(self, Self::Startpos)
    }

    /// Picks a position at random.
    ///
    /// # Errors
    /// [`OpeningSourceError`] when the line cannot be read or is invalid.
    pub fn pick(&mut self, random: &mut SplitMix64) -> Result<Position, OpeningSourceError> {
        match self {
            Self::Startpos => Ok(Position::startpos()),
            Self::Lines(lines) => lines.pick(random),
            Self::Games(positions) => Ok(positions[random.below(positions.len())].clone()),
        }
    }
}

/// The lines of an EPD or FEN file.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    reader: BufReader<ZeroGuard<File>>,
    /// The offset of each line with a position.
    starts: Vec<u64>,
}

impl Lines {
    fn new(path: &Path, mut reader: BufReader<ZeroGuard<File>>) -> io::Result<Self> {
        let mut starts = Vec::new();
        let mut offset = 0;
        list::refuse_utf16(reader.fill_buf()?)?;
        if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            reader.consume(3);
            offset = 3;
        }
        let mut line = Vec::new();
        let mut is_start = true;
        loop {
            line.clear();
            let length = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            if length == 0 {
                break;
            }
            if is_start && list::record(&list::decode(&line)).is_some() {
                starts.push(offset);
            }
            is_start = line.ends_with(b"\n");
            offset += length as u64;
        }
        Ok(Self { path: path.to_owned(), reader, starts })
    }

    fn pick(&mut self, random: &mut SplitMix64) -> Result<Position, OpeningSourceError> {
        let start = self.starts[random.below(self.starts.len())];
        let line = self.read(start).map_err(|source| OpeningSourceError::Io { path: self.path.clone(), source })?;
        let epd = if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            Err(EpdError::TooLong)
        } else {
            Epd::parse(list::decode(&line).trim())
        };
        match epd {
            Ok(epd) => Ok(epd.position),
            Err(source) => {
                let path = self.path.clone();
                match self.line_number(start) {
                    Ok(line) => Err(OpeningSourceError::Line { path, line, source }),
                    Err(source) => Err(OpeningSourceError::Io { path, source }),
                }
            }
        }
    }

    fn read(&mut self, start: u64) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.reader.seek(SeekFrom::Start(start))?;
        (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        Ok(line)
    }

    /// The number of the line at an offset, from 1.
    fn line_number(&mut self, start: u64) -> io::Result<usize> {
        self.reader.seek(SeekFrom::Start(0))?;
        let mut before = (&mut self.reader).take(start);
        let mut ends = 0;
        loop {
            let buffer = before.fill_buf()?;
            let length = buffer.len();
            if length == 0 {
                return Ok(ends + 1);
            }
            ends += buffer.iter().filter(|&&byte| byte == b'\n').count();
            before.consume(length);
        }
    }
}
