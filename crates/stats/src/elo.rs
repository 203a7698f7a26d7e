//! Rating differences from scores, with their error bars.
//!
//! Logistic Elo is the usual scale: a difference of `d` expects the score 1/(1 + 10^(−d/400)). Normalised Elo divides
//! by the spread of the results instead of stretching the score, so it says how many games a test of the difference
//! needs, whatever the draw ratio. Source: Michel Van den Bergh, "Comments on normalized Elo".

use std::f64::consts::LN_10;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::normal::{Z95, normal_cdf};
use crate::score::{MatchTally, Pentanomial, WdlCounts};

/// Normalised Elo for one standard deviation of a game's score: 800/ln 10 ≈ 347.4.
///
/// Chosen so that normalised and logistic Elo agree near 0 when no game is drawn: there one game's standard deviation
/// is ½ and the slope of the logistic curve makes a score of ½ + ε worth 1600·ε/ln 10 Elo.
pub const NORMALISED_ELO_PER_T: f64 = 800.0 / LN_10;

/// The logistic Elo difference that expects `score` points per game: −400·log₁₀(1/score − 1).
///
/// `None` unless 0 < `score` < 1: a score of 0 or 1 fits no finite difference.
#[must_use]
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The points per game, 0 to 1, that a logistic Elo difference expects: 1/(1 + 10^(−elo/400)).
#[must_use]
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A value and the half-width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate, in Elo.
    pub value: f64,
    /// The half-width, in Elo; `None` when all results were the same, which says nothing about their spread.
    pub margin: Option<f64>,
}

/// `+12.3 ± 4.5`, or `+0.0 ± ?` for an unknown margin; a precision such as `{:.2}` replaces the one decimal.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(1);
        let mut value = format!("{:+.decimals$}", self.value);
        // What rounds to zero has no sign to show.
        if value.starts_with('-') && !value.contains(|c: char| c.is_ascii_digit() && c != '0') {
            value.replace_range(..1, "+");
        }
        match self.margin {
            Some(margin) => write!(f, "{value} ± {margin:.decimals$}"),
            None => write!(f, "{value} ± ?"),
        }
    }
}

/// Shows an estimate that may not exist: `n/a` for `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptionalEstimate(pub Option<Estimate>);

impl fmt::Display for OptionalEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(estimate) => estimate.fmt(f),
            None => f.write_str("n/a"),
        }
    }
}

/// The moments of a match's results, in points per game. Make it from a [`MatchTally`], a [`WdlCounts`] or a
/// [`Pentanomial`].
///
/// A pair's two games depend on each other, so the spread is measured between pairs and then expressed for one game: a
/// pair's mean has the variance `v`, one game counts as having 2·`v`, and `n` games give the mean's standard error
/// √(2·`v`/`n`) as independent games would. An unpaired game contributes its own variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreSample {
    /// Number of games.
    pub games: u64,
    /// Points per game, 0 to 1; ½ without a game.
    pub score: f64,
    /// Variance of one game's points about the mean score, in points².
    pub variance: f64,
    /// Variance of one game's points about ½, as if the engines were equal, in points².
    pub null_variance: f64,
}

impl ScoreSample {
    /// `singles`: numbers of unpaired games by points; `pairs`: numbers of pairs by points.
    fn new(singles: [u64; 3], pairs: [u64; 5]) -> Self {
        // (number of observations, games in each, points per game)
        let observations = || {
            let single = (0..).zip(singles).map(|(halves, count)| (count as f64, 1.0, f64::from(halves) / 2.0));
            let paired = (0..).zip(pairs).map(|(halves, count)| (count as f64, 2.0, f64::from(halves) / 4.0));
            single.chain(paired)
        };
        let games = singles.iter().sum::<u64>() + 2 * pairs.iter().sum::<u64>();
        if games == 0 {
            return Self { games, score: 0.5, variance: 0.0, null_variance: 0.0 };
        }
        let score = observations().map(|(count, size, points)| count * size * points).sum::<f64>() / games as f64;
        // An observation of `size` games adds size² times its squared deviation to the variance of the sum of points.
        let about = |centre: f64| {
            observations().map(|(count, size, points)| count * (size * (points - centre)).powi(2)).sum::<f64>()
                / games as f64
        };
        // With one kind of result only, the spread is zero, whatever rounding makes of the mean.
        let kinds = singles.iter().chain(&pairs).filter(|count| **count > 0).count();
        Self { games, score, variance: if kinds > 1 { about(score) } else { 0.0 }, null_variance: about(0.5) }
    }

