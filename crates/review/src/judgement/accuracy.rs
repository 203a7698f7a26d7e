//! Accuracy: how close to an engine's choice a player came, from 0 to 100.
//!
//! Source: the public method of <https://lichess.org/page/accuracy>. The accuracy of a move follows from the loss of
//! win per cent. That of a game is the mean of two means over the moves: the harmonic one, which punishes bad moves,
//! and one that is weighted by how much the chances change around a move, so that moves in a decided game count less.

use super::win::{of_side, win_percent};
use crate::WhiteEval;
use bartizan_types::{ByColor, Color};

/// The evaluation before the first move of a game from the usual start position, in centipawns.
pub const START: WhiteEval = WhiteEval::Cp(15);

/// The accuracy of a move that changes the mover's chance from `before` to `after` per cent: 100 without a loss.
///
/// ```
/// use bartizan_review::judgement::move_accuracy;
///
/// assert_eq!(move_accuracy(50.0, 55.0), 100.0);
/// assert!((move_accuracy(60.0, 50.0) - 64.58).abs() < 0.01);
/// ```
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let loss = before - after;
    // The last term compensates for the errors of the analysis.
    (103.1668 * (-0.043_54 * loss).exp() - 3.1669 + 1.0).clamp(0.0, 100.0)
}

/// The accuracy of each move of a game and its weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WeightedAccuracies(Vec<(Color, f64, f64)>);

impl WeightedAccuracies {
    /// From White's chances before the first move and after each move.
    pub(crate) fn new(wins: &[f64], first: Color) -> Self {
        let weights = weights(wins);
        let accuracy = |(ply, pair): (usize, &[f64])| {
            let mover = if ply % 2 == 0 { first } else { !first };
            let accuracy = move_accuracy(of_side(pair[0], mover), of_side(pair[1], mover));
            (mover, accuracy, weights[ply])
        };
        Self(wins.windows(2).enumerate().map(accuracy).collect())
    }

    /// The accuracy of the move with an index.
    pub(crate) fn of_ply(&self, ply: usize) -> Option<f64> {
        self.0.get(ply).map(|&(_, accuracy, _)| accuracy)
    }

    /// The accuracy of a side over the plies for which `counts` is true; `None` without a move.
    pub(crate) fn of(&self, side: Color, counts: impl Fn(usize) -> bool) -> Option<f64> {
        let mut moves = 0.0;
        let (mut weight_sum, mut weighted_sum, mut inverse_sum) = (0.0, 0.0, 0.0);
        for (_, &(_, accuracy, weight)) in
            self.0.iter().enumerate().filter(|&(ply, &(mover, ..))| mover == side && counts(ply))
        {
            moves += 1.0;
            weight_sum += weight;
            weighted_sum += weight * accuracy;
            inverse_sum += 1.0 / accuracy.max(1.0);
        }
        (moves > 0.0).then(|| f64::midpoint(weighted_sum / weight_sum, moves / inverse_sum))
    }
}

/// The weight of each move: the standard deviation of the chances in a window around it, from 0.5 to 12.
fn weights(wins: &[f64]) -> Vec<f64> {
    let plies = wins.len().saturating_sub(1);
    let size = (plies / 10).clamp(2, 8);
    // The first moves share the first window.
    let first = std::iter::repeat_n(&wins[..size.min(wins.len())], size.min(wins.len()).saturating_sub(2));
    let windows = first.chain(wins.windows(size));
    windows.map(|window| standard_deviation(window).clamp(0.5, 12.0)).collect()
}

#[allow(clippy::cast_precision_loss)] // A window has 8 values at most.
fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The accuracy of both sides from the evaluations after each move of a game, as the open server computes it; `None`
/// for a side without a move.
///
/// `start` is the evaluation before the first move, usually [`START`], and `first` the side that makes it.
///
/// ```
/// use bartizan_review::{WhiteEval, judgement::{START, game_accuracy}};
/// use bartizan_types::Color;
///
/// let evals = [20, 25, -300, -290].map(WhiteEval::Cp);
/// let accuracy = game_accuracy(START, &evals, Color::White);
/// assert!(accuracy[Color::White].unwrap() < 60.0 && accuracy[Color::Black].unwrap() > 95.0);
/// ```
pub fn game_accuracy(start: WhiteEval, evals: &[WhiteEval], first: Color) -> ByColor<Option<f64>> {
    let wins: Vec<f64> = std::iter::once(start).chain(evals.iter().copied()).map(win_percent).collect();
    let accuracies = WeightedAccuracies::new(&wins, first);
    ByColor::from_fn(|side| accuracies.of(side, |_| true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_weight() {
        for plies in [0, 1, 2, 3, 19, 20, 35, 79, 80, 81, 300] {
            let wins: Vec<f64> = (0..=plies).map(|ply| f64::from(ply % 100)).collect();
            assert!(weights(&wins).len() >= wins.len() - 1, "{plies}");
        }
        // The window of 2 positions is moved by one from ply to ply.
        let expected = [0.5, 1.5, 12.0];
        let found = weights(&[50.0, 50.0, 53.0, 3.0]);
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_game_without_moves_has_no_accuracy() {
        assert_eq!(game_accuracy(START, &[], Color::White), ByColor([None, None]));
        let one = game_accuracy(START, &[WhiteEval::Cp(15)], Color::Black);
        assert_eq!(one, ByColor([None, Some(100.0)]));
    }

    #[test]
    fn accuracies_stay_within_their_range() {
        for (before, after) in [(100.0, 0.0), (97.5, 2.5), (50.0, 49.99), (0.0, 100.0)] {
            let accuracy = move_accuracy(before, after);
            assert!((0.0..=100.0).contains(&accuracy), "{accuracy}");
        }
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
    }
}
