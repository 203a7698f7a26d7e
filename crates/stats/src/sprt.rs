//! When a match may stop: the sequential probability ratio test.
//!
//! Two hypotheses about the rating difference, H0 (`elo0`) and H1 (`elo1`), are compared after every pair. The
//! distribution of pair scores is unknown apart from that difference, so each hypothesis gets the distribution that
//! fits the results best among those with its difference (maximum likelihood), and the log of the ratio of the two
//! likelihoods is held against Wald's bounds. Sources: A. Wald, "Sequential tests of statistical hypotheses", 1945;
//! Michel Van den Bergh, "The generalized sequential probability ratio test" and "Comments on normalized Elo".
//!
//! # The best fit
//!
//! Let the results have the shares pᵢ at the scores aᵢ, and dᵢ = aᵢ − ½.
//!
//! *Logistic*: H says Σ qᵢ·(aᵢ − s) = 0. Lagrange's condition gives qᵢ = pᵢ / (1 + x·hᵢ) with hᵢ = aᵢ − s, where x is
//! the only root of Σ pᵢ·hᵢ / (1 + x·hᵢ) that keeps all qᵢ positive.
//!
//! *Normalised*: H says mean(d) = t·deviation(d), or, with the root mean square R about ½ and u = t/√(1 + t²),
//! mean(d) = u·R. R is at most (r + R²/r)/2 for every r > 0, with equality at r = R, so for t > 0 the region
//! mean(d) ≥ u·R is the union over r of half-spaces Σ qᵢ·hᵢ(r) ≥ 0, hᵢ(r) = dᵢ − u·(r + dᵢ²/r)/2. Within one of them
//! the problem is the linear one above, and the solution is the r that equals the R of its own best fit. Both sides of
//! H's surface allow that r to be found safely:
//! - results above H (t of the sample > t): the allowed region mean(d) ≤ u·R is convex, so the solution is unique, and
//!   it is bracketed by the two r at which the results themselves satisfy Σ pᵢ·hᵢ(r) = 0;
//! - results below H: r ← R raises the likelihood at every step.
//!
//! A negative t is the mirror image. Van den Bergh iterates on the linearised constraint instead, which has the same
//! solution but can wander off when nearly all results are alike.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::elo::{NORMALISED_ELO_PER_T, score_from_elo};
use crate::score::{MatchTally, Pentanomial, WdlCounts};

/// Observations that an empty cell counts as. With 0, a kind of result that has not occurred would rule out hypotheses
/// altogether. The value is fishtest's.
const EMPTY_CELL: f64 = 1e-3;

/// Largest difference that a hypothesis may state, in Elo: beyond it the best fits are all alike.
const MAX_ELO: f64 = 1000.0;

/// Points of the grid on which hills of the likelihood are looked for: the sample's own r, and ½·0.85ᵏ down to 0.003,
/// where fewer than one pair in a thousand differs from 1–1.
const GRID: usize = 34;

/// The scale of a test's hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Logistic Elo: the hypotheses fix the expected score.
    Logistic,
    /// Normalised Elo: the hypotheses fix the expected score in units of the results' deviation, so the length of a
    /// test does not depend on openings and draw ratio.
    #[default]
    Normalised,
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalised => "normalised",
        })
    }
}

/// A sequential test of "the first engine is better by `elo1`" against "by `elo0`".
///
/// [`Sprt::new`] checks the parameters. A value made otherwise should pass [`Sprt::validate`] before it is used; with
/// invalid parameters the test may never stop, but nothing panics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0's difference, in Elo of the model.
    pub elo0: f64,
    /// H1's difference, in Elo of the model; more than `elo0`.
    pub elo1: f64,
    /// Accepted probability of a false H1, 0 to ½ exclusive.
    pub alpha: f64,
    /// Accepted probability of a false H0, 0 to ½ exclusive.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: SprtModel,
}

/// Why a test's parameters are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// `elo0` and `elo1` must be within ±1000, and `elo0 < elo1`.
    #[error("elo0 must be less than elo1, both within -1000 and 1000")]
    Hypotheses,
    /// `alpha` and `beta` must lie strictly between 0 and ½.
    #[error("alpha and beta must lie strictly between 0 and 0.5")]
    ErrorRates,
}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtStatus {
    /// Neither bound is reached: play on.
    Continue,
    /// The lower bound is reached: the difference is no more than `elo0`.
    AcceptH0,
    /// The upper bound is reached: the difference is at least `elo1`.
    AcceptH1,
}

