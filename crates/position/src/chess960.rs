//! The starting positions of Chess960.

use crate::Position;
use alloc::format;
use alloc::string::String;

/// The placements of the knights on the five remaining squares.
const KNIGHTS: [(usize, usize); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

impl Position {
    /// The Chess960 starting position with this number in Reinhard Scharnagl's scheme; 518 is that of standard chess.
    /// `None` from 960 on.
    ///
    /// ```
    /// use bartizan_position::Position;
    ///
    /// assert_eq!(Position::chess960(518), Some(Position::startpos()));
    /// assert!(Position::chess960(0).unwrap().to_fen().starts_with("bbqnnrkr/"));
    /// assert_eq!(Position::chess960(960), None);
    /// ```
    pub fn chess960(number: usize) -> Option<Self> {
        if number >= 960 {
            return None;
        }
        let mut row = ['\0'; 8];
        // Puts a piece on the `index`-th empty file.
        let mut put = |index: usize, piece: char| {
            if let Some(place) = row.iter_mut().filter(|place| **place == '\0').nth(index) {
                *place = piece;
            }
        };
        let (light, dark) = (2 * (number % 4) + 1, 2 * (number / 4 % 4));
        // The bishops take their squares by file; the others are counted among the empty files.
        let (first, second) = (light.min(dark), light.max(dark));
        put(first, 'b');
        put(second - 1, 'b');
        put(number / 16 % 6, 'q');
        let (left, right) = KNIGHTS[number / 96];
        put(left, 'n');
        put(right - 1, 'n');
        for piece in ['r', 'k', 'r'] {
            put(0, piece);
        }
        let black: String = row.iter().collect();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase());
        Self::from_fen(&fen).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Variant;
    use std::collections::HashSet;

    #[test]
    fn there_are_960_positions() {
        let all: HashSet<Position> = (0..960).map(|number| Position::chess960(number).unwrap()).collect();
        assert_eq!(all.len(), 960);
        for position in &all {
            assert_eq!(position.castling().rooks().count(), 4, "{}", position.to_fen());
        }
        let by_number = |number| Position::chess960(number).unwrap();
        assert!(by_number(959).to_fen().starts_with("rkrnnqbb/"));
        assert_eq!((by_number(518).variant(), by_number(0).variant()), (Variant::Standard, Variant::Chess960));
    }
}
