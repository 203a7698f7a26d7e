//! Ratings of many engines from the games between them.
//!
//! The model is Bradley and Terry's (1952) with a draw as half a win: a difference of `d` Elo expects the score
//! 1/(1 + 10^(−d/400)), so that two engines' ratings differ by the logistic Elo of their match. The ratings of
//! Davidson's model of draws (1970) have another scale: they describe wins against losses and grow with the draw ratio,
//! so they would disagree with the Elo of matches. That model is not used.
//!
//! Ratings are those of maximum likelihood (each engine's expected points equal its points), found by Newton's method.
//! The error bars come from the inverse Fisher information, whose variance of a game's score p·(1 − p) is that without
//! draws; draws make it smaller by p·(1 − p)·D if an even pairing draws the share D of its games and others in
//! proportion to p·(1 − p), and the covariance is scaled by 1 − D (a quasi-likelihood with estimated dispersion, as in
//! McCullagh and Nelder, "Generalized linear models"). For two engines this is exactly the margin of
//! [`ScoreSample::elo`] of their games.
//!
//! [`ScoreSample::elo`]: super::ScoreSample::elo

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use crate::normal::Z95;
use crate::score::WdlCounts;

/// Draws that each engine is given against a virtual opponent when the games alone fix no finite ratings.
///
/// That is so when an engine, or a group of them, has won all or lost all of its points against the rest. The
/// opponent's rating is the one at which the whole pool scores half against it. Half a draw lets an engine that won all
/// `n` games against such opponents be about 400·log₁₀(4·n) above them.
pub const PRIOR_DRAWS: f64 = 0.5;

/// Elo for one unit of the logarithm of the odds.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The engine with a known rating, which fixes the scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// The engine's name.
    pub name: String,
    /// Its rating, in Elo; finite.
    pub elo: f64,
}

/// One engine's place in the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The engine's name.
    pub name: String,
    /// Rating, in Elo.
    pub elo: f64,
    /// Half-width of the 95 % confidence interval of the difference from the anchor, in Elo; 0 for the anchor.
    pub error: f64,
    /// The engine's games.
    pub games: WdlCounts,
    /// Points per game, 0 to 1.
    pub score: f64,
    /// Draws per game, 0 to 1.
    pub draw_ratio: f64,
    /// Mean rating of the opponents, weighted by games, in Elo.
    pub opponents: f64,
}

/// Why engines cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LadderError {
    /// No game was played.
    #[error("no games to rate")]
    NoGames,
    /// No engine has the anchor's name.
    #[error("the anchor '{0}' played no games")]
    UnknownAnchor(String),
    /// No chain of games links these groups of engines, so the differences between them are unknown.
    #[error(
        "no games link these groups of engines: {}",
        .0.iter().map(|group| group.join(", ")).collect::<Vec<_>>().join(" | ")
    )]
    Disconnected(Vec<Vec<String>>),
}

/// Results of all pairings of a pool of engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ladder {
    names: Vec<String>,
    /// By the two engines' indices, the lower first, from its view.
    pairings: BTreeMap<(usize, usize), WdlCounts>,
}

impl Ladder {
    /// A pool without games.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds games between two engines, counted from the first one's view. Games of an engine against itself say nothing
    /// about ratings and are ignored.
    pub fn add(&mut self, first: &str, second: &str, games: WdlCounts) {
        if first == second || games.total() == 0 {
            return;
        }
        let (one, other) = (self.index(first), self.index(second));
        let pairing = self.pairings.entry((one.min(other), one.max(other))).or_default();
        *pairing += if one < other { games } else { games.reversed() };
    }

