//! Errors of reading and writing.

use bartizan_position::PackedError;
use std::io;

/// A self-play file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input does not begin with [`MAGIC`](super::MAGIC) or [`MAGIC_WITH_SETTINGS`](super::MAGIC_WITH_SETTINGS).
    #[error("not a self-play file: the first 8 bytes are neither 'BZSELF01' nor 'BZSELF02'")]
    Magic,
    /// The settings are cut off, too long or not UTF-8.
    #[error("the settings at byte 8 are {0}")]
    Settings(&'static str),
    /// A record is invalid.
    #[error("record {record} at byte {offset}: {fault}")]
    Record {
        /// The number of the record, from 1.
        record: u64,
        /// The offset of its first byte in the file.
        offset: u64,
        /// What is wrong with it.
        fault: RecordFault,
    },
    /// The file ends within a record: it was cut off, or another process is writing to it.
    #[error("record {record} at byte {offset} is incomplete")]
    Incomplete {
        /// The number of the record, from 1.
        record: u64,
        /// The offset of its first byte in the file.
        offset: u64,
    },
}

impl ReadError {
    /// Whether the rest of the file is unreadable too: the reader yields no more games after this error.
    pub fn is_fatal(&self) -> bool {
        // Only a wrong length hides where the next record begins.
        !matches!(self, Self::Record { fault, .. } if !matches!(fault, RecordFault::Length { .. }))
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The length does not match the number of plies.
    #[error("length {length} does not match {plies} plies")]
    Length {
        /// The length that the record states.
        length: u32,
        /// The number of plies that it states.
        plies: u16,
    },
    /// The result is not 0, 1 or 2.
    #[error("invalid result {0}, expected 0, 1 or 2")]
    Result(u8),
    /// The start position is invalid.
    #[error(transparent)]
    Position(#[from] PackedError),
    /// A move is illegal.
    #[error("ply {ply}: illegal move {bits:#06x}")]
    Move {
        /// The number of the ply, from 1.
        ply: usize,
        /// The bits of the move.
        bits: u16,
    },
}

/// A game cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The game is longer than a record can be.
    #[error("game {id} has {plies} plies, at most 65535 are possible")]
    TooLong {
        /// The number of the game.
        id: u32,
        /// Its plies.
        plies: usize,
    },
}
