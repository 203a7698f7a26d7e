//! Sets of squares in front of a pawn and around a king, by table.

use crate::side::Side;
use bartizan_types::{Bitboard, Color, File, Rank, Square};

/// The squares in front of a pawn on its own file, and those from which an enemy pawn could stop it.
struct Spans {
    file: [[Bitboard; Square::COUNT]; 2],
    passed: [[Bitboard; Square::COUNT]; 2],
}

static SPANS: Spans = spans();

const fn spans() -> Spans {
    let empty = [[Bitboard::EMPTY; Square::COUNT]; 2];
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
        spans.file[white][index] = Bitboard(file & above);
        spans.file[black][index] = Bitboard(file & below);
        spans.passed[white][index] = Bitboard(files & above);
        spans.passed[black][index] = Bitboard(files & below);
        index += 1;
    }
    spans
}

/// The squares in front of `square` on its file, as `S` goes.
#[inline(always)]
pub(crate) fn file_ahead<S: Side>(square: Square) -> Bitboard {
    SPANS.file[S::US.index()][square.index()]
}

/// The squares in front of `square` on its file and the two beside it: a pawn with no enemy pawn there is passed.
#[inline(always)]
pub(crate) fn passed_span<S: Side>(square: Square) -> Bitboard {
    SPANS.passed[S::US.index()][square.index()]
}

/// A king's zone: the nine squares around it, moved inwards when it stands on the rim.
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

const fn inner(index: usize) -> usize {
    match index {
        0 => 1,
        7 => 6,
        _ => index,
    }
}

#[inline(always)]
pub(crate) fn king_zone(king: Square) -> Bitboard {
    ZONES[king.index()]
}

/// The files where a king's fate is decided: four on its wing, or the middle four for a king on the d- or e-file.
static FLANKS: [Bitboard; 8] = {
    const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    const MIDDLE: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    const KINGSIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    [QUEENSIDE, QUEENSIDE, QUEENSIDE, MIDDLE, MIDDLE, KINGSIDE, KINGSIDE, KINGSIDE]
};

#[inline(always)]
pub(crate) fn flank(file: File) -> Bitboard {
    FLANKS[file.index()]
}

/// Each set of files with its neighbours.
#[inline(always)]
pub(crate) fn beside(set: Bitboard) -> Bitboard {
    use bartizan_types::Direction::{East, West};
    set.shift(East) | set.shift(West)
}

/// Every square of a set and all in front of it.
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

/// 0 for the rim files to 3 for the middle ones.
#[inline(always)]
pub(crate) fn from_rim(file: File) -> usize {
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
    }

    #[test]
    fn zones_lie_on_the_board() {
        for king in Square::ALL {
            assert_eq!(king_zone(king).count(), 9, "{king}");
            assert!(king_zone(king).contains(king));
        }
        assert!(king_zone(Square::G1).contains(Square::G3));
    }
}