    /// The engine's index, a new one for a new name.
    fn index(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Ratings of all engines, the best first, equal ones by name. Costs time in the cube of the number of engines.
    ///
    /// # Errors
    ///
    /// See [`LadderError`].
    pub fn rate(&self, anchor: &Anchor) -> Result<Vec<Rating>, LadderError> {
        if self.pairings.is_empty() {
            return Err(LadderError::NoGames);
        }
        let anchor_index = self
            .names
            .iter()
            .position(|name| *name == anchor.name)
            .ok_or_else(|| LadderError::UnknownAnchor(anchor.name.clone()))?;
        let groups = self.groups();
        if groups.len() > 1 {
            return Err(LadderError::Disconnected(groups));
        }

        // Ford (1957): finite ratings exist if and only if every engine is linked to every other by a chain of points.
        let prior = if self.is_linked_by_points() { 0.0 } else { PRIOR_DRAWS };
        let problem = Problem { ladder: self, anchor: anchor_index, prior };
        let logits = problem.maximise();
        let variances = problem.variances(&logits);

        let elos: Vec<f64> =
            logits.iter().map(|logit| anchor.elo + ELO_PER_LOGIT * (logit - logits[anchor_index])).collect();
        let scale = Z95 * ELO_PER_LOGIT * self.dispersion(&logits).sqrt();
        let mut rows: Vec<Rating> = (0..self.names.len())
            .map(|index| self.row(index, &elos, scale * variances[index].max(0.0).sqrt()))
            .collect();
        rows.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
        Ok(rows)
    }

    fn row(&self, index: usize, elos: &[f64], error: f64) -> Rating {
        let mut games = WdlCounts::default();
        let mut opponents = 0.0;
        for (opponent, result) in self.results_of(index) {
            games += result;
            opponents += result.total() as f64 * elos[opponent];
        }
        // Every engine of the pool has a game: `add` makes none without.
        let total = games.total() as f64;
        Rating {
            name: self.names[index].clone(),
            elo: elos[index],
            error,
            games,
            score: games.points() / total,
            draw_ratio: games.draws as f64 / total,
            opponents: opponents / total,
        }
    }

    /// The engine's opponents with its results against them.
    fn results_of(&self, index: usize) -> impl Iterator<Item = (usize, WdlCounts)> {
        self.pairings.iter().filter_map(move |(&(one, other), games)| {
            if one == index {
                Some((other, *games))
            } else if other == index {
                Some((one, games.reversed()))
            } else {
                None
            }
        })
    }

    /// The share of a game's variance that draws leave: 1 − D, with D the draws for each one expected if an even
    /// pairing drew all its games. Kept above 0, which a pool of nothing but draws would give.
    fn dispersion(&self, logits: &[f64]) -> f64 {
        let (mut draws, mut games, mut evenness) = (0.0, 0.0, 0.0);
        for (&(one, other), result) in &self.pairings {
            let expected = logistic(logits[one] - logits[other]);
            draws += result.draws as f64;
            games += result.total() as f64;
            evenness += result.total() as f64 * 4.0 * expected * (1.0 - expected);
        }
        (1.0 - draws / evenness).max(1.0 / (games + 1.0))
    }

    /// The groups of engines linked by games, each sorted by name.
    fn groups(&self) -> Vec<Vec<String>> {
        let mut is_grouped = vec![false; self.names.len()];
        let mut groups = Vec::new();
        for start in 0..self.names.len() {
            if is_grouped[start] {
                continue;
            }
            let is_member = self.reachable(start, |_| true);
            let mut group = Vec::new();
            for (index, name) in self.names.iter().enumerate().filter(|(index, _)| is_member[*index]) {
                is_grouped[index] = true;
                group.push(name.clone());
            }
            group.sort();
            groups.push(group);
        }
        groups
    }

    /// Whether from any engine to any other leads a chain in which each took at least half a point off the next.
    fn is_linked_by_points(&self) -> bool {
        let scored = self.reachable(0, |games| games.wins + games.draws > 0);
        let conceded = self.reachable(0, |games| games.losses + games.draws > 0);
        scored.iter().chain(&conceded).all(|reached| *reached)
    }

    /// Which engines a chain of pairings that `counts` (from the view of the earlier engine) links to `start`.
    fn reachable(&self, start: usize, counts: impl Fn(WdlCounts) -> bool) -> Vec<bool> {
        let mut is_reached = vec![false; self.names.len()];
        is_reached[start] = true;
        let mut open = vec![start];
        while let Some(engine) = open.pop() {
            for (opponent, games) in self.results_of(engine) {
                if counts(games) && !is_reached[opponent] {
                    is_reached[opponent] = true;
                    open.push(opponent);
                }
            }
        }
        is_reached
    }
}

/// The likelihood to maximise. Ratings are in logits; the anchor's is 0 without a prior, the virtual opponent's with
/// one.
struct Problem<'a> {
    ladder: &'a Ladder,
    anchor: usize,
    prior: f64,
}