impl fmt::Display for SprtStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "continue",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtReport {
    /// Log-likelihood ratio of H1 to H0 (natural logarithm).
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// The decision.
    pub status: SprtStatus,
}

/// `LLR 1.23 (-2.94, 2.94) continue`; a precision such as `{:.3}` replaces the two decimals.
impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        let Self { llr, lower, upper, status } = self;
        write!(f, "LLR {llr:.decimals$} ({lower:.decimals$}, {upper:.decimals$}) {status}")
    }
}

impl Sprt {
    /// A test with checked parameters.
    ///
    /// # Errors
    ///
    /// When [`validate`](Self::validate) finds a parameter out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Self, SprtError> {
        let sprt = Self { elo0, elo1, alpha, beta, model };
        sprt.validate()?;
        Ok(sprt)
    }

    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// [`SprtError::Hypotheses`] or [`SprtError::ErrorRates`] for the first that is out of its range.
    pub fn validate(&self) -> Result<(), SprtError> {
        if !(self.elo0 < self.elo1 && -MAX_ELO <= self.elo0 && self.elo1 <= MAX_ELO) {
            return Err(SprtError::Hypotheses);
        }
        let is_rate = |rate: f64| 0.0 < rate && rate < 0.5;
        if is_rate(self.alpha) && is_rate(self.beta) { Ok(()) } else { Err(SprtError::ErrorRates) }
    }

    /// H0 is accepted at or below this log-likelihood ratio: ln(β / (1 − α)).
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// H1 is accepted at or above this log-likelihood ratio: ln((1 − β) / α).
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Log-likelihood ratio of H1 to H0 from a match's pairs and unpaired games: the sum of both, whose distributions
    /// are fitted apart. 0 without a game.
    #[must_use]
    pub fn llr(&self, tally: &MatchTally) -> f64 {
        self.llr_of_pairs(&tally.pairs) + self.llr_of_games(&tally.unpaired)
    }

    /// Log-likelihood ratio from pairs alone.
    #[must_use]
    pub fn llr_of_pairs(&self, pairs: &Pentanomial) -> f64 {
        self.llr_of_cells(pairs.0, 2.0)
    }

    /// Log-likelihood ratio from games that are independent of each other.
    #[must_use]
    pub fn llr_of_games(&self, games: &WdlCounts) -> f64 {
        self.llr_of_cells(games.cells(), 1.0)
    }

    /// The decision that a log-likelihood ratio allows.
    #[must_use]
    pub fn status(&self, llr: f64) -> SprtStatus {
        if llr >= self.upper() {
            SprtStatus::AcceptH1
        } else if llr <= self.lower() {
            SprtStatus::AcceptH0
        } else {
            SprtStatus::Continue
        }
    }

    /// The ratio, the bounds and the decision after the results so far.
    #[must_use]
    pub fn report(&self, tally: &MatchTally) -> SprtReport {
        let llr = self.llr(tally);
        SprtReport { llr, lower: self.lower(), upper: self.upper(), status: self.status(llr) }
    }

    /// Log-likelihood ratio of observations of `games` games each, counted by their scores 0, 1/(N−1), …, 1.
    fn llr_of_cells<const N: usize>(&self, counts: [u64; N], games: f64) -> f64 {
        if counts == [0; N] {
            return 0.0;
        }
        let counts = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let fit = |elo: f64| match self.model {
            SprtModel::Logistic => fit_score(&shares, score_from_elo(elo)),
            // The mean of `games` games has 1/√games of one game's deviation.
            SprtModel::Normalised => fit_t_value(&shares, elo / NORMALISED_ELO_PER_T * games.sqrt()),
        };
        let (h0, h1) = (fit(self.elo0), fit(self.elo1));
        // The best fit's cells are pᵢ/(1 + x·hᵢ), so the pᵢ cancel from the ratio.
        (0..N).map(|i| counts[i] * (h0.divisors[i] / h1.divisors[i]).ln()).sum()
    }
}

