//! Precomputed sets of squares in front of pawns and around kings.

use crate::side::Side;
use bartizan_types::{Bitboard, ByColor, Color, File, Rank, Square};

/// Files a to d.
pub(crate) const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

/// Files c to f.
pub(crate) const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Tables of squares in front of a pawn, by colour and square.
struct Spans {
    /// Squares in front on the same file.
    file: ByColor<[Bitboard; Square::COUNT]>,
    /// Squares in front on the same file and both adjacent files.
    passed: ByColor<[Bitboard; Square::COUNT]>,
}

static SPANS: Spans = spans();

const fn spans() -> Spans {
    let empty = ByColor([[Bitboard::EMPTY; Square::COUNT]; 2]);
    let mut spans = Spans { file: empty, passed: empty };
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index(index);
        let file = square.file().bitboard().0;
        let files = file | square.file().adjacent().0;
        let rank = square.rank().index();
        let above = if rank == 7 { 0 } else { !0u64 << (8 * (rank + 1)) };
        let below = (1u64 << (8 * rank)) - 1;
        let (white, black) = (Color::White.index(), Color::Black.index());
        spans.file.0[white][index] = Bitboard(file & above);
        spans.file.0[black][index] = Bitboard(file & below);
        spans.passed.0[white][index] = Bitboard(files & above);
        spans.passed.0[black][index] = Bitboard(files & below);
        index += 1;
    }
    spans
}

/// The squares in front of `square` on its file, from the point of view of `S`.
#[inline(always)]
pub(crate) fn file_ahead<S: Side>(square: Square) -> Bitboard {
    SPANS.file[S::US][square.index()]
}

/// The squares in front of `square` on its file and the adjacent files. A pawn is passed when no enemy pawn stands
/// there.
#[inline(always)]
pub(crate) fn passed_span<S: Side>(square: Square) -> Bitboard {
    SPANS.passed[S::US][square.index()]
}

/// King zones by square: the 3×3 block centred on the king, shifted inwards for a king on the edge.
static ZONES: [Bitboard; Square::COUNT] = zones();

const fn zones() -> [Bitboard; Square::COUNT] {
    let mut zones = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index(index);
        let centre = Square::new(File::from_index(inner(square.file().index())), {
            Rank::from_index(inner(square.rank().index()))
        });
        let row = 7u64 << (centre.file().index() - 1);
        zones[index] = Bitboard((row | row << 8 | row << 16) << (8 * (centre.rank().index() - 1)));
        index += 1;
    }
    zones
}

/// The file or rank index clamped to 1..=6.
const fn inner(index: usize) -> usize {
    match index {
        0 => 1,
        7 => 6,
        _ => index,
    }
}

/// The zone of a king: the nine squares whose attackers count as king attackers.
#[inline(always)]
pub(crate) fn king_zone(king: Square) -> Bitboard {
    ZONES[king.index()]
}

/// King flanks by file: the four files of the king's wing, or c to f for a king on the d- or e-file.
static FLANKS: [Bitboard; 8] = {
    const KINGSIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    [QUEENSIDE, QUEENSIDE, QUEENSIDE, CENTRE_FILES, CENTRE_FILES, KINGSIDE, KINGSIDE, KINGSIDE]
};

/// The flank of a king that stands on `file`.
#[inline(always)]
pub(crate) fn flank(file: File) -> Bitboard {
    FLANKS[file.index()]
}

/// The squares directly left and right of a set.
#[inline(always)]
pub(crate) fn beside(set: Bitboard) -> Bitboard {
    use bartizan_types::Direction::{East, West};
    set.shift(East) | set.shift(West)
}

/// The set and all squares in front of it, from the point of view of `S`.
#[inline(always)]
pub(crate) fn fill_ahead<S: Side>(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    if S::US.is_white() {
        bits |= bits << 8;
        bits |= bits << 16;
        bits |= bits << 32;
    } else {
        bits |= bits >> 8;
        bits |= bits >> 16;
        bits |= bits >> 32;
    }
    Bitboard(bits)
}

/// The files on which a set has squares: the lowest bit is file a.
#[inline(always)]
pub(crate) fn files(set: Bitboard) -> u8 {
    let ranks = set.0 | set.0 >> 32;
    let ranks = ranks | ranks >> 16;
    (ranks | ranks >> 8) as u8
}

/// The distance of a file from the nearer edge: 0 for a and h to 3 for d and e.
#[inline(always)]
pub(crate) fn edge_distance(file: File) -> usize {
    let index = file.index();
    if index > 3 { 7 - index } else { index }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::side::{Black, White};

    #[test]
    fn spans_of_e4() {
        assert_eq!(file_ahead::<White>(Square::E4).count(), 4);
        assert_eq!(file_ahead::<Black>(Square::E4).count(), 3);
        assert_eq!(passed_span::<White>(Square::E4).count(), 12);
        assert_eq!(passed_span::<Black>(Square::A4).count(), 6);
        assert_eq!(passed_span::<White>(Square::E8), Bitboard::EMPTY);
        assert_eq!(fill_ahead::<White>(Square::C3.bitboard()).count(), 6);
        assert_eq!(fill_ahead::<Black>(Square::C3.bitboard()).count(), 3);
        assert_eq!(files(Square::C3.bitboard() | Square::C4.bitboard() | Square::H8.bitboard()), 0b1000_0100);
    }

    #[test]
    fn zones_have_nine_squares_around_the_king() {
        for king in Square::ALL {
            assert_eq!(king_zone(king).count(), 9, "{king}");
            assert!(king_zone(king).contains(king));
        }
        assert!(king_zone(Square::G1).contains(Square::G3));
    }
}