impl Problem<'_> {
    /// The most likely ratings.
    fn maximise(&self) -> Vec<f64> {
        let mut logits = vec![0.0; self.ladder.names.len()];
        let mut likelihood = self.log_likelihood(&logits);
        // The function is concave: Newton's steps, shortened where they overshoot, converge in about ten.
        for _ in 0..200 {
            let step = Cholesky::new(self.information(&logits)).solve(self.gradient(&logits));
            let longest = step.iter().fold(0.0f64, |longest, part| longest.max(part.abs()));
            if longest < 1e-11 {
                break;
            }
            let mut scale = (2.0 / longest).min(1.0);
            loop {
                let tried: Vec<f64> = logits.iter().zip(&step).map(|(logit, part)| logit + scale * part).collect();
                let value = self.log_likelihood(&tried);
                // Next to the summit the gain drowns in rounding.
                if value >= likelihood - 1e-12 * likelihood.abs() || scale < 1e-6 {
                    (logits, likelihood) = (tried, value);
                    break;
                }
                scale /= 2.0;
            }
        }
        logits
    }

    /// Variances of the differences from the anchor, in logits², before the correction for draws.
    fn variances(&self, logits: &[f64]) -> Vec<f64> {
        let factor = Cholesky::new(self.information(logits));
        let size = logits.len();
        (0..size)
            .map(|index| {
                // The variance of a difference is cᵀ·C·c with +1 for the engine and −1 for the anchor, whose variance
                // is 0 where it is the origin.
                let mut contrast = vec![0.0; size];
                contrast[index] += 1.0;
                contrast[self.anchor] -= 1.0;
                if self.prior == 0.0 {
                    contrast[self.anchor] = 0.0;
                }
                let solved = factor.solve(contrast.clone());
                contrast.iter().zip(solved).map(|(c, part)| c * part).sum()
            })
            .collect()
    }

    fn log_likelihood(&self, logits: &[f64]) -> f64 {
        let games = self.ladder.pairings.iter().map(|(&(one, other), games)| {
            let difference = logits[one] - logits[other];
            games.points() * log_logistic(difference) + games.reversed().points() * log_logistic(-difference)
        });
        let prior = logits.iter().map(|logit| self.prior / 2.0 * (log_logistic(*logit) + log_logistic(-logit)));
        games.chain(prior).sum()
    }

    /// Points beyond the expected ones, for each engine.
    fn gradient(&self, logits: &[f64]) -> Vec<f64> {
        let mut gradient: Vec<f64> = logits.iter().map(|logit| self.prior * (0.5 - logistic(*logit))).collect();
        for (&(one, other), games) in &self.ladder.pairings {
            let surplus = games.points() - games.total() as f64 * logistic(logits[one] - logits[other]);
            gradient[one] += surplus;
            gradient[other] -= surplus;
        }
        if self.prior == 0.0 {
            gradient[self.anchor] = 0.0;
        }
        gradient
    }

    /// The Fisher information: minus the second derivatives of the log-likelihood.
    fn information(&self, logits: &[f64]) -> Vec<Vec<f64>> {
        let size = logits.len();
        let mut information = vec![vec![0.0; size]; size];
        for (index, logit) in logits.iter().enumerate() {
            information[index][index] = self.prior * logistic(*logit) * logistic(-logit);
        }
        for (&(one, other), games) in &self.ladder.pairings {
            let difference = logits[one] - logits[other];
            let weight = games.total() as f64 * logistic(difference) * logistic(-difference);
            information[one][one] += weight;
            information[other][other] += weight;
            information[one][other] -= weight;
            information[other][one] -= weight;
        }
        if self.prior == 0.0 {
            // Only differences matter to the games. The row of a fixed rating decouples from the others; its 1 keeps
            // the matrix regular and the step there 0.
            for row in &mut information {
                row[self.anchor] = 0.0;
            }
            information[self.anchor] = vec![0.0; size];
            information[self.anchor][self.anchor] = 1.0;
        }
        information
    }
}

/// 1/(1 + e^(−x)).
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1/(1 + e^(−x))), without overflow for large −x.
fn log_logistic(x: f64) -> f64 {
    x.min(0.0) - (-x.abs()).exp().ln_1p()
}