/// The best fit to `shares` under a hypothesis.
#[derive(Clone, Copy, Debug)]
struct Fit<const N: usize> {
    /// 1 + x·hᵢ: the share of a cell divided by its probability in the fit.
    divisors: [f64; N],
}

impl<const N: usize> Fit<N> {
    /// The fit without a constraint: the shares themselves.
    const EXACT: Self = Self { divisors: [1.0; N] };

    /// Expectation of `values` under the fit.
    fn mean_of(&self, shares: &[f64; N], values: &[f64; N]) -> f64 {
        (0..N).map(|i| shares[i] / self.divisors[i] * values[i]).sum()
    }
}

/// Scores of the cells about ½: −½ to ½ in equal steps.
fn deviations<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64 - 0.5)
}

/// The best fit with an expected score of `score`.
fn fit_score<const N: usize>(shares: &[f64; N], score: f64) -> Fit<N> {
    fit_linear(shares, &deviations().map(|d| d - (score - 0.5)))
}

/// The best fit with Σ qᵢ·hᵢ = 0. The hᵢ must have both signs; when rounding at the ends of the scale took one away,
/// the constraint is dropped.
fn fit_linear<const N: usize>(shares: &[f64; N], h: &[f64; N]) -> Fit<N> {
    let (min, max) = h.iter().fold((0.0f64, 0.0f64), |(min, max), &h| (min.min(h), max.max(h)));
    if !(min < 0.0 && max > 0.0) {
        return Fit::EXACT;
    }
    // The function falls from +∞ to −∞ between these, where the first divisors become 0. Newton's method, halving the
    // bracket whenever it would leave it.
    let (mut low, mut high) = (-1.0 / max, -1.0 / min);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, h) in shares.iter().zip(h) {
            let part = h / (1.0 + x * h);
            value += share * part;
            slope += share * part * part;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = value / slope;
        // A step that rounding swallows would look like one out of the bracket: this test comes first.
        if step.abs() <= 1e-14 * (x.abs() + 1e-3) {
            break;
        }
        let newton = x + step;
        x = if low < newton && newton < high { newton } else { low.midpoint(high) };
    }
    // Rounding at a pole must not make a probability negative.
    Fit { divisors: h.map(|h| (1.0 + x * h).max(f64::MIN_POSITIVE)) }
}

