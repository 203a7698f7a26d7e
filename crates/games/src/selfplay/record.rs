//! The records of older versions.

use super::{RecordFault, ScoredMove, SelfplayGame, WriteError};
use bartizan_position::PackedPosition;
use bartizan_types::{Color, Move};

/// Bytes of the length field.
pub(crate) const LENGTH_FIELD: usize = 4;
/// Bytes before the moves, the length field included.
pub(crate) const HEAD: usize = LENGTH_FIELD + 40;
/// Bytes of a move and its score.
const SCORED_MOVE: usize = 4;

/// The record of a game.
pub(crate) fn encode(game: &SelfplayGame) -> Result<Vec<u8>, WriteError> {
    let plies = game.moves.len();
    let Ok(plies_field) = u16::try_from(plies) else { return Err(WriteError::TooLong { id: game.id, plies }) };
    let mut record = Vec::with_capacity(HEAD + SCORED_MOVE * plies);
    record.extend(length(plies_field).to_le_bytes());
    record.extend(game.id.to_le_bytes());
    record.extend([result_of(game.winner), 0]);
    record.extend(plies_field.to_le_bytes());
    record.extend(PackedPosition::pack(&game.start).0);
    for scored in &game.moves {
        record.extend(scored.mv.to_bits().to_le_bytes());
        record.extend(scored.score.to_le_bytes());
    }
    Ok(record)
}

/// The result in a record: 0 if Black won, 1 for a draw, 2 if White won.
pub(crate) fn result_of(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::Black) => 0,
        None => 1,
        Some(Color::White) => 2,
    }
}

/// The value of the length field for a number of plies.
fn length(plies: u16) -> u32 {
    (HEAD - LENGTH_FIELD + SCORED_MOVE * usize::from(plies)) as u32
}

/// A record up to the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordHead {
    pub(crate) id: u32,
    result: u8,
    plies: u16,
    start: PackedPosition,
}

impl RecordHead {
    /// Reads the fields; only fails if the length does not match the plies.
    pub(crate) fn decode(bytes: &[u8; HEAD]) -> Result<Self, RecordFault> {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let mut start = PackedPosition([0; 32]);
        start.0.copy_from_slice(&bytes[12..]);
        let head = Self { id: number(4), result: bytes[8], plies: u16::from_le_bytes([bytes[10], bytes[11]]), start };
        match number(0) {
            stated if stated == length(head.plies) => Ok(head),
            stated => Err(RecordFault::Length { length: stated, plies: head.plies }),
        }
    }

    /// Bytes of the moves.
    pub(crate) fn moves_len(&self) -> usize {
        SCORED_MOVE * usize::from(self.plies)
    }

    /// The game with these moves.
    pub(crate) fn game(&self, moves: &[u8]) -> Result<SelfplayGame, RecordFault> {
        let winner = match self.result {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            other => return Err(RecordFault::Result(other)),
        };
        let start = self.start.unpack()?;
        let mut position = start.clone();
        let scored = |(index, four): (usize, &[u8])| {
            let bits = u16::from_le_bytes([four[0], four[1]]);
            let illegal = RecordFault::Move { ply: index + 1, bits };
            let Some(mv) = Move::from_bits(bits) else { return Err(illegal) };
            position = position.play(mv).map_err(|_| illegal)?;
            Ok(ScoredMove { mv, score: i16::from_le_bytes([four[2], four[3]]) })
        };
        let moves = moves.chunks_exact(SCORED_MOVE).enumerate().map(scored).collect::<Result<_, _>>()?;
        Ok(SelfplayGame { id: self.id, start, moves, winner })
    }
}
