//! Positions packed into 32 bytes, for files with millions of positions.

use crate::{IllegalSetup, Position, Setup, Tolerance};
use bartizan_types::{Bitboard, Color, Piece, PieceType, Rank, Square};
use core::fmt;

/// A position in 32 bytes, complete except for the game history.
///
/// | bytes | meaning |
/// |-------|---------|
/// | 0–7   | occupied squares, a1 the lowest bit, little-endian |
/// | 8–23  | a code of 4 bits for each occupied square in order, low half first |
/// | 24–25 | halfmove clock, little-endian; the highest bit is set when black is to move |
/// | 26–27 | fullmove number, little-endian |
/// | 28–31 | free for the caller, for example for a score and a result; written as 0 and never read |
///
/// The codes 0 to 11 are the indices of the [`Piece`]s. 12 and 13 denote a white and a black rook that may castle, 14 a
/// pawn that can be captured en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct PackedPosition(
    /// The bytes.
    pub [u8; 32],
);

/// The error of unpacking bytes that do not encode a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum PackedError {
    /// More than 32 squares are occupied.
    ManyPieces(u32),
    /// A code does not denote a piece; or it is the second pawn that can be captured en passant, or such a pawn has
    /// made no double step.
    Code {
        /// The square.
        square: Square,
        /// The code.
        code: u8,
    },
    /// The position is illegal.
    Illegal(IllegalSetup),
}

impl fmt::Display for PackedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ManyPieces(count) => write!(f, "packed position: {count} occupied squares, more than 32"),
            Self::Code { square, code } => write!(f, "packed position: invalid piece code {code} on {square}"),
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PackedError {}

impl From<IllegalSetup> for PackedError {
    fn from(error: IllegalSetup) -> Self {
        Self::Illegal(error)
    }
}

const CASTLING_ROOK: u8 = 12;
const EN_PASSANT_PAWN: u8 = 14;
const BLACK_TO_MOVE: u16 = 0x8000;

impl PackedPosition {
    /// Packs a position.
    pub fn pack(position: &Position) -> Self {
        let mut bytes = [0; 32];
        let occupied = position.occupied();
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        let victim = position.en_passant().and_then(|square| Position::ahead(!position.turn(), square));
        for (i, square) in occupied.into_iter().enumerate() {
            let Some(piece) = position.piece_at(square) else { continue };
            let code = if position.castling().rooks().contains(square) {
                CASTLING_ROOK + piece.color().index() as u8
            } else if victim == Some(square) {
                EN_PASSANT_PAWN
            } else {
                piece.index() as u8
            };
            bytes[8 + i / 2] |= code << (4 * (i % 2));
        }
        let turn = if position.turn().is_white() { 0 } else { BLACK_TO_MOVE };
        let clock = position.halfmove_clock().min(BLACK_TO_MOVE - 1) | turn;
        bytes[24..26].copy_from_slice(&clock.to_le_bytes());
        bytes[26..28].copy_from_slice(&position.fullmove_number().to_le_bytes());
        Self(bytes)
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        if self.word(24) & BLACK_TO_MOVE == 0 { Color::White } else { Color::Black }
    }

    /// The pieces in the order of their squares, without checking that the position is legal: for programs that read
    /// millions of positions that they have written themselves. Invalid codes and squares after the first 32 are
    /// skipped.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        self.occupied().into_iter().take(32).enumerate().filter_map(|(i, square)| {
            let piece = match self.code(i) {
                EN_PASSANT_PAWN => PieceType::Pawn.of(!self.turn()),
                code @ CASTLING_ROOK..EN_PASSANT_PAWN => {
                    PieceType::Rook.of(Color::ALL[usize::from(code - CASTLING_ROOK)])
                }
                code => *Piece::ALL.get(usize::from(code))?,
            };
            Some((piece, square))
        })
    }

    #[inline]
    fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        Bitboard((0..8).rev().fold(0, |bits, i| bits << 8 | u64::from(self.0[i])))
    }

    /// The code of the occupied square number `i`, below 32.
    #[inline]
    fn code(&self, i: usize) -> u8 {
        self.0[8 + i / 2] >> (4 * (i % 2)) & 15
    }

    /// Unpacks a position.
    ///
    /// # Errors
    /// [`PackedError`] if the bytes do not encode a position.
    pub fn unpack(&self) -> Result<Position, PackedError> {
        let occupied = self.occupied();
        if occupied.count() > 32 {
            return Err(PackedError::ManyPieces(occupied.count()));
        }
        let clock = self.word(24);
        let mut setup = Setup {
            turn: self.turn(),
            halfmove_clock: clock & !BLACK_TO_MOVE,
            fullmove_number: self.word(26),
            ..Setup::EMPTY
        };
        for (i, square) in occupied.into_iter().enumerate() {
            let code = self.code(i);
            let piece = match code {
                EN_PASSANT_PAWN => {
                    let pusher = !setup.turn;
                    if setup.en_passant.is_some() || square.rank() != pusher.relative_rank(Rank::Fourth) {
                        return Err(PackedError::Code { square, code });
                    }
                    setup.en_passant = Some(Square::new(square.file(), pusher.relative_rank(Rank::Third)));
                    PieceType::Pawn.of(pusher)
                }
                CASTLING_ROOK..EN_PASSANT_PAWN => {
                    setup.castling.insert(square);
                    PieceType::Rook.of(Color::ALL[usize::from(code - CASTLING_ROOK)])
                }
                _ => *Piece::ALL.get(usize::from(code)).ok_or(PackedError::Code { square, code })?,
            };
            setup.board[square.index()] = Some(piece);
        }
        // Positions that an engine accepts for analysis must round-trip.
        Ok(setup.validate(Tolerance { castling: false, en_passant: false, checks: true, promoted: true })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pawn_after_a_double_step_can_be_captured_en_passant() {
        let position = Position::from_fen("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1").unwrap();
        let packed = PackedPosition::pack(&position);
        assert_eq!(packed.unpack(), Ok(position));
        let error = |fen: &str, square: Square| {
            let position = Position::from_fen(fen).unwrap();
            let mut packed = PackedPosition::pack(&position);
            for (i, pawn) in position.occupied().into_iter().enumerate() {
                if position.piece_at(pawn) == Some(Piece::BlackPawn) {
                    let shift = 4 * (i % 2);
                    packed.0[8 + i / 2] = packed.0[8 + i / 2] & !(15 << shift) | EN_PASSANT_PAWN << shift;
                }
            }
            assert_eq!(packed.unpack(), Err(PackedError::Code { square, code: EN_PASSANT_PAWN }), "{fen}");
        };
        error("4k3/8/8/1pPpP3/8/8/8/4K3 w - - 0 1", Square::D5);
        error("4k3/8/4p3/3P4/8/8/8/4K3 w - - 0 1", Square::E6);
    }
}
