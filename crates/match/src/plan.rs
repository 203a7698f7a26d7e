//! Estimates how many games sequential tests take, and how long.

use crate::journal::JournalContent;
use crate::standing::Standing;
use bartizan_stats::{Expectation, ScoreSample, Sprt, SprtError, SprtModel};
use serde::Serialize;
use std::fmt;

/// The assumed standard deviation of a game's points: half of the games drawn, in pairs of the same opening.
pub const DEVIATION: f64 = 0.35;

/// The greatest difference, in Elo.
const MOST: f64 = 1_000.0;

/// Tests to plan.
///
/// ```
/// use bartizan_match::plan::{DEVIATION, Tests};
/// use bartizan_stats::SprtModel;
///
/// let tests = Tests {
///     bounds: vec![(0.0, 5.0)],
///     model: SprtModel::Logistic,
///     alpha: 0.05,
///     beta: 0.05,
///     differences: Vec::new(),
///     deviation: DEVIATION,
///     games_per_hour: Some(800.0),
/// };
/// let plan = tests.plan()?;
/// assert!(plan.tests[0].elo == 0.0 && plan.tests[0].passes < 0.051);
/// # Ok::<(), bartizan_match::plan::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tests {
    /// The hypotheses of each test, in Elo: `elo0` and `elo1`.
    pub bounds: Vec<(f64, f64)>,
    /// The kind of Elo.
    pub model: SprtModel,
    /// Probability of accepting a change worth only `elo0`.
    pub alpha: f64,
    /// Probability of rejecting a change worth `elo1`.
    pub beta: f64,
    /// True differences, in Elo. If empty: `elo0`, the midpoint, `elo1` and twice `elo1` of each test, up to 1000.
    pub differences: Vec<f64>,
    /// Standard deviation of a game's points, above 0 and at most 0.5.
    pub deviation: f64,
    /// Games per hour, if known.
    pub games_per_hour: Option<f64>,
}

/// A test of a change with a known difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlannedTest {
    /// The first hypothesis, in Elo.
    pub elo0: f64,
    /// The second hypothesis, in Elo.
    pub elo1: f64,
    /// The true difference, in Elo.
    pub elo: f64,
    /// Probability that H1 is accepted.
    pub passes: f64,
    /// Mean number of games.
    pub games: f64,
    /// The time for these games, if the pace is known.
    pub hours: Option<f64>,
}

/// Expected results of some tests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The kind of Elo.
    pub model: SprtModel,
    /// As [`Tests::alpha`].
    pub alpha: f64,
    /// As [`Tests::beta`].
    pub beta: f64,
    /// As [`Tests::deviation`].
    pub deviation: f64,
    /// As [`Tests::games_per_hour`].
    pub games_per_hour: Option<f64>,
    /// Each test with each difference.
    pub tests: Vec<PlannedTest>,
}

/// Why tests cannot be planned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The deviation is out of range.
    #[error("the deviation of a game is above 0 and at most 0.5, not {0}")]
    Deviation(f64),
    /// A test is wrong.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A difference is out of range.
    #[error("the difference {0} is out of range (-1000 to 1000)")]
    Difference(f64),
    /// A number of games, or of hours, is too large.
    #[error("the test [{elo0}, {elo1}] has no finite length if the difference is {elo}")]
    Endless {
        /// The first hypothesis, in Elo.
        elo0: f64,
        /// The second hypothesis, in Elo.
        elo1: f64,
        /// The true difference, in Elo.
        elo: f64,
    },
}

impl Tests {
    /// Computes the length of each test for each difference, by Wald's approximation.
    ///
    /// # Errors
    /// [`PlanError`] for the first number that is out of range.
    pub fn plan(self) -> Result<Plan, PlanError> {
        let Self { bounds, model, alpha, beta, differences, deviation, games_per_hour } = self;
        if !(deviation > 0.0 && deviation <= 0.5) {
            return Err(PlanError::Deviation(deviation));
        }
        let mut tests = Vec::new();
        for (elo0, elo1) in bounds {
            let sprt = Sprt::new(elo0, elo1, alpha, beta, model)?;
            let differences = if differences.is_empty() { usual(elo0, elo1) } else { differences.clone() };
            for elo in differences {
                if elo.is_nan() || elo.abs() > MOST {
                    return Err(PlanError::Difference(elo));
                }
                let Expectation { games, passes } = sprt.expect(elo, deviation);
                let hours = games_per_hour.map(|pace| games / pace);
                if ![games, passes, hours.unwrap_or(0.0)].iter().all(|number| number.is_finite()) {
                    return Err(PlanError::Endless { elo0, elo1, elo });
                }
                tests.push(PlannedTest { elo0, elo1, elo, passes, games, hours });
            }
        }
        Ok(Plan { model, alpha, beta, deviation, games_per_hour, tests })
    }
}

/// A table of the tests.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, alpha, beta, deviation, games_per_hour, tests } = self;
        let pace = games_per_hour.map_or_else(String::new, |games| format!(", {games:.0} games an hour"));
        writeln!(f, "{model} Elo, alpha {alpha}, beta {beta}, deviation of a game {deviation:.3}{pace}\n")?;
        write!(f, "{:>14} {:>8} {:>8} {:>8} {:>8}", "test", "Elo", "passes", "games", "hours")?;
        for PlannedTest { elo0, elo1, elo, passes, games, hours } in tests {
            let test = format!("[{elo0}, {elo1}]");
            let hours = hours.map_or_else(|| "-".to_owned(), |hours| format!("{hours:.1}"));
            write!(f, "\n{test:>14} {elo:>8.1} {:>6.1} % {games:>8.0} {hours:>8}", 100.0 * passes)?;
        }
        Ok(())
    }
}

/// The default differences of a test, without duplicates.
fn usual(elo0: f64, elo1: f64) -> Vec<f64> {
    let mut differences = Vec::new();
    for elo in [elo0, elo0.midpoint(elo1), elo1, 2.0 * elo1] {
        if elo.abs() <= MOST && !differences.contains(&elo) {
            differences.push(elo);
        }
    }
    differences
}

/// What a match of two engines tells about later ones with the same openings and limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchStatistics {
    /// The standard deviation of a game's points; `None` if all pairs have the same result.
    pub deviation: Option<f64>,
    /// Games played per hour; `None` if no time was recorded.
    pub games_per_hour: Option<f64>,
}

impl From<&JournalContent> for MatchStatistics {
    fn from(history: &JournalContent) -> Self {
        let standing = Standing::of(history.settings.engines.len(), &history.games);
        let sample = ScoreSample::from(&standing.pairs(0, 1));
        let micros: u64 = history.games.iter().flat_map(|game| &game.sides).map(|side| side.time).sum();
        let hours = micros as f64 / 3.6e9 / history.settings.concurrency as f64;
        Self {
            deviation: (sample.variance > 0.0).then(|| sample.variance.sqrt()),
            games_per_hour: (hours > 0.0).then(|| history.games.len() as f64 / hours),
        }
    }
}
