//! Choosing one of the moves of a book.

use crate::BookMove;
use bartizan_types::SplitMix64;

/// The maximum variety, with which moves are played in proportion to their weights.
pub const MAX_VARIETY: u32 = 100;

/// Chooses a move at random; `None` if every weight is 0. `moves` are sorted by weight, as [`Book::moves`] returns
/// them.
///
/// With a `variety` of [`MAX_VARIETY`] or more, a move is chosen in proportion to its weight. Below that, the weights
/// are raised to the power of `MAX_VARIETY / variety`, so that the best moves are chosen more often; with 0 the first
/// move is always chosen.
///
/// [`Book::moves`]: crate::Book::moves
pub fn choose(moves: &[BookMove], variety: u32, random: &mut SplitMix64) -> Option<BookMove> {
    let greatest = moves.iter().map(|mv| mv.weight).max().filter(|&weight| weight > 0)?;
    let first = moves.iter().find(|mv| mv.weight == greatest).copied();
    if variety == 0 {
        return first;
    }
    let exponent = f64::from(MAX_VARIETY) / f64::from(variety.min(MAX_VARIETY));
    // Divided by the greatest weight first, so that no power overflows.
    let share = |mv: &BookMove| (f64::from(mv.weight) / f64::from(greatest)).powf(exponent);
    let mut rest = random.unit_f64() * moves.iter().map(share).sum::<f64>();
    for mv in moves.iter().filter(|mv| mv.weight > 0) {
        rest -= share(mv);
        if rest < 0.0 {
            return Some(*mv);
        }
    }
    // The sums were rounded.
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::{Move, Square};

    fn moves(weights: &[u16]) -> Vec<BookMove> {
        let mv = |index| Move::normal(Square::E2, Square::from_index(index));
        weights.iter().enumerate().map(|(index, &weight)| BookMove { mv: mv(index), weight, learn: 0 }).collect()
    }

    /// How often each move is chosen in 10,000 attempts.
    fn counts(weights: &[u16], variety: u32) -> Vec<usize> {
        let (moves, mut random) = (moves(weights), SplitMix64::new(1));
        let mut counts = vec![0; weights.len()];
        for _ in 0..10_000 {
            let chosen = choose(&moves, variety, &mut random).unwrap();
            counts[moves.iter().position(|mv| mv.mv == chosen.mv).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn variety_goes_from_the_best_move_to_the_weights() {
        let weights = [60_000, 30_000, 10_000, 0];
        assert_eq!(counts(&weights, 0), [10_000, 0, 0, 0]);
        for variety in [100, u32::MAX] {
            let all = counts(&weights, variety);
            assert!((5_800..6_200).contains(&all[0]) && (2_800..3_200).contains(&all[1]), "{all:?}");
            assert_eq!((all[3], all.iter().sum::<usize>()), (0, 10_000));
        }
        // Squares: 36 : 9 : 1.
        let squared = counts(&weights, 50);
        assert!((7_600..8_050).contains(&squared[0]) && (120..320).contains(&squared[2]), "{squared:?}");
        assert_eq!(counts(&weights, 1), [10_000, 0, 0, 0]);
    }

    #[test]
    fn moves_of_weight_zero_are_never_chosen() {
        for variety in [0, 1, 100] {
            let mut random = SplitMix64::new(3);
            assert_eq!(choose(&[], variety, &mut random), None);
            assert_eq!(choose(&moves(&[0, 0]), variety, &mut random), None);
            assert_eq!(counts(&[0, 1, 0], variety), [0, 10_000, 0]);
        }
        // Of equal moves, the first one of the book.
        assert_eq!(counts(&[5, 5], 0), [10_000, 0]);
    }
}
