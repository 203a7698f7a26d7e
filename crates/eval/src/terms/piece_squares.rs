//! Material and piece-square tables, updated incrementally.
//!
//! Each side sees the board mirrored, if needed, so that its own king stands on files e to h. There are two sets of
//! tables, for kings on the same wing and on opposite wings. This is the smallest form of king-relative inputs, as in
//! Yu Nasu's NNUE (2018).

use crate::side::{Black, Side, White};
use crate::side_score::{SideScore, Tracer};
use crate::weights::{COUNT, MATERIAL, PIECE_SQUARE};
use bartizan_position::Position;
use bartizan_types::{Color, Piece, PieceType, Square, TaperedScore};

/// The wings of both kings: bit 0 for white, bit 1 for black, set when the king is on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KingWings(u8);

const WINGS: usize = 4;

impl KingWings {
    pub(crate) const KINGSIDE: Self = Self(0);

    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        let bit = |color| u8::from(position.king(color).file().index() < 4);
        Self(bit(Color::White) | bit(Color::Black) << 1)
    }

    /// The index of a piece's weight in the table of [`PIECE_SQUARE`].
    const fn index(self, color: Color, piece_type: PieceType, square: Square) -> usize {
        let opposite = matches!(self.0, 1 | 2) as usize;
        let square = square.relative_to(color);
        let square = if self.0 >> color.index() & 1 != 0 { square.flip_file() } else { square };
        (opposite * PieceType::COUNT + piece_type.index()) * Square::COUNT + square.index()
    }
}

/// The score of every piece on every square, white minus black.
pub(crate) type Table = [[TaperedScore; Square::COUNT]; Piece::COUNT];

#[cfg(not(feature = "tuning"))]
static TABLES: [Table; WINGS] = tables(&crate::weights::WEIGHTS);

#[cfg(feature = "tuning")]
static TABLES: std::sync::LazyLock<Box<[Table; WINGS]>> =
    std::sync::LazyLock::new(|| Box::new(tables(crate::weights::current())));

const fn tables(weights: &[TaperedScore; COUNT]) -> [Table; WINGS] {
    let mut tables = [[[TaperedScore::ZERO; Square::COUNT]; Piece::COUNT]; WINGS];
    let mut i = 0;
    while i < WINGS * Piece::COUNT * Square::COUNT {
        let (wings, piece, square) = (i / (Piece::COUNT * 64), i / 64 % Piece::COUNT, i % 64);
        tables[wings][piece][square] =
            score_of(weights, KingWings(wings as u8), Piece::ALL[piece], Square::from_index(square));
        i += 1;
    }
    tables
}

/// Material and piece-square weight of a piece, negative for black.
const fn score_of(weights: &[TaperedScore; COUNT], wings: KingWings, piece: Piece, square: Square) -> TaperedScore {
    let piece_type = piece.piece_type();
    let place = weights[PIECE_SQUARE.offset + wings.index(piece.color(), piece_type, square)];
    let material = match piece_type {
        PieceType::King => TaperedScore::ZERO,
        _ => weights[MATERIAL.offset + piece_type.index()],
    };
    let sign = if piece.color().is_white() { 1 } else { -1 };
    TaperedScore::new((sign * (place.mg() + material.mg())) as i16, (sign * (place.eg() + material.eg())) as i16)
}

/// The table for kings on these wings.
#[inline(always)]
pub(crate) fn table(wings: KingWings) -> &'static Table {
    &TABLES[usize::from(wings.0)]
}

/// The sum for all pieces, white minus black.
pub(crate) fn sum(position: &Position) -> TaperedScore {
    let table = table(KingWings::of(position));
    position.placement().map(|(square, piece)| table[piece.index()][square.index()]).sum()
}

/// The same sum as [`sum`], with every weight counted.
pub(crate) fn trace<T: Tracer>(position: &Position, tracer: &mut T) -> TaperedScore {
    let wings = KingWings::of(position);
    side::<White, T>(position, wings, tracer) - side::<Black, T>(position, wings, tracer)
}

fn side<S: Side, T: Tracer>(position: &Position, wings: KingWings, tracer: &mut T) -> TaperedScore {
    let mut tally = SideScore::<S, T>::new(tracer);
    for piece_type in PieceType::ALL {
        for square in position.pieces(S::US, piece_type) {
            tally.set_subject(square);
            if piece_type != PieceType::King {
                tally.add_at(MATERIAL, piece_type.index());
            }
            tally.add_at(PIECE_SQUARE, wings.index(S::US, piece_type, square));
        }
    }
    tally.score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side_score::NoTrace;

    #[test]
    fn table_and_weights_agree() {
        for fen in [
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1",
            "2kr3r/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 b - - 0 1",
            "2kr3r/ppp2ppp/8/8/8/8/PPP2PPP/2KR3R b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(sum(&position), trace(&position, &mut NoTrace), "{fen}");
            assert_eq!(sum(&position), -sum(&position.flipped()), "{fen}");
        }
    }
}
