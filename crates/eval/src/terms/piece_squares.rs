//! Material and piece-square tables, kept up to date while pieces move.
//!
//! Each side looks at a board that is mirrored, if need be, so that its own king stands on the files e to h; and there
//! are two sets of tables, for kings on the same wing and on opposite ones. (Tables by the king's place are the idea of
//! the input layer of Yu Nasu's NNUE, 2018, in its smallest form.)

use crate::side::{Black, Side, White};
use crate::tally::{Tally, Tracer};
use crate::weights::{COUNT, MATERIAL, PIECE_SQUARE};
use bartizan_position::Position;
use bartizan_types::{Color, Piece, PieceType, Score, Square};

/// On which wings the kings stand: bit 0 for white, bit 1 for black; set on the files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wings(u8);

const WINGS: usize = 4;

impl Wings {
    pub(crate) const KINGSIDE: Self = Self(0);

    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        let bit = |color| u8::from(position.king(color).file().index() < 4);
        Self(bit(Color::White) | bit(Color::Black) << 1)
    }

    /// Where the weight of a piece lies in the term's table.
    const fn place(self, color: Color, piece_type: PieceType, square: Square) -> usize {
        let opposite = matches!(self.0, 1 | 2) as usize;
        let square = square.relative_to(color);
        let square = if self.0 >> color.index() & 1 != 0 { square.flip_file() } else { square };
        (opposite * PieceType::COUNT + piece_type.index()) * Square::COUNT + square.index()
    }
}

/// The worth of every piece on every square, white minus black, for each placing of the kings.
pub(crate) type Table = [[Score; Square::COUNT]; Piece::COUNT];

#[cfg(not(feature = "tuning"))]
static TABLES: [Table; WINGS] = tables(&crate::weights::WEIGHTS);

#[cfg(feature = "tuning")]
static TABLES: std::sync::LazyLock<Box<[Table; WINGS]>> =
    std::sync::LazyLock::new(|| Box::new(tables(crate::weights::current())));

const fn tables(weights: &[Score; COUNT]) -> [Table; WINGS] {
    let mut tables = [[[Score::ZERO; Square::COUNT]; Piece::COUNT]; WINGS];
    let mut i = 0;
    while i < WINGS * Piece::COUNT * Square::COUNT {
        let (wings, piece, square) = (i / (Piece::COUNT * 64), i / 64 % Piece::COUNT, i % 64);
        tables[wings][piece][square] =
            worth(weights, Wings(wings as u8), Piece::ALL[piece], Square::from_index(square));
        i += 1;
    }
    tables
}

const fn worth(weights: &[Score; COUNT], wings: Wings, piece: Piece, square: Square) -> Score {
    let piece_type = piece.piece_type();
    let place = weights[PIECE_SQUARE.offset + wings.place(piece.color(), piece_type, square)];
    let material = match piece_type {
        PieceType::King => Score::ZERO,
        _ => weights[MATERIAL.offset + piece_type.index()],
    };
    let sign = if piece.color().is_white() { 1 } else { -1 };
    Score::new((sign * (place.mg() + material.mg())) as i16, (sign * (place.eg() + material.eg())) as i16)
}

/// The table to be used while the kings stay on these wings.
#[inline(always)]
pub(crate) fn table(wings: Wings) -> &'static Table {
    &TABLES[usize::from(wings.0)]
}

/// White minus black, from nothing.
pub(crate) fn sum(position: &Position) -> Score {
    let table = table(Wings::of(position));
    let worth = |square: Square| position.piece_at(square).map(|piece| table[piece.index()][square.index()]);
    position.occupied().into_iter().filter_map(worth).sum()
}

/// White minus black, each weight counted.
pub(crate) fn trace<T: Tracer>(position: &Position, tracer: &mut T) -> Score {
    let wings = Wings::of(position);
    side::<White, T>(position, wings, tracer) - side::<Black, T>(position, wings, tracer)
}

fn side<S: Side, T: Tracer>(position: &Position, wings: Wings, tracer: &mut T) -> Score {
    let mut tally = Tally::<S, T>::new(tracer);
    for piece_type in PieceType::ALL {
        for square in position.pieces(S::US, piece_type) {
            tally.set_subject(square);
            if piece_type != PieceType::King {
                tally.add_at(MATERIAL, piece_type.index());
            }
            tally.add_at(PIECE_SQUARE, wings.place(S::US, piece_type, square));
        }
    }
    tally.score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::NoTrace;

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
