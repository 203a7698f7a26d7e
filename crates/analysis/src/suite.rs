//! Test suites: whether an engine knows the solution of a problem, and from when on.

use crate::{Analyser, AnalysisError, AnalysisResult, Limits};
use bartizan_notation::epd::{Epd, EpdError, Problem};
use bartizan_notation::san::San;
use bartizan_parallel::{self as parallel, FeedOptions, StopFlag};
use bartizan_position::Game;
use bartizan_stats::{geometric_mean, wilson};
use bartizan_types::Move;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::time::Duration;

/// A problem and its name.
#[derive(Clone, Debug)]
pub struct NamedProblem {
    /// The `id`, or the number of the line.
    pub name: String,
    /// The task to solve.
    pub problem: Problem,
}

impl NamedProblem {
    /// Reads a line of a suite; `None` if it has no task.
    ///
    /// # Errors
    /// [`EpdError`] if the line is not valid EPD, or its task cannot be read.
    pub fn parse(record: &str, line: usize) -> Result<Option<Self>, EpdError> {
        let epd = Epd::parse(record)?;
        let name = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        Ok(Problem::new(epd)?.map(|problem| Self { name, problem }))
    }
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchMoment {
    /// The time since the beginning of the search.
    pub time: Duration,
    /// The depth, in plies.
    pub depth: u32,
    /// The nodes searched.
    pub nodes: u64,
}

/// Follows the best moves of a search for the solution of a problem.
#[derive(Clone, Debug, Default)]
pub struct SolutionTracker {
    /// The time from which the best move has been the solution without interruption.
    since: Option<SearchMoment>,
    held: u32,
    last: Option<(Move, u32)>,
}

impl SolutionTracker {
    /// Takes the first move of an exact line, and the number of moves to the mate that it announces.
    pub fn take(&mut self, problem: &Problem, mv: Move, mate: Option<i32>, now: SearchMoment) {
        if problem.is_solved(mv, mate) {
            self.since.get_or_insert(now);
            // Several lines of the same depth belong to one iteration.
            self.held += u32::from(self.last.is_none_or(|(_, depth)| now.depth > depth));
        } else {
            (self.since, self.held) = (None, 0);
        }
        self.last = Some((mv, now.depth));
    }

    /// The number of latest consecutive iterations that had the solution.
    pub fn held(&self) -> u32 {
        self.held
    }

    /// The result of the search, which ended with `answer`.
    pub fn outcome(&self, NamedProblem { name, problem }: &NamedProblem, answer: &AnalysisResult) -> ProblemResult {
        let AnalysisResult { best, time, nodes, .. } = *answer;
        let solved = best.is_some_and(|mv| problem.is_solved(mv, answer.mate()));
        let since = self.since.filter(|_| solved && self.last.map(|(mv, _)| mv) == best);
        let position = &problem.epd().position;
        ProblemResult {
            name: name.clone(),
            expected: problem.to_string(),
            played: best.map_or_else(|| "(none)".to_owned(), |mv| San::new(position, mv).to_string()),
            solved,
            since,
            seconds: since.map_or(time, |since| since.time).as_secs_f64(),
            nodes: since.map_or(nodes, |since| since.nodes),
            total_seconds: time.as_secs_f64(),
            total_nodes: nodes,
            points: problem.has_points().then(|| [best.map_or(0, |mv| problem.points_of(mv)), problem.most_points()]),
        }
    }
}

/// The result of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemResult {
    /// The name of the problem.
    pub name: String,
    /// The task, such as `bm Nf3`. Files of older versions lack it.
    #[serde(default)]
    pub expected: String,
    /// The move of the engine, in SAN, or `(none)`.
    pub played: String,
    /// Whether it is the solution.
    pub solved: bool,
    /// When the search last settled on the solution, if it reported that.
    #[serde(skip)]
    pub since: Option<SearchMoment>,
    /// Seconds to the solution; seconds of the whole search if not solved.
    pub seconds: f64,
    /// Nodes to the solution; nodes of the whole search if not solved.
    pub nodes: u64,
    /// Seconds of the whole search.
    pub total_seconds: f64,
    /// Nodes of the whole search.
    pub total_nodes: u64,
    /// Points of the move and of the best move, if the suite gives points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
}