    /// Standard error of the score, in points per game; `None` when all results were the same.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.variance / self.games as f64).sqrt())
    }

    /// The score's 95 % margin in points per game; `None` when all results were the same.
    #[must_use]
    pub fn score_margin(&self) -> Option<f64> {
        self.standard_error().map(|error| Z95 * error)
    }

    /// Logistic Elo difference with the margin 1.96 · standard error · 400 / (ln 10 · score · (1 − score)): the slope
    /// of the logistic curve at the score (delta method), finite wherever the value is.
    ///
    /// `None` without a game, and when all games were won or all were lost, which fits any large difference.
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        if self.games == 0 {
            return None;
        }
        let slope = 400.0 / (LN_10 * self.score * (1.0 - self.score));
        let value = elo_from_score(self.score)?;
        Some(Estimate { value, margin: self.score_margin().map(|margin| margin * slope) })
    }

    /// The score's distance from ½ in standard deviations of one game; `None` when all results were the same.
    #[must_use]
    pub fn t_value(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| (self.score - 0.5) / self.variance.sqrt())
    }

    /// Normalised Elo: [`t_value`](Self::t_value) · [`NORMALISED_ELO_PER_T`], with the margin
    /// 1.96 · [`NORMALISED_ELO_PER_T`] / √games, correct to first order around equality.
    ///
    /// The standard deviation is that of a pair's mean times √2, so that one game is the unit and pairs and games give
    /// values on the same scale, as in fishtest.
    ///
    /// `None` without a game and when all results were the same.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let value = self.t_value()? * NORMALISED_ELO_PER_T;
        Some(Estimate { value, margin: Some(Z95 * NORMALISED_ELO_PER_T / (self.games as f64).sqrt()) })
    }

    /// Likelihood of superiority, 0 to 1: how likely equal engines are to score less than the first engine did.
    ///
    /// Φ((score − ½) / √(variance about ½ / games)); for unpaired games this is the usual Φ((wins − losses) /
    /// √(wins + losses)). The variance is that of equal engines, so a few wins in a row stay short of certainty. ½
    /// without a game and when every pair was level.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        if self.null_variance > 0.0 {
            normal_cdf((self.score - 0.5) / (self.null_variance / self.games as f64).sqrt())
        } else {
            0.5
        }
    }
}

impl From<&MatchTally> for ScoreSample {
    fn from(tally: &MatchTally) -> Self {
        Self::new(tally.unpaired.cells(), tally.pairs.0)
    }
}

impl From<&WdlCounts> for ScoreSample {
    fn from(games: &WdlCounts) -> Self {
        Self::new(games.cells(), [0; 5])
    }
}

impl From<&Pentanomial> for ScoreSample {
    fn from(pairs: &Pentanomial) -> Self {
        Self::new([0; 3], pairs.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_close(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance, "{got} instead of {expected}");
    }

    /// Closed forms: odds of 10 are 400 Elo, of 3 are 400·log₁₀3.
    #[test]
    fn logistic_curve() {
        assert_eq!(elo_from_score(0.5), Some(0.0));
        assert_close(elo_from_score(10.0 / 11.0).unwrap(), 400.0, 1e-9);
        assert_close(elo_from_score(0.75).unwrap(), 190.848_501_887_864_98, 1e-9);
        assert_close(score_from_elo(-400.0), 1.0 / 11.0, 1e-15);
        for outside in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(elo_from_score(outside), None);
        }
    }

