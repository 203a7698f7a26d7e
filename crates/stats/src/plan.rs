//! How long a sequential test takes.

use crate::elo::{NORMALISED_ELO_PER_T, score_from_elo};
use crate::sprt::{Sprt, SprtModel};
use serde::{Deserialize, Serialize};

/// Drifts of less than this many log-likelihoods on the way between the bounds count as none.
const NO_DRIFT: f64 = 1e-6;

/// What can be expected of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// Mean number of games until the decision.
    pub games: f64,
    /// Probability that H1 is accepted.
    pub passes: f64,
}

impl Sprt {
    /// The mean length of the test and its outcome if the true difference is `elo`, in Elo of the test's model.
    /// `deviation` is the standard deviation of one game's points, as
    /// [`ScoreSample::variance`](crate::ScoreSample::variance) has its square; only the logistic model needs it.
    /// Between equal engines it is 0.5 without draws, and about 0.35 with half of the games drawn.
    ///
    /// The log-likelihood ratio is taken for a Brownian motion (Wald, "Sequential Analysis", 1947): that the last pair
    /// oversteps its bound is neglected, so a test takes some games more than this says. The numbers are not finite if
    /// the hypotheses are too close to be told apart in floating point.
    ///
    /// ```
    /// use bartizan_stats::{Sprt, SprtModel};
    ///
    /// let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, SprtModel::Normalised)?;
    /// // A change that is worth nothing passes with probability alpha, one between the hypotheses takes longest.
    /// let [none, half] = [0.0, 2.5].map(|elo| sprt.expect(elo, 0.4));
    /// assert!((none.passes - 0.05).abs() < 1e-9 && (half.passes - 0.5).abs() < 1e-9);
    /// assert!(none.games < half.games);
    /// # Ok::<(), bartizan_stats::SprtError>(())
    /// ```
    #[must_use]
    pub fn expect(&self, elo: f64, deviation: f64) -> Expectation {
        // Differences in standard deviations of a game.
        let t_of = |elo: f64| match self.model {
            SprtModel::Logistic => (score_from_elo(elo) - 0.5) / deviation,
            SprtModel::Normalised => elo / NORMALISED_ELO_PER_T,
        };
        let (t0, t1) = (t_of(self.elo0), t_of(self.elo1));
        // Each game adds (t1 − t0)·(t − (t0 + t1)/2) to the ratio on average, with the variance (t1 − t0)².
        let (step, lead) = (t1 - t0, t_of(elo) - t0.midpoint(t1));
        let (drift, variance) = (step * lead, step * step);
        let (upper, lower) = (self.upper(), self.lower());
        // Twice the drift over the variance. Neither of them may overflow.
        let k = 2.0 * lead / step;
        if (k * (upper - lower)).abs() < NO_DRIFT {
            return Expectation { games: -upper * lower / variance, passes: -lower / (upper - lower) };
        }
        // (1 − e^(−k·lower)) / (e^(−k·upper) − e^(−k·lower)), in the form that does not overflow.
        let passes = if k > 0.0 {
            (k * lower).exp_m1() / (k * (lower - upper)).exp_m1()
        } else {
            (k * upper).exp() * (-k * lower).exp_m1() / (k * (upper - lower)).exp_m1()
        };
        Expectation { games: (passes * upper + (1.0 - passes) * lower) / drift, passes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sprt(alpha: f64, beta: f64, model: SprtModel) -> Sprt {
        Sprt::new(-2.0, 4.0, alpha, beta, model).unwrap()
    }

    proptest! {
        /// At the hypotheses the probabilities are the error rates of the test.
        #[test]
        fn errors_are_as_frequent_as_asked(alpha in 0.01..0.3_f64, beta in 0.01..0.3_f64, deviation in 0.2..0.5_f64) {
            for model in [SprtModel::Logistic, SprtModel::Normalised] {
                let sprt = sprt(alpha, beta, model);
                prop_assert!((sprt.expect(-2.0, deviation).passes - alpha).abs() < 1e-9);
                prop_assert!((sprt.expect(4.0, deviation).passes - (1.0 - beta)).abs() < 1e-9);
            }
        }

        /// However small the spread, no number overflows on the way.
        #[test]
        fn the_deviation_changes_the_length_only(power in -300..0, elo in -900.0..900.0_f64) {
            let sprt = sprt(0.05, 0.1, SprtModel::Logistic);
            let (usual, tiny) = (sprt.expect(elo, 0.4), sprt.expect(elo, 0.4 * 10_f64.powi(power)));
            prop_assert!((usual.passes - tiny.passes).abs() < 1e-9 && tiny.games.is_finite());
        }

        /// Better changes pass more often; every length is positive and finite; nothing jumps where the drift is zero.
        #[test]
        fn better_changes_pass_more_often(elo in -300.0..300.0_f64, by in 0.001..20.0_f64) {
            let sprt = sprt(0.05, 0.1, SprtModel::Normalised);
            let (one, better) = (sprt.expect(elo, 0.4), sprt.expect(elo + by, 0.4));
            prop_assert!(one.passes <= better.passes && (0.0..=1.0).contains(&one.passes));
            prop_assert!(one.games > 0.0 && one.games.is_finite());
            let (middle, beside) = (sprt.expect(1.0, 0.4), sprt.expect(1.0001, 0.4));
            prop_assert!((middle.games / beside.games - 1.0).abs() < 1e-3);
        }
    }
}
