//! Loss functions: how far the predicted result of a game is from the actual one.

use bartizan_games::records::Points;
use serde::{Deserialize, Serialize};

/// The result of a game, or a mixture of results, as shares of wins and losses for White. The rest are draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Share of wins, from 0 to 1.
    pub win: f32,
    /// Share of losses, from 0 to 1 - `win`.
    pub loss: f32,
}

impl Target {
    /// White's points. A mean of several games does not tell how many were drawn; as few as possible count as decided,
    /// so that a half is a draw.
    pub fn of_points(points: Points) -> Self {
        let ahead = 2.0 * points.to_f64() - 1.0;
        Self { win: ahead.max(0.0) as f32, loss: (-ahead).max(0.0) as f32 }
    }

    /// White's expected points, from 0 to 1.
    pub fn points(self) -> f64 {
        (1.0 + f64::from(self.win) - f64::from(self.loss)) / 2.0
    }

    /// A mixture: `share` of `self`, the rest of `other`.
    #[must_use]
    pub fn mix(self, other: Self, share: f64) -> Self {
        let mix = |a: f32, b: f32| (share * f64::from(a) + (1.0 - share) * f64::from(b)) as f32;
        Self { win: mix(self.win, other.win), loss: mix(self.loss, other.loss) }
    }
}

/// The loss to minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Objective {
    /// Squared error of the expected points, (sigmoid(value / scale) - points)², as in Peter Österlund's Texel (2014).
    SquaredError,
    /// Negative log-likelihood of win, draw or loss in the proportional odds model: the value plus logistic noise is a
    /// win above `draw_margin` and a loss below -`draw_margin` (McCullagh 1980; for chess Glenn and David 1960, Rao and
    /// Kupper 1967).
    OrdinalLogistic,
}

/// Converts values to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// Slope of the sigmoid per centipawn: 1 / `per_cp` centipawns multiply the odds by e. Texel's K is 400 · `per_cp`
    /// / ln 10.
    pub per_cp: f64,
    /// Value in centipawns from which a win is more likely than not. Only [`Objective::OrdinalLogistic`] uses it.
    pub draw_margin: f64,
}

/// A loss and its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// The loss.
    pub loss: f64,
    /// Derivative with respect to the value of the position, per centipawn.
    pub by_value: f64,
    /// Derivative with respect to the draw margin, per centipawn.
    pub by_margin: f64,
}

impl Objective {
    /// The loss of a value (in centipawns for White), and its derivatives.
    #[inline]
    pub fn slope(self, scaling: Scaling, value: f64, target: Target) -> Slope {
        let k = scaling.per_cp;
        let s = k * value;
        match self {
            Self::SquaredError => {
                let p = sigmoid(s);
                let error = p - target.points();
                Slope { loss: error * error, by_value: 2.0 * error * p * (1.0 - p) * k, by_margin: 0.0 }
            }
            Self::OrdinalLogistic => {
                let margin = k * scaling.draw_margin;
                let (win, loss) = (f64::from(target.win), f64::from(target.loss));
                let draw = (1.0 - win - loss).max(0.0);
                let (p_win, p_loss) = (sigmoid(s - margin), sigmoid(-s - margin));
                // p_draw = (1 - e^(-2 margin)) · (1 - p_win) · (1 - p_loss), which avoids subtracting nearly equal
                // numbers.
                let some_draw = -(-2.0 * margin).exp_m1();
                let ln = |p: f64| p.max(1e-300).ln();
                let value_of =
                    -win * ln(p_win) - loss * ln(p_loss) - draw * (ln(some_draw) + ln(1.0 - p_win) + ln(1.0 - p_loss));
                let by_s = loss * (1.0 - p_loss) - win * (1.0 - p_win) - draw * (p_loss - p_win);
                let by_m = win * (1.0 - p_win) + loss * (1.0 - p_loss)
                    - draw * (p_win + p_loss + 2.0 / (2.0 * margin).exp_m1());
                Slope { loss: value_of, by_value: by_s * k, by_margin: by_m * k }
            }
        }
    }

    /// The result predicted by a score in the game, to be mixed with the actual result.
    pub fn expected(self, scaling: Scaling, score: f64) -> Target {
        let s = scaling.per_cp * score;
        let margin = match self {
            Self::SquaredError => 0.0,
            Self::OrdinalLogistic => scaling.per_cp * scaling.draw_margin,
        };
        Target { win: sigmoid(s - margin) as f32, loss: sigmoid(-s - margin) as f32 }
    }
}

/// 1 / (1 + e^-x).
#[inline]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_loss() {
        let h = 1e-3;
        for objective in [Objective::SquaredError, Objective::OrdinalLogistic] {
            for value in [-900.0, -120.0, -3.0, 0.0, 40.0, 333.0, 1500.0] {
                for (win, loss) in [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.3, 0.2), (0.7, 0.3)] {
                    for draw_margin in [5.0, 80.0, 400.0] {
                        let (target, scaling) = (Target { win, loss }, Scaling { per_cp: 0.006, draw_margin });
                        let at = |value, draw_margin| {
                            objective.slope(Scaling { draw_margin, ..scaling }, value, target).loss
                        };
                        let slope = objective.slope(scaling, value, target);
                        let by_value = (at(value + h, draw_margin) - at(value - h, draw_margin)) / (2.0 * h);
                        let by_margin = (at(value, draw_margin + h) - at(value, draw_margin - h)) / (2.0 * h);
                        assert!((slope.by_value - by_value).abs() < 1e-8, "{objective:?} {value} {target:?}");
                        assert!((slope.by_margin - by_margin).abs() < 1e-8, "{objective:?} {value} {target:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn probabilities_add_up_and_certainty_is_finite() {
        let scaling = Scaling { per_cp: 0.01, draw_margin: 70.0 };
        let loss = |value, win, loss| Objective::OrdinalLogistic.slope(scaling, value, Target { win, loss }).loss;
        for value in [-500.0, 0.0, 123.0] {
            let sum: f64 = [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)].map(|(w, l)| (-loss(value, w, l)).exp()).iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        assert!(loss(-1e6, 1.0, 0.0).is_finite() && loss(1e6, 0.0, 0.0).is_finite());
    }

    #[test]
    fn means_have_the_points_that_they_say() {
        for (mean, win, loss) in [(0.0, 0.0, 1.0), (0.125, 0.0, 0.75), (0.5, 0.0, 0.0), (0.875, 0.75, 0.0)] {
            let target = Target::of_points(Points::of_mean(mean).unwrap());
            assert_eq!(target, Target { win, loss });
            assert!((target.points() - mean).abs() < 1e-6);
        }
    }

    #[test]
    fn expectations_mix_with_results() {
        let scaling = Scaling { per_cp: 0.005, draw_margin: 50.0 };
        let even = Objective::OrdinalLogistic.expected(scaling, 0.0);
        assert!((even.points() - 0.5).abs() < 1e-6 && even.win < 0.5);
        let half = Target { win: 1.0, loss: 0.0 }.mix(Target { win: 0.0, loss: 1.0 }, 0.25);
        assert_eq!((half.win, half.loss), (0.25, 0.75));
    }
}
