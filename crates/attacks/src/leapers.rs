//! Kings, knights and pawns.

use bartizan_types::{Bitboard, ByColor, Color, Direction, Square};

const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KING: [Bitboard; 64] = leaper(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = leaper(&KNIGHT_STEPS);
static PAWN: ByColor<[Bitboard; 64]> = ByColor([leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])]);

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::from_index(i).offset(steps[step].0, steps[step].1) {
                table[i] = Bitboard(table[i].0 | to.bitboard().0);
            }
            step += 1;
        }
        i += 1;
    }
    table
}

/// The squares that a king attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that at least one of `knights` attacks.
#[inline]
pub const fn knights(knights: Bitboard) -> Bitboard {
    let west1 = knights.shift(Direction::West).0;
    let east1 = knights.shift(Direction::East).0;
    let west2 = Bitboard(west1).shift(Direction::West).0;
    let east2 = Bitboard(east1).shift(Direction::East).0;
    let near = west1 | east1;
    let far = west2 | east2;
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// The squares that a pawn attacks: two, or one on the a- and h-file.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color][square.index()]
}

/// The squares that at least one of `pawns` attacks.
#[inline]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let (west, east) = pawn_directions(color);
    Bitboard(pawns.shift(west).0 | pawns.shift(east).0)
}

/// The squares that two of `pawns` attack.
#[inline]
pub const fn pawns_double(color: Color, pawns: Bitboard) -> Bitboard {
    let (west, east) = pawn_directions(color);
    Bitboard(pawns.shift(west).0 & pawns.shift(east).0)
}

const fn pawn_directions(color: Color) -> (Direction, Direction) {
    match color {
        Color::White => (Direction::NorthWest, Direction::NorthEast),
        Color::Black => (Direction::SouthWest, Direction::SouthEast),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_agree_with_single_squares() {
        for square in Square::ALL {
            assert_eq!(knights(square.bitboard()), knight(square), "{square}");
            for color in Color::ALL {
                assert_eq!(pawns(color, square.bitboard()), pawn(color, square), "{color} {square}");
            }
        }
        let pair = Square::D4.bitboard() | Square::F4.bitboard();
        assert_eq!(pawns_double(Color::White, pair), Square::E5.bitboard());
        assert_eq!(pawns_double(Color::Black, pair), Square::E3.bitboard());
    }

    #[test]
    fn counts_on_the_whole_board() {
        let sum = |f: fn(Square) -> Bitboard| Square::ALL.into_iter().map(|s| f(s).count()).sum::<u32>();
        assert_eq!(sum(king), 420);
        assert_eq!(sum(knight), 336);
        assert_eq!(sum(|s| pawn(Color::White, s)), 98);
    }
}
