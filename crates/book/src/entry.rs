//! The entries of a Polyglot book.

use crate::PolyglotKey;
use bartizan_position::Position;
use bartizan_types::{Move, PieceType, Square, UciMove};

/// The size of an entry in bytes.
pub const ENTRY_SIZE: usize = 16;

/// An entry: a move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookEntry {
    /// The key of the position.
    pub key: PolyglotKey,
    /// The move.
    pub mv: PolyglotMove,
    /// How often to play the move, relative to the other moves of the position; 0: never.
    pub weight: u16,
    /// What Polyglot has learnt about the move. Other programs write 0.
    pub learn: u32,
}

impl BookEntry {
    /// Reads an entry. All bytes are valid.
    pub fn from_bytes(bytes: &[u8; ENTRY_SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, m0, m1, w0, w1, l @ ..] = *bytes;
        Self {
            key: PolyglotKey(u64::from_be_bytes([a, b, c, d, e, f, g, h])),
            mv: PolyglotMove(u16::from_be_bytes([m0, m1])),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes(l),
        }
    }

    /// Writes the entry.
    pub fn to_bytes(self) -> [u8; ENTRY_SIZE] {
        let mut bytes = [0; ENTRY_SIZE];
        let (key, rest) = bytes.split_at_mut(8);
        key.copy_from_slice(&self.key.0.to_be_bytes());
        rest[..2].copy_from_slice(&self.mv.0.to_be_bytes());
        rest[2..4].copy_from_slice(&self.weight.to_be_bytes());
        rest[4..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }
}

/// A move as the format stores it: target, origin and promotion piece in 15 bits. Castling is the king capturing its
/// own rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolyglotMove(
    /// Bits 0–5 the target, 6–11 the origin, 12–14 the promotion: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen.
    pub u16,
);

impl PolyglotMove {
    /// Finds the move in a position; `None` if it is not legal there. Castling may also be written as the king's move.
    pub fn resolve(self, position: &Position) -> Option<Move> {
        let promotion = match self.0 >> 12 {
            0 => None,
            1 => Some(PieceType::Knight),
            2 => Some(PieceType::Bishop),
            3 => Some(PieceType::Rook),
            4 => Some(PieceType::Queen),
            _ => return None,
        };
        let square = |shift: u32| Square::from_index(usize::from(self.0 >> shift) % Square::COUNT);
        position.resolve_uci(UciMove { from: square(6), to: square(0), promotion }).ok()
    }
}

impl From<Move> for PolyglotMove {
    fn from(mv: Move) -> Self {
        let promotion = match mv.promotes_to() {
            Some(PieceType::Knight) => 1,
            Some(PieceType::Bishop) => 2,
            Some(PieceType::Rook) => 3,
            Some(_) => 4,
            None => 0,
        };
        Self(mv.to() as u16 | (mv.from() as u16) << 6 | promotion << 12)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_testkit::random_positions;

    #[test]
    fn the_layout_is_that_of_the_format() {
        let entry =
            BookEntry { key: PolyglotKey(0x0102_0304_0506_0708), mv: PolyglotMove(0x090a), weight: 0x0b0c, learn: 1 };
        assert_eq!(entry.to_bytes(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 1]);
        assert_eq!(BookEntry::from_bytes(&entry.to_bytes()), entry);
    }

    #[test]
    fn moves_of_the_format() {
        let after = |fen: &str, bits: u16| {
            let position = Position::from_fen(fen).unwrap();
            PolyglotMove(bits).resolve(&position).map(|mv| mv.to_string())
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        // e2e4: from 12, to 28.
        assert_eq!(after(start, 12 << 6 | 28).as_deref(), Some("e2e4"));
        assert_eq!(after(start, 12 << 6 | 36), None);
        assert_eq!(after(start, 0), None);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (to, name) in [(7, "e1g1"), (0, "e1c1"), (6, "e1g1"), (2, "e1c1")] {
            assert_eq!(after(castling, 4 << 6 | to).as_deref(), Some(name));
        }
        // Without the right to castle, e1h1 would capture its own rook.
        assert_eq!(after("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 4 << 6 | 7), None);
        let promotion = "8/4P2k/8/8/8/8/8/4K3 w - - 0 1";
        for (piece, name) in [(1, "e7e8n"), (2, "e7e8b"), (3, "e7e8r"), (4, "e7e8q")] {
            assert_eq!(after(promotion, piece << 12 | 52 << 6 | 60).as_deref(), Some(name));
        }
        for piece in [0, 5, 6, 7, 12] {
            assert_eq!(after(promotion, piece << 12 | 52 << 6 | 60), None);
        }
    }

    #[test]
    fn every_legal_move_has_an_encoding() {
        for position in random_positions(40).take(2_000) {
            for &mv in &position.legal_moves() {
                assert_eq!(PolyglotMove::from(mv).resolve(&position), Some(mv), "{}", position.to_fen());
            }
        }
    }
}
