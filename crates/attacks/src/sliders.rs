//! Rooks, bishops and queens.

use bartizan_types::{Bitboard, Square};

/// The constants for looking up the attacks of a slider on one square.
#[derive(Clone, Copy)]
pub(crate) struct Slider {
    /// The squares whose occupancy affects the attacks.
    mask: u64,
    #[cfg(not(bartizan_pext))]
    magic: u64,
    #[cfg(not(bartizan_pext))]
    shift: u32,
    /// The index of this square's first entry in the table of attacks.
    offset: u32,
}

pub(crate) mod tables {
    use super::Slider;
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

impl Slider {
    #[cfg(not(bartizan_pext))]
    #[inline]
    fn index(self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    #[cfg(bartizan_pext)]
    #[inline]
    #[allow(unsafe_code)]
    fn index(self, occupied: u64) -> usize {
        // PEXT looks up 1.14 (rook), 1.22 (bishop) and 1.21 (queen) times as many squares per second as magics:
        // `cargo bench --bench sliders` in `benches` on a Sapphire Rapids, `-C target-cpu=native` against the same with
        // `-C target-feature=-bmi2`.
        // SAFETY: `_pext_u64` accesses no memory. It needs a processor with BMI2: build.rs sets `bartizan_pext` only
        // when the whole crate is compiled for one. Rust has no safe function for PEXT.
        let index = unsafe { core::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset as usize + index as usize
    }
}

/// The squares that a rook attacks, up to and including the first occupied square of each ray.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::SLIDER_ATTACKS[tables::ROOKS[square.index()].index(occupied.0)])
}

/// The squares that a bishop attacks, up to and including the first occupied square of each ray.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::SLIDER_ATTACKS[tables::BISHOPS[square.index()].index(occupied.0)])
}

/// The squares that a queen attacks, up to and including the first occupied square of each ray.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares that a rook attacks *through* `blockers`: those behind the blockers that it attacks directly.
#[inline]
pub fn xray_rook(square: Square, occupied: Bitboard, blockers: Bitboard) -> Bitboard {
    let attacks = rook(square, occupied);
    rook(square, occupied - (attacks & blockers)) - attacks
}

/// The squares that a bishop attacks *through* `blockers`: those behind the blockers that it attacks directly.
#[inline]
pub fn xray_bishop(square: Square, occupied: Bitboard, blockers: Bitboard) -> Bitboard {
    let attacks = bishop(square, occupied);
    bishop(square, occupied - (attacks & blockers)) - attacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::{Direction, SplitMix64, rays};

    /// Random occupations, alternately with a quarter and with half of the squares occupied.
    fn occupations(n: usize) -> impl Iterator<Item = Bitboard> {
        let mut random = SplitMix64::new(1);
        let mut next = move || random.next_u64();
        (0..n).map(move |i| Bitboard(if i % 2 == 0 { next() & next() } else { next() }))
    }

    #[test]
    fn sliders_agree_with_the_ray_walker() {
        for occupied in occupations(2_000) {
            for square in Square::ALL {
                assert_eq!(rook(square, occupied), rays::slider_attacks(square, &Direction::ROOK, occupied));
                assert_eq!(bishop(square, occupied), rays::slider_attacks(square, &Direction::BISHOP, occupied));
                assert_eq!(queen(square, occupied), rays::slider_attacks(square, &Direction::ALL, occupied));
            }
        }
    }

    #[test]
    fn xrays_see_through_one_piece() {
        let pinned = Square::E4.bitboard();
        let occupied = pinned | Square::E7.bitboard() | Square::E8.bitboard();
        let beyond = xray_rook(Square::E1, occupied, pinned);
        assert_eq!(beyond, Square::E5.bitboard() | Square::E6.bitboard() | Square::E7.bitboard());
        assert_eq!(xray_bishop(Square::A1, Square::C3.bitboard(), Square::C3.bitboard()).count(), 5);
    }
}
