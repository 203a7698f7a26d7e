//! Results of a suite: lines, summary, comparison with an earlier run.

use crate::files;
use anyhow::Context;
use bartizan_analysis::suite::Outcome;
use bartizan_stats::{geometric_mean, wilson};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::fmt::{self, Write as _};
use std::path::Path;

/// A run over a suite, as `--save` writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) engine: String,
    pub(super) suite: String,
    pub(super) limit: String,
    pub(super) outcomes: Vec<Outcome>,
}

/// The summary of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    positions: usize,
    solved: usize,
    /// 95 % confidence interval of the share solved (Wilson).
    interval: [f64; 2],
    /// Geometric means to the solution, over the solved positions.
    mean_seconds: Option<f64>,
    mean_nodes: Option<f64>,
    total_seconds: f64,
    total_nodes: u64,
    points: Option<[i64; 2]>,
    rating: Option<f64>,
}

/// A run and its summary.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    #[serde(flatten)]
    pub(super) run: &'a Run,
    pub(super) summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) comparison: Option<Comparison<'a>>,
}

impl Run {
    pub(super) fn load(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read(path).with_context(|| files::cannot_read(path))?;
        serde_json::from_slice(&text).with_context(|| format!("'{}' is not a result file of epd test", path.display()))
    }

    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        files::replace(path, &serde_json::to_vec_pretty(self)?)
    }

    pub(super) fn summary(&self, bt2630: bool) -> Summary {
        let solved: Vec<&Outcome> = self.outcomes.iter().filter(|outcome| outcome.solved).collect();
        let seconds: Vec<f64> = solved.iter().map(|outcome| outcome.seconds.max(1e-3)).collect();
        let nodes: Vec<f64> = solved.iter().map(|outcome| outcome.nodes.max(1) as f64).collect();
        let points = self.outcomes.iter().filter_map(|outcome| Some(outcome.points?.map(i64::from)));
        let points = points.reduce(|[a, b], [c, d]| [a + c, b + d]);
        let missed_or = |outcome: &Outcome| if outcome.solved { outcome.seconds } else { 900.0 };
        let mean = self.outcomes.iter().map(missed_or).sum::<f64>() / self.outcomes.len().max(1) as f64;
        let interval = wilson(solved.len() as u64, self.outcomes.len() as u64).map_or([0.0, 1.0], |i| [i.low, i.high]);
        Summary {
            positions: self.outcomes.len(),
            solved: solved.len(),
            interval,
            mean_seconds: geometric_mean(&seconds),
            mean_nodes: geometric_mean(&nodes),
            // A sum of nothing is −0.
            total_seconds: self.outcomes.iter().map(|outcome| outcome.total_seconds).sum::<f64>() + 0.0,
            total_nodes: self.outcomes.iter().map(|outcome| outcome.total_nodes).sum(),
            points,
            rating: bt2630.then_some(2630.0 - mean),
        }
    }
}

/// The line of a position. If it is not solved, the line ends with the task.
pub(super) fn line(outcome: &Outcome) -> String {
    let points = outcome.points.map(|[got, most]| format!("  {got}/{most}")).unwrap_or_default();
    let expected = if outcome.solved { String::new() } else { format!("  expected {}", outcome.expected) };
    format!(
        "{} {:<16} {:<8} {:>9.3} s {:>12} nodes{points}{expected}",
        if outcome.solved { "+" } else { "-" },
        outcome.name,
        outcome.played,
        outcome.seconds,
        outcome.nodes
    )
}

pub(super) fn summary_text(run: &Run, summary: &Summary) -> String {
    let percent = |share: f64| 100.0 * share;
    let mut text = format!(
        "{} on {} ({}): {} of {} solved, {:.1} % (95 %: {:.1} to {:.1})",
        run.engine,
        run.suite,
        run.limit,
        summary.solved,
        summary.positions,
        percent(summary.solved as f64 / summary.positions.max(1) as f64),
        percent(summary.interval[0]),
        percent(summary.interval[1])
    );
    if let (Some(seconds), Some(nodes)) = (summary.mean_seconds, summary.mean_nodes) {
        let _ = write!(text, "\ngeometric mean to the solution: {seconds:.3} s, {nodes:.0} nodes");
    }
    let _ = write!(text, "\ntotal: {:.1} s, {} nodes", summary.total_seconds, summary.total_nodes);
    if let Some([got, most]) = summary.points {
        let _ = write!(text, "\npoints: {got} of {most}");
    }
    if let Some(rating) = summary.rating {
        let _ = write!(text, "\nrating: {rating:.0}");
    }
    text
}

/// The differences from an earlier run.
#[derive(Serialize)]
pub(super) struct Comparison<'a> {
    engine: &'a str,
    limit: &'a str,
    /// Names of the problems that only the later run solved.
    solved_only_now: Vec<&'a str>,
    /// Names of the problems that only the earlier run solved.
    solved_only_then: Vec<&'a str>,
    /// The geometric mean of the times to the solution now, divided by those then, where both solved.
    time_ratio: Option<f64>,
}

pub(super) fn compare<'a>(earlier: &'a Run, now: &'a Run) -> Comparison<'a> {
    // Of positions with the same name, the first belongs to the first, and so on.
    let mut before: HashMap<&str, VecDeque<&Outcome>> = HashMap::new();
    for outcome in &earlier.outcomes {
        before.entry(&outcome.name).or_default().push_back(outcome);
    }
    let (mut solved_only_now, mut solved_only_then, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for outcome in &now.outcomes {
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

impl fmt::Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[&str]| if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let Self { engine, limit, solved_only_now: now, solved_only_then: then, time_ratio } = self;
        writeln!(f, "compared with {engine} ({limit}):")?;
        writeln!(f, "solved only now: {}{}", now.len(), list(now))?;
        write!(f, "solved only then: {}{}", then.len(), list(then))?;
        time_ratio.map_or(Ok(()), |ratio| write!(f, "\ntime to the solution, where both solved: ratio {ratio:.2}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_room_and_a_sum_of_nothing_is_zero() {
        let mut run = Run { engine: String::new(), suite: String::new(), limit: String::new(), outcomes: Vec::new() };
        let text = summary_text(&run, &run.summary(false));
        assert!(text.contains("0 of 0 solved") && text.ends_with("\ntotal: 0.0 s, 0 nodes"), "{text}");
        let outcome = Outcome {
            name: String::new(),
            expected: String::new(),
            played: String::new(),
            solved: true,
            seconds: 1.0,
            nodes: 1,
            total_seconds: 1.0,
            total_nodes: 1,
            points: Some([i32::MAX; 2]),
        };
        run.outcomes = vec![outcome; 2];
        assert_eq!(run.summary(false).points, Some([4_294_967_294; 2]));
    }
}
