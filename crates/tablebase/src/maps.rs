//! The numbering of squares in the tables, computed from the symmetries of the board.
//!
//! Square indices go from 0 for a1, 1 for b1, to 63 for h8.

/// The number of ways to choose `k` of `n`: `BINOMIAL[k][n]`.
pub(crate) static BINOMIAL: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

const fn file(square: usize) -> usize {
    square & 7
}

const fn rank(square: usize) -> usize {
    square >> 3
}

/// Positive above the diagonal from a1 to h8, 0 on it, negative below.
pub(crate) const fn above_diagonal(square: usize) -> i32 {
    rank(square) as i32 - file(square) as i32
}

/// The numbers of the squares in the triangle a1–d1–d4: the six below the diagonal by rank and file, then the four on
/// it.
pub(crate) static TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let mut next = 0;
    let mut on_diagonal = 0;
    while on_diagonal < 2 {
        let mut square = 0;
        while square < 28 {
            let above = above_diagonal(square);
            if file(square) < 4 && (on_diagonal == 0 && above < 0 || on_diagonal == 1 && above == 0) {
                table[square] = next;
                next += 1;
            }
            square += 1;
        }
        on_diagonal += 1;
    }
    table
};

/// The numbers of the 28 squares below the diagonal, by rank and file.
pub(crate) static BELOW_DIAGONAL: [u8; 64] = {
    let mut table = [0; 64];
    let mut next = 0;
    let mut square = 0;
    while square < 64 {
        if above_diagonal(square) < 0 {
            table[square] = next;
            next += 1;
        }
        square += 1;
    }
    table
};

/// The number of placements of two kings, up to symmetry.
pub(crate) const KING_PAIRS: u64 = 462;

/// The numbers of the 462 pairs of kings that are not adjacent, with the first king in the triangle, ordered by
/// [`TRIANGLE`]. Pairs with both kings on the diagonal come last. If the first king is on the diagonal, the second is
/// not above it. Other pairs have `u16::MAX`.
pub(crate) static KINGS: [[u16; 64]; 10] = {
    let mut table = [[u16::MAX; 64]; 10];
    let mut next = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut place = 0;
        while place < 10 {
            let mut first = 0;
            // The square of the triangle with this number.
            while !(first < 28 && file(first) < 4 && above_diagonal(first) <= 0 && TRIANGLE[first] == place) {
                first += 1;
            }
            let mut second = 0;
            while second < 64 {
                let (a, b) = (above_diagonal(first), above_diagonal(second));
                let touch = file(first).abs_diff(file(second)) <= 1 && rank(first).abs_diff(rank(second)) <= 1;
                let both = a == 0 && b == 0;
                if !touch && !(a == 0 && b > 0) && both == (both_on_diagonal == 1) {
                    table[place as usize][second] = next;
                    next += 1;
                }
                second += 1;
            }
            place += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
};

/// The number of placements of three distinct pieces, up to symmetry: the first below the diagonal; the first on it and
/// the second below; the first two on it and the third below; all three on it.
pub(crate) const TRIPLES: u64 = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + 4 * 7 * 6;

/// The order of pawn squares, from 47 for a2 down: by file from the edge to the centre, then by rank, the left of two
/// mirrored squares first.
pub(crate) static PAWN_ORDER: [u8; 64] = {
    let mut table = [0; 64];
    let mut next = 48;
    let mut f = 0;
    while f < 4 {
        let mut r = 1;
        while r < 7 {
            next -= 2;
            table[8 * r + f] = next + 1;
            table[8 * r + 7 - f] = next;
            r += 1;
        }
        f += 1;
    }
    table
};

/// By the number of leading pawns (1 to 5) and the square of the leading pawn: the index of the first placement.
pub(crate) static LEAD_PAWN: [[u64; 64]; 6] = lead_pawns().0;

/// By the number of leading pawns and the file of the leading pawn (a to d): the number of placements.
pub(crate) static LEAD_PAWNS: [[u64; 4]; 6] = lead_pawns().1;

const fn lead_pawns() -> ([[u64; 64]; 6], [[u64; 4]; 6]) {
    let (mut first, mut all) = ([[0; 64]; 6], [[0; 4]; 6]);
    let mut pawns = 1;
    while pawns < 6 {
        let mut f = 0;
        while f < 4 {
            let mut sum = 0;
            let mut r = 1;
            while r < 7 {
                let square = 8 * r + f;
                first[pawns][square] = sum;
                // The other pawns come after the leading pawn in the order.
                sum += BINOMIAL[pawns - 1][PAWN_ORDER[square] as usize];
                r += 1;
            }
            all[pawns][f] = sum;
            f += 1;
        }
        pawns += 1;
    }
    (first, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials() {
        assert_eq!((BINOMIAL[2][4], BINOMIAL[0][0], BINOMIAL[3][2], BINOMIAL[6][63]), (6, 1, 0, 67_945_521));
    }

    #[test]
    fn each_number_once() {
        let mut kings: Vec<u16> = KINGS.iter().flatten().copied().filter(|&n| n != u16::MAX).collect();
        kings.sort_unstable();
        assert_eq!(kings, (0..462).collect::<Vec<u16>>());
        let mut pawns: Vec<u8> = (8..56).map(|square| PAWN_ORDER[square]).collect();
        pawns.sort_unstable();
        assert_eq!(pawns, (0..48).collect::<Vec<u8>>());
        assert_eq!((PAWN_ORDER[8], PAWN_ORDER[15], PAWN_ORDER[16], PAWN_ORDER[52]), (47, 46, 45, 0));
        assert_eq!((TRIANGLE[1], TRIANGLE[3], TRIANGLE[19], TRIANGLE[0], TRIANGLE[27]), (0, 2, 5, 6, 9));
        assert_eq!((BELOW_DIAGONAL[1], BELOW_DIAGONAL[55]), (0, 27));
    }

    /// Each set of pawns is counted once. With the mirror images, these are all choices of `n` of the 48 squares.
    #[test]
    fn leading_pawns_cover_all_sets() {
        for pawns in 1..6 {
            let sum: u64 = LEAD_PAWNS[pawns].iter().sum();
            // A set whose leading pawn is on the files a to d; those on e to h are mirrored. Symmetric pairs of leading
            // and second pawn keep this from being exactly half.
            assert!(sum >= BINOMIAL[pawns][48] / 2 && sum <= BINOMIAL[pawns][48], "{pawns}: {sum}");
        }
        assert_eq!(LEAD_PAWNS[1], [6; 4]);
    }
}