/// Searches a problem with empty tables. The search ends early after `hold` consecutive iterations with the solution.
///
/// # Errors
/// As [`Analyser::search`].
pub fn solve(
    analyser: &mut Analyser,
    named: &NamedProblem,
    limits: &Limits,
    hold: Option<u32>,
) -> Result<ProblemResult, AnalysisError> {
    let mut watch = SolutionTracker::default();
    analyser.clear()?;
    let game = Game::new(named.problem.epd().position.clone());
    let answer = analyser.search(&game, limits, None, |line| {
        if line.is_main() {
            let now = SearchMoment { time: line.time, depth: line.depth, nodes: line.nodes };
            watch.take(&named.problem, line.best(), line.mate(), now);
        }
        let is_held = hold.is_some_and(|hold| watch.held() >= hold);
        if is_held { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(watch.outcome(named, &answer))
}

/// The search of a problem failed.
#[derive(Debug, thiserror::Error)]
#[error("{name}")]
pub struct SolveError {
    /// The name of the problem.
    pub name: String,
    /// What went wrong.
    pub source: AnalysisError,
}

/// Lets several analysers solve the problems of a suite, each as [`solve`] does. `each` gets every outcome as it
/// becomes available. Returns the outcomes in the order of the suite, and the first error, after which no search
/// begins. Problems that were not searched because of the error or a stop ([`Analyser::stop_by`]) have no outcome.
pub fn solve_all(
    analysers: Vec<Analyser>,
    problems: &[NamedProblem],
    limits: &Limits,
    hold: Option<u32>,
    mut each: impl FnMut(&ProblemResult),
) -> (Vec<ProblemResult>, Result<(), SolveError>) {
    let failed = StopFlag::new();
    let workers = analysers.into_iter().map(|analyser| {
        let mut analyser = analyser.stop_by(&failed);
        move |index: usize| match solve(&mut analyser, &problems[index], limits, hold) {
            // A search that was cut off does not count.
            Err(AnalysisError::Stopped) => None,
            outcome => Some((index, outcome)),
        }
    });
    let mut outcomes: Vec<Option<ProblemResult>> = vec![None; problems.len()];
    let flow = FeedOptions::any(2 * problems.len());
    let ended = parallel::run(0..problems.len(), workers, flow, |(index, outcome)| {
        let name = || problems[index].name.clone();
        let outcome = outcome.map_err(|source| SolveError { name: name(), source }).inspect_err(|_| failed.stop())?;
        each(&outcome);
        outcomes[index] = Some(outcome);
        Ok(())
    });
    (outcomes.into_iter().flatten().collect(), ended)
}

/// A run over a suite. Can be stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteRun {
    /// The name of the engine.
    pub engine: String,
    /// The name of the suite.
    pub suite: String,
    /// The limits of each search, as [`describe`](crate::describe) writes them.
    pub limit: String,
    /// The results in the order of the suite.
    pub outcomes: Vec<ProblemResult>,
}

/// How a suite turns the times of solutions into an Elo rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SuiteRating {
    /// BT2630 (Bednorz and Tönnissen): 2630 minus the mean seconds to the solution, with 900 for an unsolved problem.
    Bt2630,
    /// LCT II (Louguet, "La Puce Echiquéenne", 1994): 1900 plus points for each solution, by the seconds to it.
    ///
    /// A solution is worth 30 points in the first 10 seconds, then 25 before 30 seconds, 20 before 90, 15 before 180,
    /// 10 before 390, and 5 up to 600.
    Lapuce2,
}

impl SuiteRating {
    /// The rating for these results of all problems of the suite, in Elo.
    pub fn rate(self, outcomes: &[ProblemResult]) -> f64 {
        match self {
            Self::Bt2630 => {
                let seconds = |outcome: &ProblemResult| if outcome.solved { outcome.seconds } else { 900.0 };
                2630.0 - outcomes.iter().map(seconds).sum::<f64>() / outcomes.len().max(1) as f64
            }
            Self::Lapuce2 => {
                let solved = outcomes.iter().filter(|outcome| outcome.solved);
                1900.0 + solved.map(|outcome| f64::from(lapuce2_points(outcome.seconds))).sum::<f64>()
            }
        }
    }
}

/// Points of LCT II, whose times are whole seconds: "30 points between 0 and 9 seconds" ends before the tenth.
fn lapuce2_points(seconds: f64) -> u32 {
    match seconds {
        ..10.0 => 30,
        ..30.0 => 25,
        ..90.0 => 20,
        ..180.0 => 15,
        ..390.0 => 10,
        ..601.0 => 5,
        _ => 0,
    }
}

/// The summary of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteSummary {
    /// The number of problems.
    pub positions: usize,
    /// The number of problems that were solved.
    pub solved: usize,
    /// 95 % confidence interval of the share solved (Wilson).
    pub interval: [f64; 2],
    /// The geometric mean of the seconds to the solution, over the solved problems.
    pub mean_seconds: Option<f64>,
    /// The geometric mean of the nodes to the solution.
    pub mean_nodes: Option<f64>,
    /// Seconds of all searches.
    pub total_seconds: f64,
    /// Nodes of all searches.
    pub total_nodes: u64,
    /// Points of the moves and of the best moves, if the suite gives points.
    pub points: Option<[i64; 2]>,
    /// The rating by the formula of the suite, if one is given.
    pub rating: Option<f64>,
}

