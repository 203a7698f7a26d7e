//! The random numbers of the Polyglot format.
//!
//! They are part of the file format, so they are the same in every program. `numbers.bin` holds them in the order of
//! the format, each as eight bytes, most significant first. Source: "Polyglot book format", a page by Michel van den
//! Bergh (`book_format.html` in Debian's package `polyglot`, <http://hgm.nubati.net/book_format.html>). The format is
//! due to Fabien Letouzey.

/// Pieces on squares, `64 * kind + square`. Kinds: black pawn, white pawn, black knight, and so on to the white king.
pub(crate) static PIECES: [u64; 768] = numbers(0);

/// Castling rights: white king side, white queen side, black king side, black queen side.
pub(crate) static CASTLING: [u64; 4] = numbers(768);

/// The files of pawns that may be captured en passant.
pub(crate) static EN_PASSANT: [u64; 8] = numbers(772);

/// White to move.
pub(crate) const WHITE_TO_MOVE: u64 = numbers::<1>(780)[0];

/// The numbers from `first` on.
const fn numbers<const N: usize>(first: usize) -> [u64; N] {
    let (all, rest) = include_bytes!("numbers.bin").as_chunks();
    assert!(all.len() == 781 && rest.is_empty());
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = u64::from_be_bytes(all[first + i]);
        i += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_format() {
        assert_eq!((PIECES[0], PIECES[767]), (0x9d39_247e_3377_6d41, 0xd20d_8c88_c8ff_e65f));
        assert_eq!((CASTLING[0], CASTLING[3]), (0x31d7_1dce_64b2_c310, 0x1ef6_e6db_b196_1ec9));
        assert_eq!((EN_PASSANT[0], EN_PASSANT[7]), (0x70cc_73d9_0bc2_6e24, 0x67a3_4dac_4356_550b));
        assert_eq!(WHITE_TO_MOVE, 0xf8d6_26aa_af27_8509);
        let all = PIECES.iter().chain(&CASTLING).chain(&EN_PASSANT).chain([&WHITE_TO_MOVE]);
        assert_eq!(all.fold(0, |sum: u64, number| sum.wrapping_mul(31).wrapping_add(*number)), CHECK);
    }

    /// A polynomial in all numbers, in order.
    const CHECK: u64 = 0x9d79_d68e_fbdc_91b2;
}
