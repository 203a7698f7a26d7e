//! Finds the reversible move between two positions from their keys alone.
//!
//! A cuckoo hash table (Pagh and Rodler 2001) holds the key of every reversible move on an empty board. If two
//! positions are one such move apart, their keys differ by the key of the move (Marcel van Kervinck 2019, the "upcoming
//! repetition" of Stockfish).

use crate::zobrist;
use bartizan_types::{Key, Piece, PieceType, Square};

/// The number of slots; 3,668 are occupied.
const SIZE: usize = 8_192;

/// The number of reversible moves of both colours. A move and its reverse count once.
const MOVES: usize = 3_668;

struct Cuckoo {
    keys: [Key; SIZE],
    squares: [[u8; 2]; SIZE],
}

static CUCKOO: Cuckoo = cuckoo();

const fn first_place(key: Key) -> usize {
    key.0 as usize % SIZE
}

const fn second_place(key: Key) -> usize {
    (key.0 >> 16) as usize % SIZE
}

/// Whether a piece other than a pawn can move from one square to another on an empty board.
const fn reaches(piece_type: PieceType, a: usize, b: usize) -> bool {
    let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
    let straight = files == 0 || ranks == 0;
    let diagonal = files == ranks;
    match piece_type {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => straight || diagonal,
        PieceType::King => files <= 1 && ranks <= 1,
    }
}

const fn cuckoo() -> Cuckoo {
    let mut table = Cuckoo { keys: [Key(0); SIZE], squares: [[0; 2]; SIZE] };
    let mut count = 0;
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut a = 0;
        while a < Square::COUNT {
            let mut b = a + 1;
            while b < Square::COUNT {
                if reaches(Piece::ALL[piece].piece_type(), a, b) {
                    insert(&mut table, zobrist::move_key(Piece::ALL[piece], a, b), [a as u8, b as u8]);
                    count += 1;
                }
                b += 1;
            }
            a += 1;
        }
        piece += 1;
    }
    assert!(count == MOVES);
    table
}

/// Inserts an entry into its first slot. A displaced entry moves to its other slot, and so on.
const fn insert(table: &mut Cuckoo, mut key: Key, mut squares: [u8; 2]) {
    let mut place = first_place(key);
    loop {
        let (old_key, old_squares) = (table.keys[place], table.squares[place]);
        table.keys[place] = key;
        table.squares[place] = squares;
        if old_key.0 == 0 {
            return;
        }
        (key, squares) = (old_key, old_squares);
        place = if place == first_place(key) { second_place(key) } else { first_place(key) };
    }
}

/// The two squares of the move with this key, if there is one.
#[inline]
pub(crate) fn find(key: Key) -> Option<[Square; 2]> {
    [first_place(key), second_place(key)]
        .into_iter()
        .find(|&place| CUCKOO.keys[place] == key)
        .map(|place| CUCKOO.squares[place].map(|square| Square::from_index(usize::from(square))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found() {
        let mut count = 0;
        for piece in Piece::ALL {
            for a in 0..64 {
                for b in a + 1..64 {
                    let found = find(zobrist::move_key(piece, a, b));
                    if reaches(piece.piece_type(), a, b) {
                        assert_eq!(found, Some([Square::from_index(a), Square::from_index(b)]));
                        count += 1;
                    } else {
                        assert_eq!(found, None);
                    }
                }
            }
        }
        assert_eq!(count, MOVES);
    }
}
