//! One fit of the ladder and of the games against engines with published ratings.
//!
//! Games between levels of one engine exaggerate: a level that sees a little more than the other one wins more often
//! than two engines of different kinds with these ratings would. The fit takes one factor for all steps of the ladder:
//!
//! - a step: `factor · (high − low) = Elo of the games`, which is linear with the unknown `1 / factor`,
//! - a match against an anchor: `level − anchor = Elo of the games`,
//! - an anchor: `anchor = its published rating, less the discount for the time`.
//!
//! Each equation is weighted by its standard error. Least squares then give ratings with errors that grow where the
//! anchors contradict each other.

use super::ladder::Step;
use bartizan_stats::{Coefficient, LeastSquares};

/// A rating that is known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// In Elo.
    pub(super) rating: f64,
    /// Its standard error, in Elo.
    pub(super) error: f64,
}

/// Games of a level against an anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Number of the anchor.
    pub(super) anchor: usize,
    /// Number of the level.
    pub(super) level: usize,
    /// Elo of the level in the games, and its standard error.
    pub(super) estimate: (f64, f64),
}

/// A fitted number and the half-width of its 95 % confidence interval.
pub(super) type Fitted = (f64, Option<f64>);

/// The result.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// The ratings of the levels.
    pub(super) levels: Vec<Fitted>,
    /// The ratings of the anchors.
    pub(super) anchors: Vec<Fitted>,
    /// By how much games between the levels exaggerate their differences.
    pub(super) factor: f64,
}

/// How often the weights of the steps, which depend on the factor, are computed again.
const PASSES: usize = 5;

/// Fits the ratings of `count` levels, between which the steps are in order. `None` if the games do not determine them.
pub(super) fn fit(count: usize, steps: &[Step], anchors: &[Known], meetings: &[Meeting]) -> Option<Fit> {
    let inverse_factor = count + anchors.len();
    let width = inverse_factor + 1;
    let mut factor = 1.0;
    let mut solution: Vec<Coefficient> = Vec::new();
    for _ in 0..PASSES {
        let mut equations = LeastSquares::new(width);
        let mut add = |terms: &[(usize, f64)], value: f64, error: f64| {
            let mut row = vec![0.0; width];
            for &(unknown, weight) in terms {
                row[unknown] = weight / error;
            }
            equations.add(&row, value / error);
        };
        for (low, step) in steps.iter().enumerate() {
            let (elo, error) = step.score.estimate()?;
            add(&[(low + 1, 1.0), (low, -1.0), (inverse_factor, -elo)], 0.0, error / factor);
        }
        for meeting in meetings {
            let (elo, error) = meeting.estimate;
            add(&[(meeting.level, 1.0), (count + meeting.anchor, -1.0)], elo, error);
        }
        for (anchor, known) in anchors.iter().enumerate() {
            add(&[(count + anchor, 1.0)], known.rating, known.error);
        }
        solution = equations.solve()?;
        factor = solution[inverse_factor].value.recip();
        if !factor.is_finite() || factor <= 0.0 {
            return None;
        }
    }
    let fitted: Vec<Fitted> = solution.iter().map(|found| (found.value, found.margin)).collect();
    Some(Fit { levels: fitted[..count].to_vec(), anchors: fitted[count..inverse_factor].to_vec(), factor })
}

#[cfg(test)]
mod tests {
    use super::super::games::Score;
    use super::*;

    fn step(elo: f64) -> Step {
        Step { low: 0, high: 200, score: Score { wins: 1, draws: 1, losses: 1, elo: Some((elo, Some(20.0))) } }
    }

    #[test]
    fn the_fit_finds_ratings_and_the_factor() {
        // Levels at 1000, 1200, 1400 and 1500, games that exaggerate by 1.5, and anchors at 1050 and 1420.
        let steps = [step(300.0), step(300.0), step(150.0)];
        let anchors = [1050.0, 1420.0].map(|rating| Known { rating, error: 30.0 });
        let meet = |anchor, level, elo| Meeting { anchor, level, estimate: (elo, 25.0) };
        let meetings = [meet(0, 0, -50.0), meet(0, 1, 150.0), meet(1, 2, -20.0), meet(1, 3, 80.0)];
        let fit = fit(4, &steps, &anchors, &meetings).unwrap();
        for ((rating, _), expected) in fit.levels.iter().zip([1000.0, 1200.0, 1400.0, 1500.0]) {
            assert!((rating - expected).abs() < 1e-6, "{fit:?}");
        }
        assert!((fit.factor - 1.5).abs() < 1e-9 && (fit.anchors[1].0 - 1420.0).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn contradictions_widen_the_errors() {
        let steps = [step(300.0)];
        let anchors = [1000.0, 1300.0].map(|rating| Known { rating, error: 30.0 });
        let meet = |anchor, level, elo| Meeting { anchor, level, estimate: (elo, 25.0) };
        let meetings = |off: f64| [meet(0, 0, 0.0), meet(0, 1, 200.0), meet(1, 0, -300.0 - off), meet(1, 1, -100.0)];
        let margin = |off| fit(2, &steps, &anchors, &meetings(off)).unwrap().levels[0].1.unwrap_or(0.0);
        assert!(margin(0.0) < margin(20.0) && margin(20.0) < margin(100.0));
    }

    #[test]
    fn too_few_games_determine_nothing() {
        assert!(fit(3, &[step(300.0)], &[], &[]).is_none());
        let known = [Known { rating: 1000.0, error: 30.0 }];
        let meeting = [Meeting { anchor: 0, level: 0, estimate: (0.0, 25.0) }];
        assert!(fit(3, &[step(300.0), step(300.0)], &known, &meeting).is_none());
    }
}