impl SuiteRun {
    /// The summary, with the rating by this formula.
    pub fn summary(&self, rating: Option<SuiteRating>) -> SuiteSummary {
        let solved: Vec<&ProblemResult> = self.outcomes.iter().filter(|outcome| outcome.solved).collect();
        let seconds: Vec<f64> = solved.iter().map(|outcome| outcome.seconds.max(1e-3)).collect();
        let nodes: Vec<f64> = solved.iter().map(|outcome| outcome.nodes.max(1) as f64).collect();
        let points = self.outcomes.iter().filter_map(|outcome| Some(outcome.points?.map(i64::from)));
        let points = points.reduce(|[a, b], [c, d]| [a + c, b + d]);
        let interval = wilson(solved.len() as u64, self.outcomes.len() as u64).map_or([0.0, 1.0], |i| [i.low, i.high]);
        SuiteSummary {
            positions: self.outcomes.len(),
            solved: solved.len(),
            interval,
            mean_seconds: geometric_mean(&seconds),
            mean_nodes: geometric_mean(&nodes),
            // An empty sum of floats is −0.
            total_seconds: self.outcomes.iter().map(|outcome| outcome.total_seconds).sum::<f64>() + 0.0,
            total_nodes: self.outcomes.iter().map(|outcome| outcome.total_nodes).sum(),
            points,
            rating: rating.map(|rating| rating.rate(&self.outcomes)),
        }
    }

    /// The differences from an earlier run over the same suite. Problems are matched by name.
    pub fn compared_with<'a>(&'a self, earlier: &'a Self) -> Comparison<'a> {
        // Among problems with the same name, the first matches the first, and so on.
        let mut before: HashMap<&str, VecDeque<&ProblemResult>> = HashMap::new();
        for outcome in &earlier.outcomes {
            before.entry(&outcome.name).or_default().push_back(outcome);
        }
        let (mut solved_only_now, mut solved_only_then, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for outcome in &self.outcomes {
            match before.get_mut(outcome.name.as_str()).and_then(VecDeque::pop_front) {
                Some(before) if before.solved && outcome.solved => {
                    ratios.push(outcome.seconds.max(1e-3) / before.seconds.max(1e-3));
                }
                Some(before) if before.solved => solved_only_then.push(outcome.name.as_str()),
                Some(_) if outcome.solved => solved_only_now.push(outcome.name.as_str()),
                _ => {}
            }
        }
        let time_ratio = geometric_mean(&ratios);
        Comparison { engine: &earlier.engine, limit: &earlier.limit, solved_only_now, solved_only_then, time_ratio }
    }
}

/// The differences of a run from an earlier one.
#[derive(Debug, Serialize)]
pub struct Comparison<'a> {
    /// The engine of the earlier run.
    pub engine: &'a str,
    /// The limits of the earlier run.
    pub limit: &'a str,
    /// Names of the problems that only the later run solved.
    pub solved_only_now: Vec<&'a str>,
    /// Names of the problems that only the earlier run solved.
    pub solved_only_then: Vec<&'a str>,
    /// The geometric mean of the times to the solution now divided by those then, over problems that both solved.
    pub time_ratio: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_room_and_a_sum_of_nothing_is_zero() {
        let mut run = SuiteRun::default();
        let total = run.summary(None).total_seconds;
        assert!(total == 0.0 && total.is_sign_positive());
        run.outcomes = vec![ProblemResult { points: Some([i32::MAX; 2]), ..solved_in(1.0) }; 2];
        assert_eq!(run.summary(None).points, Some([4_294_967_294; 2]));
    }

    #[test]
    fn ratings_follow_the_formulas_of_the_suites() {
        let rate = |rating: SuiteRating, outcomes: Vec<ProblemResult>| {
            SuiteRun { outcomes, ..SuiteRun::default() }.summary(Some(rating)).rating.unwrap()
        };
        let unsolved = ProblemResult { solved: false, ..solved_in(5.0) };
        assert_eq!(rate(SuiteRating::Bt2630, vec![solved_in(100.0), unsolved.clone()]), 2630.0 - 500.0);
        for (seconds, points) in [
            (0.0, 30.0),
            (9.9, 30.0),
            (10.0, 25.0),
            (29.9, 25.0),
            (30.0, 20.0),
            (90.0, 15.0),
            (180.0, 10.0),
            (389.9, 10.0),
            (390.0, 5.0),
            (600.5, 5.0),
            (601.0, 0.0),
        ] {
            let outcomes = vec![solved_in(seconds), unsolved.clone()];
            assert_eq!(rate(SuiteRating::Lapuce2, outcomes), 1900.0 + points, "{seconds}");
        }
        // A perfect result is worth 30 points for each of the 35 problems.
        assert_eq!(rate(SuiteRating::Lapuce2, vec![solved_in(1.0); 35]), 2950.0);
    }

    fn solved_in(seconds: f64) -> ProblemResult {
        ProblemResult {
            name: String::new(),
            expected: String::new(),
            played: String::new(),
            solved: true,
            since: None,
            seconds,
            nodes: 1,
            total_seconds: seconds,
            total_nodes: 1,
            points: None,
        }
    }
}
