//! Test suites: whether, and since when, an engine knows the solution of a problem.

use crate::{Analyser, AnalysisError, Limits};
use bartizan_notation::epd::{Epd, EpdError, Problem};
use bartizan_notation::san::San;
use bartizan_position::Game;
use bartizan_types::Move;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;

/// A problem and its name.
#[derive(Clone, Debug)]
pub struct Named {
    /// The `id`, or the number of the line.
    pub name: String,
    /// What is to be solved.
    pub problem: Problem,
}

impl Named {
    /// Reads a line of a suite; `None` if it has nothing to solve.
    ///
    /// # Errors
    /// [`EpdError`] if the line is no EPD, or its task cannot be read.
    pub fn parse(record: &str, line: usize) -> Result<Option<Self>, EpdError> {
        let epd = Epd::parse(record)?;
        let name = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        Ok(Problem::new(epd)?.map(|problem| Self { name, problem }))
    }
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time since the beginning of the search.
    pub time: Duration,
    /// The depth, in plies.
    pub depth: u32,
    /// The nodes searched.
    pub nodes: u64,
}

/// Follows the best moves of a search for the solution of a problem.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Since when the best move has been the solution, without a break.
    since: Option<Moment>,
    held: u32,
    last: Option<(Move, u32)>,
}

impl Watch {
    /// Takes the best move that an exact line of the search begins with, and the mate that it announces, in moves.
    pub fn take(&mut self, problem: &Problem, mv: Move, mate: Option<i32>, now: Moment) {
        if problem.is_solved(mv, mate) {
            self.since.get_or_insert(now);
            // Several lines of the same depth are one iteration.
            self.held += u32::from(self.last.is_none_or(|(_, depth)| now.depth > depth));
        } else {
            (self.since, self.held) = (None, 0);
        }
        self.last = Some((mv, now.depth));
    }

    /// The number of the last iterations in a row that had the solution.
    pub fn held(&self) -> u32 {
        self.held
    }

    /// Since when the search has had the solution, if it ends with the last best move.
    pub fn since(&self, best: Option<Move>) -> Option<Moment> {
        self.since.filter(|_| self.last.map(|(mv, _)| mv) == best)
    }
}

/// The result of a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The name of the problem.
    pub name: String,
    /// The task, such as `bm Nf3`. Files of older versions lack it.
    #[serde(default)]
    pub expected: String,
    /// The move of the engine, in SAN, or `(none)`.
    pub played: String,
    /// Whether it is the solution.
    pub solved: bool,
    /// Seconds to the solution; of the whole search if not solved.
    pub seconds: f64,
    /// Nodes to the solution; of the whole search if not solved.
    pub nodes: u64,
    /// Seconds of the whole search.
    pub total_seconds: f64,
    /// Nodes of the whole search.
    pub total_nodes: u64,
    /// Points of the move and of the best move, if the suite gives points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<[i32; 2]>,
}

/// Searches a problem with empty tables. The search ends early once `hold` iterations in a row had the solution.
///
/// # Errors
/// As [`Analyser::search`].
pub fn solve(
    analyser: &mut Analyser,
    Named { name, problem }: &Named,
    limits: &Limits,
    hold: Option<u32>,
) -> Result<Outcome, AnalysisError> {
    let position = &problem.epd().position;
    let mut watch = Watch::default();
    analyser.clear()?;
    let answer = analyser.search(&Game::new(position.clone()), limits, None, |line| {
        if line.is_main() {
            let now = Moment { time: line.time, depth: line.depth, nodes: line.nodes };
            watch.take(problem, line.best(), line.mate(), now);
        }
        let is_held = hold.is_some_and(|hold| watch.held() >= hold);
        if is_held { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let solved = answer.best.is_some_and(|mv| problem.is_solved(mv, answer.mate()));
    let since = watch.since(answer.best).filter(|_| solved);
    let (time, nodes) = since.map_or((answer.time, answer.nodes), |since| (since.time, since.nodes));
    let points = |mv: Option<Move>| [mv.map_or(0, |mv| problem.points_of(mv)), problem.most_points()];
    Ok(Outcome {
        name: name.clone(),
        expected: problem.to_string(),
        played: answer.best.map_or_else(|| "(none)".to_owned(), |mv| San::new(position, mv).to_string()),
        solved,
        seconds: time.as_secs_f64(),
        nodes,
        total_seconds: answer.time.as_secs_f64(),
        total_nodes: answer.nodes,
        points: problem.has_points().then(|| points(answer.best)),
    })
}
