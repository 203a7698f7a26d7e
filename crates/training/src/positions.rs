//! Files of single positions, for training.
//!
//! A file begins with the eight bytes `BZPOSN01`; records of 32 bytes follow. A record is a
//! [`PackedPosition`], whose last four bytes hold:
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 28 | 2 | the score of the search for the side to move, in internal centipawns, signed |
//! | 30 | 1 | result: 0 Black won, 1 draw, 2 White won |
//! | 31 | 1 | reserved: written as 0, ignored by readers |

use bartizan_position::{PackedError, PackedPosition, Position};
use bartizan_types::{Color, Value};
use std::io::{self, Read, Write};

/// The first eight bytes of a file of positions.
pub const POSITIONS_MAGIC: [u8; 8] = *b"BZPOSN01";

/// Bytes of a record.
pub const SAMPLE_SIZE: usize = 32;

/// A position of a game, with the score of the search and the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionSample(PackedPosition);

impl PositionSample {
    /// Packs a position. `score` is for the side to move in internal centipawns; `winner` is `None` for a draw.
    pub fn new(position: &Position, score: i16, winner: Option<Color>) -> Self {
        let mut packed = PackedPosition::pack(position);
        packed.0[28..30].copy_from_slice(&score.to_le_bytes());
        packed.0[30] = winner.map_or(1, |winner| if winner.is_white() { 2 } else { 0 });
        Self(packed)
    }

    /// Takes a record of a file. Does not check whether it holds a position.
    #[inline]
    pub fn from_bytes(bytes: [u8; SAMPLE_SIZE]) -> Self {
        Self(PackedPosition(bytes))
    }

    /// The record.
    #[inline]
    pub fn to_bytes(self) -> [u8; SAMPLE_SIZE] {
        self.0.0
    }

    /// The position.
    #[inline]
    pub fn packed(&self) -> &PackedPosition {
        &self.0
    }

    /// The position; errors give `what` it is in its file, and its number there.
    pub(crate) fn unpack(&self, what: &'static str, number: u64) -> Result<Position, InvalidSample> {
        self.0.unpack().map_err(|source| InvalidSample { what, number, source })
    }

    /// The score of the search for the side to move, in internal centipawns.
    #[inline]
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0.0[28], self.0.0[29]])
    }

    /// The same position with another score for the side to move, truncated to 16 bits.
    #[must_use]
    pub fn with_score(mut self, score: Value) -> Self {
        let score = score.0.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        self.0.0[28..30].copy_from_slice(&score.to_le_bytes());
        self
    }

    /// Whether the positions and the results of their games are the same.
    pub fn is_same_position(&self, other: &Self) -> bool {
        self.with_score(Value::ZERO) == other.with_score(Value::ZERO)
    }

    /// The result of the game for the side to move: 0 lost, 0.5 drawn, 1 won.
    #[inline]
    pub fn result(&self) -> f32 {
        let white = f32::from(self.0.0[30].min(2)) / 2.0;
        if self.0.turn().is_white() { white } else { 1.0 - white }
    }
}

/// Writes a file of positions. Wrap files in a [`BufWriter`](std::io::BufWriter).
#[derive(Debug)]
pub struct SampleWriter<W> {
    writer: W,
}

impl<W: Write> SampleWriter<W> {
    /// Begins a file: writes the first bytes.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut writer: W) -> io::Result<Self> {
        writer.write_all(&POSITIONS_MAGIC)?;
        Ok(Self { writer })
    }

    /// Writes a position.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&mut self, sample: PositionSample) -> io::Result<()> {
        self.writer.write_all(&sample.to_bytes())
    }

    /// The output, which must not be written to.
    pub fn get_ref(&self) -> &W {
        &self.writer
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

/// Reads a file of positions in constant memory.
#[derive(Debug)]
pub struct SampleReader<R> {
    reader: R,
}

/// A file of positions cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input does not begin with [`POSITIONS_MAGIC`].
    #[error("not a file of positions: the first 8 bytes are not 'BZPOSN01'")]
    Magic,
    /// The file ends within a record.
    #[error("the last position is incomplete: it has {0} bytes of {SAMPLE_SIZE}")]
    Incomplete(usize),
}