    /// The inputs are those of fastchess's unit tests (app/tests/elo_test.cpp), whose published values, to two
    /// decimals, are nElo −20.76 ± 40.13; 49.77 ± 36.77 with Elo 40.70; −508.44 ± 34.48; 57.94 ± 28.28 with Elo 55.58;
    /// −9.17 ± 10.96 with Elo −8.64 ± 10.33; −19.01 ± 2.65 with Elo −21.04 ± 2.95. The digits here are numpy's on the
    /// formulas in the docs. (fastchess's Elo margins come from the interval's transformed ends and agree to about 0.3
    /// %.)
    #[test]
    fn published_examples() {
        let games = |losses, draws, wins| ScoreSample::from(&WdlCounts { wins, draws, losses });
        let pairs = |counts| ScoreSample::from(&Pentanomial(counts));
        for (sample, elo, margin, nelo, nelo_margin, los) in [
            (games(89, 123, 76), -15.693_520_7, 30.379_737_8, -20.756_449_8, 40.126_025_6, 0.155_757_402),
            (games(96, 111, 136), 40.702_458_2, 30.346_494_0, 49.768_415_4, 36.768_450_6, 0.995_681_892),
            (games(356, 0, 34), -407.988_432_4, 61.116_748_3, -508.435_325_0, 34.481_812_5, 0.0),
            (pairs([34, 54, 63, 64, 75]), 55.579_780_4, 27.590_775_5, 57.935_599_9, 28.275_376_2, 0.999_953_604),
            (pairs([332, 433, 498, 333, 334]), -8.642_667_3, 10.331_142_2, -9.172_914_3, 10.960_458_9, 0.050_588_861),
            (pairs([7895, 8757, 5685, 568, 9999]), -21.043_520_6, 2.945_209_5, -19.012_834_3, 2.654_501_9, 0.0),
        ] {
            let (logistic, normalised) = (sample.elo().unwrap(), sample.normalised_elo().unwrap());
            assert_close(logistic.value, elo, 1e-7);
            assert_close(logistic.margin.unwrap(), margin, 1e-7);
            assert_close(normalised.value, nelo, 1e-7);
            assert_close(normalised.margin.unwrap(), nelo_margin, 1e-7);
            assert_close(sample.likelihood_of_superiority(), los, 1e-9);
        }
    }

    /// By hand: 4 unpaired games 1, 1, ½, 0 and one pair of 1½ points: score 4/6; the squared deviations are
    /// (1/9 + 1/9 + 1/36 + 4/9) + (1/6)², together 13/18.
    #[test]
    fn pairs_and_single_games_combine() {
        let tally =
            MatchTally { pairs: Pentanomial([0, 0, 0, 1, 0]), double_draws: 0, unpaired: WdlCounts::new(2, 1, 1) };
        let sample = ScoreSample::from(&tally);
        assert_eq!(sample.games, 6);
        assert_close(sample.score, 4.0 / 6.0, 1e-15);
        assert_close(sample.variance, 13.0 / 18.0 / 6.0, 1e-15);
        assert_close(sample.null_variance, (0.75 + 0.25) / 6.0, 1e-15);
    }

    #[test]
    fn one_sided_matches_stay_finite() {
        let none = ScoreSample::from(&MatchTally::default());
        assert_eq!((none.elo(), none.normalised_elo(), none.standard_error()), (None, None, None));
        assert_eq!(none.likelihood_of_superiority(), 0.5);

        for (sample, sign) in [
            (ScoreSample::from(&WdlCounts::new(9, 0, 0)), 1.0),
            (ScoreSample::from(&WdlCounts::new(0, 0, 9)), -1.0),
            (ScoreSample::from(&Pentanomial([0, 0, 0, 0, 9])), 1.0),
            (ScoreSample::from(&Pentanomial([9, 0, 0, 0, 0])), -1.0),
        ] {
            assert_eq!((sample.elo(), sample.normalised_elo(), sample.t_value()), (None, None, None));
            // Nine equal results are three standard errors from ½ when equal engines have one of ½ per game.
            assert_close(sample.likelihood_of_superiority(), normal_cdf(sign * 3.0), 1e-12);
        }
        for draws in [ScoreSample::from(&WdlCounts::new(0, 7, 0)), ScoreSample::from(&Pentanomial([0, 0, 7, 0, 0]))] {
            assert_eq!(draws.elo(), Some(Estimate { value: 0.0, margin: None }));
            assert_eq!((draws.normalised_elo(), draws.likelihood_of_superiority()), (None, 0.5));
        }
        // All pairs alike, but not level: a value without a margin.
        let alike = ScoreSample::from(&Pentanomial([0, 0, 0, 3, 0])).elo().unwrap();
        assert_close(alike.value, 190.848_501_887_864_98, 1e-9);
        assert_eq!(alike.margin, None);
    }