/// The lower triangle L of a positive definite matrix L·Lᵀ.
struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    fn new(mut rows: Vec<Vec<f64>>) -> Self {
        for i in 0..rows.len() {
            for j in 0..=i {
                let inner: f64 = (0..j).map(|k| rows[i][k] * rows[j][k]).sum();
                let rest = rows[i][j] - inner;
                // The matrix is positive definite, but a pool of extreme scores brings it near enough to the edge for
                // rounding to cross it.
                rows[i][j] = if i == j { rest.max(1e-300).sqrt() } else { rest / rows[j][j] };
            }
        }
        Self { rows }
    }

    /// The x with L·Lᵀ·x = `right`.
    fn solve(&self, right: Vec<f64>) -> Vec<f64> {
        let mut x = right;
        for i in 0..x.len() {
            let inner: f64 = (0..i).map(|k| self.rows[i][k] * x[k]).sum();
            x[i] = (x[i] - inner) / self.rows[i][i];
        }
        for i in (0..x.len()).rev() {
            let inner: f64 = (i + 1..x.len()).map(|k| self.rows[k][i] * x[k]).sum();
            x[i] = (x[i] - inner) / self.rows[i][i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScoreSample;
    use proptest::prelude::*;

    fn anchor(name: &str, elo: f64) -> Anchor {
        Anchor { name: name.to_owned(), elo }
    }

    fn find<'a>(rows: &'a [Rating], name: &str) -> &'a Rating {
        rows.iter().find(|row| row.name == name).unwrap()
    }

    fn assert_close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{got} instead of {expected}");
    }

    #[test]
    fn two_engines_differ_by_the_elo_of_their_match() {
        let games = WdlCounts::new(136, 111, 96);
        let mut ladder = Ladder::new();
        ladder.add("b", "a", games.reversed());
        let rows = ladder.rate(&anchor("b", 3000.0)).unwrap();
        let elo = ScoreSample::from(&games).elo().unwrap();
        assert_eq!((rows[0].name.as_str(), rows[0].games), ("a", games));
        assert_close(rows[0].elo, 3000.0 + elo.value);
        assert_close(rows[0].error, elo.margin.unwrap());
        assert_close(rows[0].opponents, 3000.0);
        assert_close(rows[0].draw_ratio, 111.0 / 343.0);
        assert_close(rows[1].elo, 3000.0);
        assert_eq!(rows[1].error, 0.0);
    }

    /// scipy: the equations "expected points = points" by fsolve, the information by its formula, inverted without the
    /// anchor's row.
    #[test]
    fn four_engines() {
        let mut ladder = Ladder::new();
        ladder.add("a", "b", WdlCounts::new(30, 50, 20));
        ladder.add("a", "c", WdlCounts::new(45, 40, 15));
        ladder.add("b", "c", WdlCounts::new(35, 45, 20));
        ladder.add("c", "d", WdlCounts::new(60, 30, 10));
        ladder.add("d", "a", WdlCounts::new(1, 9, 40));
        let rows = ladder.rate(&anchor("c", 2800.0)).unwrap();
        assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<String>(), "abcd");
        for (row, (elo, error, opponents)) in rows.iter().zip([
            (2908.1997316, 40.0036256, 2784.0862247),
            (2862.9998699, 41.2386805, 2854.0998658),
            (2800.0000000, 0.0000000, 2788.5436617),
            (2594.4313837, 52.2628164, 2836.0665772),
        ]) {
            assert_close(row.elo, elo);
            assert_close(row.error, error);
            assert_close(row.opponents, opponents);
        }
    }

    /// By hand, for one engine that won all n games against another: with the virtual draws the ratings are ±x about
    /// the virtual opponent, and n·(1 − p(2x)) = (p(x) − ½)/2 with p the logistic function. For n = 3 and y = eˣ this
    /// is 3/(1 + y²) = ½·y/(1 + y) − ¼, solved by bisection: y = 4.2799
    #[test]
    fn the_prior_keeps_a_whitewash_finite() {
        let mut ladder = Ladder::new();
        ladder.add("a", "b", WdlCounts::new(3, 0, 0));
        let rows = ladder.rate(&anchor("b", 0.0)).unwrap();
        let (mut low, mut high) = (1.0f64, 100.0f64);
        for _ in 0..100 {
            let y = low.midpoint(high);
            if 3.0 / (1.0 + y * y) > 0.5 * y / (1.0 + y) - 0.25 { low = y } else { high = y }
        }
        assert!((low - 4.2799).abs() < 1e-4);
        assert_close(find(&rows, "a").elo, 2.0 * 400.0 * low.log10());
        assert!(find(&rows, "a").error > 200.0 && find(&rows, "a").error.is_finite());
    }

    #[test]
    fn engines_without_a_loss_or_a_point_rank_at_the_ends() {
        let mut ladder = Ladder::new();
        ladder.add("best", "a", WdlCounts::new(10, 0, 0));
        ladder.add("best", "b", WdlCounts::new(10, 0, 0));
        ladder.add("a", "b", WdlCounts::new(4, 3, 3));
        ladder.add("a", "worst", WdlCounts::new(10, 0, 0));
        ladder.add("b", "worst", WdlCounts::new(10, 0, 0));
        let rows = ladder.rate(&anchor("a", 2000.0)).unwrap();
        assert_eq!((rows[0].name.as_str(), rows[3].name.as_str()), ("best", "worst"));
        assert!(rows.iter().all(|row| row.elo.is_finite() && row.error.is_finite()));
        assert!(rows[0].elo < 3000.0 && rows[3].elo > 1000.0);
        assert!(find(&rows, "best").error > find(&rows, "b").error);
    }

    #[test]
    fn a_pool_of_draws_is_level() {
        let mut ladder = Ladder::new();
        ladder.add("a", "b", WdlCounts::new(0, 10, 0));
        ladder.add("b", "c", WdlCounts::new(0, 10, 0));
        let rows = ladder.rate(&anchor("b", 100.0)).unwrap();
        assert!(rows.iter().all(|row| (row.elo - 100.0).abs() < 1e-9 && row.error.is_finite()));
        assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<String>(), "abc", "equal ratings go by name");
    }

    #[test]
    fn errors_name_the_engines() {
        let mut ladder = Ladder::new();
        ladder.add("a", "a", WdlCounts::new(1, 0, 0));
        ladder.add("a", "b", WdlCounts::default());
        assert_eq!(ladder.rate(&anchor("a", 0.0)), Err(LadderError::NoGames));
        ladder.add("d", "b", WdlCounts::new(1, 1, 0));
        ladder.add("a", "c", WdlCounts::new(1, 1, 1));
        assert_eq!(ladder.rate(&anchor("x", 0.0)), Err(LadderError::UnknownAnchor("x".to_owned())));
        let error = ladder.rate(&anchor("a", 0.0)).unwrap_err();
        assert_eq!(error.to_string(), "no games link these groups of engines: b, d | a, c");
    }

    proptest! {
        /// Shifting the anchor shifts all; results seen from the other side change nothing; and without a prior each
        /// engine's expected points equal its points.
        #[test]
        fn ratings_fit_and_move_with_the_anchor(
            results in prop::collection::vec((0usize..5, 0usize..5, 0u64..30, 0u64..30, 0u64..30), 1..15),
            elo in -4000.0..4000.0f64,
        ) {
            let names = ["a", "b", "c", "d", "e"];
            let (mut ladder, mut flipped) = (Ladder::new(), Ladder::new());
            for &(one, other, wins, draws, losses) in &results {
                let games = WdlCounts::new(wins, draws, losses);
                ladder.add(names[one], names[other], games);
                flipped.add(names[other], names[one], games.reversed());
            }
            let Some(first) = ladder.names.first() else { return Ok(()) };
            let Ok(rows) = ladder.rate(&anchor(first, 0.0)) else { return Ok(()) };
            let moved = flipped.rate(&anchor(first, elo)).unwrap();
            for row in &rows {
                prop_assert!(row.elo.is_finite() && row.error.is_finite() && row.error >= 0.0);
                prop_assert!((find(&moved, &row.name).elo - elo - row.elo).abs() < 1e-5);
                prop_assert!((find(&moved, &row.name).error - row.error).abs() < 1e-5 * (1.0 + row.error));
            }
            if ladder.is_linked_by_points() {
                for (index, name) in ladder.names.iter().enumerate() {
                    let own = find(&rows, name).elo;
                    let expected: f64 = ladder
                        .results_of(index)
                        .map(|(opponent, games)| {
                            let difference = own - find(&rows, &ladder.names[opponent]).elo;
                            games.total() as f64 * crate::score_from_elo(difference)
                        })
                        .sum();
                    prop_assert!((expected - find(&rows, name).games.points()).abs() < 1e-6);
                }
            }
        }
    }
}