/// The best fit whose mean deviation from ½ is `t` standard deviations; see the module's page for the method.
fn fit_t_value<const N: usize>(shares: &[f64; N], t: f64) -> Fit<N> {
    if t < 0.0 {
        let mut mirrored = *shares;
        mirrored.reverse();
        let mut fit = fit_t_value(&mirrored, -t);
        fit.divisors.reverse();
        return fit;
    }
    let d = deviations::<N>();
    if t == 0.0 {
        return fit_linear(shares, &d);
    }
    let u = t / (1.0 + t * t).sqrt();
    let squares = d.map(|d| d * d);
    let fit_at = |r: f64| fit_linear(shares, &d.map(|d| d - u / 2.0 * (r + d * d / r)));
    let rms_at = |r: f64| fit_at(r).mean_of(shares, &squares).sqrt();

    let mean = Fit::EXACT.mean_of(shares, &d);
    let rms = Fit::EXACT.mean_of(shares, &squares).sqrt();
    if mean > u * rms {
        // Above the hypothesis. The bracket is where the results violate Σ pᵢ·hᵢ(r) ≤ 0; the ends' product is rms².
        let root = (mean * mean - u * u * rms * rms).sqrt();
        let (mut low, mut high) = (u * rms * rms / (mean + root), (mean + root) / u);
        let (mut r, mut last_step) = (rms, f64::INFINITY);
        for _ in 0..100 {
            let own = rms_at(r);
            if own > r {
                low = r;
            } else {
                high = r;
            }
            let step = (own - r).abs();
            if step <= 1e-11 * r || high - low <= 1e-11 * r {
                break;
            }
            // The fixed point is attractive for all but strange samples; halve the bracket where it is not.
            r = if step < 0.5 * last_step && low < own && own < high { own } else { low.midpoint(high) };
            last_step = step;
        }
        return fit_at(r);
    }

    // Below the hypothesis. Every step is uphill. Nearly always there is one hill, and the results' own r is on it;
    // when nearly all results are alike there may be several: a coarse grid finds them. A fit exists where some cell
    // has hᵢ(r) > 0, as the cell with d = r = ½ always has.
    let has_fit = |r: f64| d.iter().any(|&d| d > u / 2.0 * (r + d * d / r));
    let likelihood = |r: f64| -> f64 { -shares.iter().zip(fit_at(r).divisors).map(|(p, v)| p * v.ln()).sum::<f64>() };
    let climb = |start: f64| {
        let mut r = start;
        for _ in 0..100 {
            let one = rms_at(r);
            let two = rms_at(one);
            // Steps shrink by a constant factor, which is close to 1 where the hill is flat: Aitken's extrapolation
            // jumps to their limit, if that is uphill as well.
            let limit = r - (one - r) * (one - r) / (two - 2.0 * one + r);
            let is_uphill = limit > 0.0 && has_fit(limit) && likelihood(limit) >= likelihood(two);
            let next = if is_uphill { limit } else { two };
            let is_done = (next - r).abs() <= 1e-9 * r;
            r = next;
            if is_done {
                break;
            }
        }
        r
    };

    let mut grid = [rms; GRID];
    for (step, r) in (0..).zip(&mut grid[1..]) {
        *r = 0.5 * 0.85f64.powi(step);
    }
    grid.sort_by(f64::total_cmp);
    let heights = grid.map(|r| if has_fit(r) { likelihood(r) } else { f64::NEG_INFINITY });
    let is_peak = |i: usize| {
        let height = heights[i];
        let is_below = |other: Option<&f64>| other.is_none_or(|other| *other <= height);
        height.is_finite() && is_below(heights[..i].last()) && is_below(heights.get(i + 1))
    };
    let peaks = (0..GRID).filter(|i| is_peak(*i)).map(|i| climb(grid[i]));
    let highest = peaks.max_by(|a, b| likelihood(*a).total_cmp(&likelihood(*b)));
    fit_at(highest.unwrap_or(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use SprtModel::{Logistic, Normalised};
    use proptest::prelude::*;

    fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    fn assert_close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{got} instead of {expected}");
    }

    /// Inputs and values to two decimals are those of fastchess's unit tests (app/tests/sprt_test.cpp): 0.92, 2.30,
    /// −1.57, −2.59; 2.25, 3.01, −3.07, −4.98. The further digits: numpy, maximising the likelihood by the convex dual
    /// for two constraints (mean and variance) and searching over the mean.
    #[test]
    fn published_examples() {
        let games = |losses, draws, wins| WdlCounts { wins, draws, losses };
        for (games, elo0, elo1, model, llr) in [
            (games(36027, 68692, 36433), 0.0, 2.0, Normalised, 0.923_293_45),
            (games(10650, 20431, 10871), -1.75, 0.25, Normalised, 2.297_500_41),
            (games(21184, 40708, 21404), 0.5, 2.5, Logistic, -1.571_888_793),
            (games(57030, 106_593, 57433), 0.0, 2.0, Logistic, -2.593_024_164),
        ] {
            assert_close(sprt(elo0, elo1, model).llr_of_games(&games), llr);
        }
        for (pairs, elo0, elo1, model, llr) in [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalised, 2.250_367_704),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalised, 3.010_154_197),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.074_126_440),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.978_672_863),
        ] {
            assert_close(sprt(elo0, elo1, model).llr_of_pairs(&Pentanomial(pairs)), llr);
        }
    }

    /// scipy: the likelihood maximised over all distributions by SLSQP (normalised, 30 starts) or by the dual
    /// (logistic), empty cells counting 0.001.
    #[test]
    fn small_and_lopsided_samples() {
        for (pairs, elo0, elo1, model, llr) in [
            ([34, 54, 63, 64, 75], 0.0, 10.0, Logistic, 2.551_066_995),
            ([34, 54, 63, 64, 75], 0.0, 10.0, Normalised, 2.483_695_481),
            ([34, 54, 63, 64, 75], 20.0, 120.0, Normalised, -4.770_218_583),
            ([0, 3, 20, 11, 2], 0.0, 20.0, Logistic, 1.997_700_562),
            ([0, 3, 20, 11, 2], 0.0, 20.0, Normalised, 1.102_391_076),
            ([3, 5, 30, 1, 1], 0.0, 50.0, Normalised, -2.907_528_947),
            ([50, 5, 0, 50, 0], -100.0, 50.0, Normalised, -16.958_903_354),
            ([0, 0, 0, 0, 104], 0.0, 5.0, Logistic, 1.485_939_569),
            ([0, 0, 0, 0, 104], 0.0, 5.0, Normalised, 2.094_954_528),
            ([0, 0, 100, 0, 0], 0.0, 5.0, Logistic, -1.441_647_908),
            ([0, 0, 100, 0, 0], 0.0, 5.0, Normalised, -0.037_539_883),
        ] {
            assert_close(sprt(elo0, elo1, model).llr_of_pairs(&Pentanomial(pairs)), llr);
        }
        assert_close(sprt(0.0, 30.0, Logistic).llr_of_games(&WdlCounts::new(60, 40, 30)), 3.059_702_533);
        assert_close(sprt(0.0, 30.0, Normalised).llr_of_games(&WdlCounts::new(60, 40, 30)), 2.631_250_608);
    }

    /// By hand: ln(0.05/0.95) = −ln 19.
    #[test]
    fn bounds_and_status() {
        let test = sprt(0.0, 5.0, Normalised);
        assert!((test.upper() - 19f64.ln()).abs() < 1e-12 && (test.lower() + 19f64.ln()).abs() < 1e-12);
        assert_eq!(test.status(2.9), SprtStatus::Continue);
        assert_eq!(test.status(2.95), SprtStatus::AcceptH1);
        assert_eq!(test.status(-2.95), SprtStatus::AcceptH0);
        let skewed = Sprt::new(0.0, 5.0, 0.01, 0.1, Logistic).unwrap();
        assert!((skewed.upper() - 90f64.ln()).abs() < 1e-12);
        assert!((skewed.lower() - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        let report = test.report(&MatchTally::default());
        assert_eq!(report.to_string(), "LLR 0.00 (-2.94, 2.94) continue");
    }

    #[test]
    fn bad_parameters_are_rejected() {
        for (elo0, elo1) in [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-2000.0, 0.0)] {
            assert_eq!(Sprt::new(elo0, elo1, 0.05, 0.05, Logistic), Err(SprtError::Hypotheses));
        }
        for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5), (f64::NAN, 0.05), (-0.1, 0.1)] {
            assert_eq!(Sprt::new(0.0, 5.0, alpha, beta, Logistic), Err(SprtError::ErrorRates));
        }
    }

    /// Hypotheses at the edge of the allowed range leave the best fits next to nothing; the ratio stays a number.
    #[test]
    fn extremes_stay_finite() {
        for model in [Logistic, Normalised] {
            for (elo0, elo1) in [(-1000.0, 1000.0), (0.0, 1e-9), (999.0, 1000.0), (-1000.0, -999.0)] {
                for cell in 0..5 {
                    for count in [1, 10_000_000] {
                        let mut pairs = Pentanomial::default();
                        pairs.0[cell] = count;
                        let llr = sprt(elo0, elo1, model).llr_of_pairs(&pairs);
                        assert!(llr.is_finite(), "{model} {elo0} {elo1} {pairs}: {llr}");
                    }
                }
            }
        }
    }

    fn models() -> impl Strategy<Value = SprtModel> {
        prop_oneof![Just(Logistic), Just(Normalised)]
    }

    /// A cell that may be empty, small or large.
    fn cells() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), 0u64..10, 0u64..2000]
    }

    fn hypotheses() -> impl Strategy<Value = (f64, f64)> {
        (-50.0..50.0f64, 0.5..50.0f64).prop_map(|(elo0, width)| (elo0, elo0 + width))
    }

    proptest! {
        #[test]
        fn swapping_sides_and_hypotheses_negates(
            pairs in prop::array::uniform5(cells()), (elo0, elo1) in hypotheses(), model in models(),
        ) {
            let pairs = Pentanomial(pairs);
            let llr = sprt(elo0, elo1, model).llr_of_pairs(&pairs);
            let mirrored = sprt(-elo1, -elo0, model).llr_of_pairs(&pairs.reversed());
            prop_assert!((llr + mirrored).abs() < 1e-6 * (1.0 + llr.abs()), "{} {}", llr, mirrored);
        }

        #[test]
        fn twice_the_evidence_doubles_the_ratio(
            pairs in prop::array::uniform5(1u64..2000), (elo0, elo1) in hypotheses(), model in models(),
        ) {
            let pairs = Pentanomial(pairs);
            let test = sprt(elo0, elo1, model);
            let (once, twice) = (test.llr_of_pairs(&pairs), test.llr_of_pairs(&(pairs + pairs)));
            prop_assert!((twice - 2.0 * once).abs() < 1e-6 * (1.0 + once.abs()));
        }

        /// Each fit is a distribution that satisfies its hypothesis.
        #[test]
        fn fits_satisfy_their_hypotheses(counts in prop::array::uniform5(cells()), elo in -60.0..60.0f64) {
            let counts = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
            let total: f64 = counts.iter().sum();
            let shares = counts.map(|count| count / total);
            let d = deviations::<5>();

            let score = score_from_elo(elo);
            let fit = fit_score(&shares, score);
            prop_assert!((fit.mean_of(&shares, &[1.0; 5]) - 1.0).abs() < 1e-6);
            prop_assert!((fit.mean_of(&shares, &d) - (score - 0.5)).abs() < 1e-6);

            let t = elo / NORMALISED_ELO_PER_T;
            let fit = fit_t_value(&shares, t);
            let mean = fit.mean_of(&shares, &d);
            let variance = fit.mean_of(&shares, &d.map(|d| (d - mean) * (d - mean)));
            prop_assert!((fit.mean_of(&shares, &[1.0; 5]) - 1.0).abs() < 1e-6);
            prop_assert!((mean - t * variance.sqrt()).abs() < 1e-6, "{} {}", mean, t * variance.sqrt());
        }

        /// The slow oracle: every half-space of a fine grid of r. Below a hypothesis none may fit better than the best
        /// fit, above it none that the results violate may fit worse.
        #[test]
        fn no_half_space_beats_the_best_fit(counts in prop::array::uniform5(cells()), elo in 0.5..60.0f64) {
            let counts = counts.map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
            let total: f64 = counts.iter().sum();
            let shares = counts.map(|count| count / total);
            let loss = |fit: &Fit<5>| -> f64 { shares.iter().zip(fit.divisors).map(|(p, v)| p * v.ln()).sum() };
            let d = deviations::<5>();
            let t = elo / NORMALISED_ELO_PER_T;
            let u = t / (1.0 + t * t).sqrt();
            let best = loss(&fit_t_value(&shares, t));
            let mean = Fit::EXACT.mean_of(&shares, &d);
            let is_above = mean > u * Fit::EXACT.mean_of(&shares, &d.map(|d| d * d)).sqrt();
            for step in 0..400 {
                let r = 0.5 * 1.03f64.powi(-step);
                let h = d.map(|d| d - u / 2.0 * (r + d * d / r));
                if h.iter().all(|h| *h <= 0.0) {
                    continue;
                }
                let other = loss(&fit_linear(&shares, &h));
                if !is_above {
                    // Two hills of nearly the same height may hide between two points of the search's grid.
                    prop_assert!(other >= best - 5e-5, "r {}: {} < {}", r, other, best);
                } else if Fit::EXACT.mean_of(&shares, &h) > 0.0 {
                    prop_assert!(other <= best + 1e-9, "r {}: {} > {}", r, other, best);
                }
            }
        }

        /// The score's side decides the sign: results on H1's side of both favour H1.
        #[test]
        fn results_beyond_a_hypothesis_favour_it(pairs in prop::array::uniform5(1u64..500), width in 0.5..50.0f64) {
            let pairs = Pentanomial(pairs);
            let sample = crate::ScoreSample::from(&pairs);
            for (model, estimate) in [(Logistic, sample.elo()), (Normalised, sample.normalised_elo())] {
                let value = estimate.unwrap().value;
                if value.abs() < 900.0 {
                    prop_assert!(sprt(value - width, value, model).llr_of_pairs(&pairs) > 0.0);
                    prop_assert!(sprt(value, value + width, model).llr_of_pairs(&pairs) < 0.0);
                }
            }
        }
    }
}
