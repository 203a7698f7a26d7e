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
    /// The input begins neither with [`MAGIC`](super::MAGIC) nor as older files do.
    #[error("not a self-play file: the first 8 bytes are not 'BZSELF04', nor 'BZSELF01' or 'BZSELF02'")]
    Magic,
    /// The settings are cut off, too long, damaged or not UTF-8.
    #[error("the settings at byte 8 are {0}")]
    Settings(&'static str),
    /// A record is invalid.
    #[error("record {record} at byte {offset}: {fault}")]
    Record {
        /// The number of the record, from 1.
        record: u64,
        /// The offset of its first byte in the file.
        offset: u64,
        /// The problem.
        fault: RecordFault,
    },
    /// The file ends within a record, or only zeros follow: it was cut off, as by a power cut, or another process is
    /// still writing to it.
    #[error("record {record} at byte {offset} is incomplete")]
    Incomplete {
        /// The number of the record, from 1.
        record: u64,
        /// The offset of its first byte in the file.
        offset: u64,
    },
}

impl ReadError {
    /// Whether the rest of the file is unreadable too: the reader yields no games after this error.
    pub fn is_fatal(&self) -> bool {
        // Only a wrong length hides where the next record begins.
        let hides = |fault: &RecordFault| matches!(fault, RecordFault::Length { .. } | RecordFault::Head);
        !matches!(self, Self::Record { fault, .. } if !hides(fault))
    }
}

/// Why a record is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The length or the number of the game has changed since it was written.
    #[error("its first bytes are damaged")]
    Head,
    /// The game has changed since it was written.
    #[error("it is damaged: the checksum is wrong")]
    Checksum,
    /// The game continues although there is no legal move.
    #[error("ply {ply}: the game is over")]
    Over {
        /// The number of the ply, from 1.
        ply: usize,
    },
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
    /// A move is illegal.
    #[error("game {id}: ply {ply} is an illegal move")]
    Illegal {
        /// The number of the game.
        id: u32,
        /// The number of the ply, from 1.
        ply: usize,
    },
    /// The game is longer than a record can be.
    #[error("game {id} has {plies} plies, at most 65535 are possible")]
    TooLong {
        /// The number of the game.
        id: u32,
        /// Its plies.
        plies: usize,
    },
}