    #[test]
    fn text() {
        let estimate = |value, margin| Estimate { value, margin };
        assert_eq!(estimate(12.34, Some(4.46)).to_string(), "+12.3 ± 4.5");
        assert_eq!(estimate(-12.34, Some(4.46)).to_string(), "-12.3 ± 4.5");
        assert_eq!(estimate(-0.04, None).to_string(), "+0.0 ± ?");
        assert_eq!(format!("{:.2}", estimate(-0.04, Some(1.0))), "-0.04 ± 1.00");
        assert_eq!(format!("{:.0}", estimate(-0.4, Some(1.0))), "+0 ± 1");
        assert_eq!(OptionalEstimate(None).to_string(), "n/a");
        assert_eq!(format!("{:.0}", OptionalEstimate(Some(estimate(7.0, Some(3.0))))), "+7 ± 3");
    }

    fn tallies() -> impl Strategy<Value = MatchTally> {
        (prop::array::uniform5(0u64..200), prop::array::uniform3(0u64..200)).prop_map(|(pairs, [w, d, l])| MatchTally {
            pairs: Pentanomial(pairs),
            double_draws: pairs[2] / 2,
            unpaired: WdlCounts::new(w, d, l),
        })
    }

    proptest! {
        #[test]
        fn curve_round_trips(elo in -2000.0..2000.0f64) {
            prop_assert!((elo_from_score(score_from_elo(elo)).unwrap() - elo).abs() < 1e-6);
        }

        #[test]
        fn swapping_sides_negates(tally in tallies()) {
            let (one, other) = (ScoreSample::from(&tally), ScoreSample::from(&tally.reversed()));
            prop_assert_eq!(one.elo().is_some(), other.elo().is_some());
            for (a, b) in [(one.elo(), other.elo()), (one.normalised_elo(), other.normalised_elo())] {
                if let (Some(a), Some(b)) = (a, b) {
                    prop_assert!((a.value + b.value).abs() < 1e-6 * (1.0 + a.value.abs()));
                    if let (Some(a), Some(b)) = (a.margin, b.margin) {
                        prop_assert!((a - b).abs() < 1e-6 * (1.0 + a));
                    }
                }
            }
            let sum = one.likelihood_of_superiority() + other.likelihood_of_superiority();
            prop_assert!((sum - 1.0).abs() < 1e-12);
        }

        #[test]
        fn four_times_the_evidence_halves_the_margin(tally in tallies()) {
            let (one, four) = (ScoreSample::from(&tally), ScoreSample::from(&(tally + tally + tally + tally)));
            if let (Some(one), Some(four)) = (one.elo(), four.elo()) {
                prop_assert!((one.value - four.value).abs() < 1e-9 * (1.0 + one.value.abs()));
                if let (Some(one), Some(four)) = (one.margin, four.margin) {
                    prop_assert!((one - 2.0 * four).abs() < 1e-9 * (1.0 + one));
                }
            }
        }

        #[test]
        fn the_score_is_that_of_the_games(tally in tallies()) {
            prop_assert!((ScoreSample::from(&tally).score - tally.games().score().unwrap_or(0.5)).abs() < 1e-12);
        }
    }
}
