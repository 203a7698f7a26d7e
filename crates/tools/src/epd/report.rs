//! Results of a suite as text.

use bartizan_analysis::suite::{Comparison, ProblemResult, SuiteRun, SuiteSummary};
use bartizan_types::Escaped;
use std::fmt::Write as _;

/// The line for a position. If it is not solved, the line ends with the task.
pub(super) fn line(outcome: &ProblemResult) -> String {
    let points = outcome.points.map(|[got, most]| format!("  {got}/{most}")).unwrap_or_default();
    let expected = if outcome.solved { String::new() } else { format!("  expected {}", Escaped(&outcome.expected)) };
    format!(
        "{} {:<16} {:<8} {:>9.3} s {:>12} nodes{points}{expected}",
        if outcome.solved { "+" } else { "-" },
        Escaped(&outcome.name),
        Escaped(&outcome.played),
        outcome.seconds,
        outcome.nodes
    )
}

pub(super) fn summary_text(run: &SuiteRun, summary: &SuiteSummary) -> String {
    let percent = |share: f64| 100.0 * share;
    let mut text = format!(
        "{} on {} ({}): {} of {} solved, {:.1} % (95 %: {:.1} to {:.1})",
        Escaped(&run.engine),
        Escaped(&run.suite),
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

pub(super) fn comparison_text(comparison: &Comparison<'_>) -> String {
    let list =
        |names: &[&str]| if names.is_empty() { String::new() } else { format!(": {}", Escaped(names.join(", "))) };
    let Comparison { engine, limit, solved_only_now: now, solved_only_then: then, time_ratio } = comparison;
    let mut text = format!("compared with {} ({}):", Escaped(engine), Escaped(limit));
    let _ = write!(text, "\nsolved only now: {}{}", now.len(), list(now));
    let _ = write!(text, "\nsolved only then: {}{}", then.len(), list(then));
    if let Some(ratio) = time_ratio {
        let _ = write!(text, "\ntime to the solution, where both solved: ratio {ratio:.2}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_summed_up_as_zero() {
        let run = SuiteRun::default();
        let text = summary_text(&run, &run.summary(None));
        assert!(text.contains("0 of 0 solved") && text.ends_with("\ntotal: 0.0 s, 0 nodes"), "{text}");
    }
}