impl<R: Read> SampleReader<R> {
    /// Reads the header before the first position.
    ///
    /// # Errors
    /// [`SampleError::Magic`] if the input is not a file of positions, [`SampleError::Io`] if it cannot be read.
    pub fn new(mut reader: R) -> Result<Self, SampleError> {
        let mut magic = Vec::with_capacity(POSITIONS_MAGIC.len());
        reader.by_ref().take(POSITIONS_MAGIC.len() as u64).read_to_end(&mut magic)?;
        if magic != POSITIONS_MAGIC {
            return Err(SampleError::Magic);
        }
        Ok(Self { reader })
    }

    /// Replaces `samples` with the next positions: `count` of them, unless the file ends before.
    ///
    /// # Errors
    /// [`SampleError::Io`] if the input fails, [`SampleError::Incomplete`] if it ends within a record.
    pub fn read(&mut self, samples: &mut Vec<PositionSample>, count: usize) -> Result<(), SampleError> {
        samples.clear();
        let mut bytes = Vec::with_capacity(count * SAMPLE_SIZE);
        self.reader.by_ref().take((count * SAMPLE_SIZE) as u64).read_to_end(&mut bytes)?;
        let (records, rest) = bytes.as_chunks::<SAMPLE_SIZE>();
        samples.extend(records.iter().map(|&record| PositionSample::from_bytes(record)));
        if rest.is_empty() { Ok(()) } else { Err(SampleError::Incomplete(rest.len())) }
    }
}

/// A sample holds no position.
#[derive(Debug, thiserror::Error)]
#[error("{what} {number}")]
pub(crate) struct InvalidSample {
    what: &'static str,
    number: u64,
    source: PackedError,
}

/// Calls `work` with the positions of a file, at most `size` at a time, and the number of positions before them.
/// `failed` converts read errors to the caller's errors.
pub(crate) fn each_chunk<E>(
    input: impl Read,
    size: usize,
    failed: impl Fn(SampleError) -> E,
    mut work: impl FnMut(&[PositionSample], u64) -> Result<(), E>,
) -> Result<(), E> {
    let mut reader = SampleReader::new(input).map_err(&failed)?;
    let (mut samples, mut before) = (Vec::new(), 0);
    loop {
        reader.read(&mut samples, size).map_err(&failed)?;
        if samples.is_empty() {
            return Ok(());
        }
        work(&samples, before)?;
        before += samples.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_keep_position_score_and_result() {
        let black_to_move: Position =
            "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 3 30".parse().expect("a legal position of this test");
        let sample = PositionSample::new(&black_to_move, -123, Some(Color::White));
        assert_eq!(sample.packed().unpack().as_ref(), Ok(&black_to_move));
        assert_eq!((sample.score(), sample.result()), (-123, 0.0));
        assert_eq!(sample.packed().pieces().count(), 8);
        let mut file = SampleWriter::new(Vec::new()).expect("memory");
        for _ in 0..3 {
            file.write(sample).expect("memory");
        }
        let file = file.into_inner();
        let mut samples = Vec::new();
        let mut reader = SampleReader::new(file.as_slice()).expect("a file");
        reader.read(&mut samples, 2).expect("whole records");
        assert_eq!(samples, [sample, sample]);
        reader.read(&mut samples, 2).expect("whole records");
        assert_eq!(samples, [sample]);
        reader.read(&mut samples, 2).expect("the end");
        assert_eq!(samples, []);
        let mut cut = SampleReader::new(&file[..file.len() - 1]).expect("a file");
        assert!(matches!(cut.read(&mut samples, 9), Err(SampleError::Incomplete(31))));
        assert_eq!(samples, [sample, sample]);
        assert!(matches!(SampleReader::new(&b"BZSELF01"[..]), Err(SampleError::Magic)));
    }
}
