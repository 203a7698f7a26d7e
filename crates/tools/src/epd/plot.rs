//! The chart of a run: solved positions against time.

use bartizan_analysis::suite::SuiteRun;
use bartizan_stats::chart::{Axis, Chart, Series};

/// The left end of the time axis, in seconds.
const SHORTEST: f64 = 1e-3;

/// The chart: a step up at the time of each solution.
pub(super) fn chart(run: &SuiteRun) -> Chart {
    let solved = run.outcomes.iter().filter(|outcome| outcome.solved);
    let mut times: Vec<f64> = solved.map(|outcome| outcome.seconds.max(SHORTEST)).collect();
    times.sort_by(f64::total_cmp);
    let longest = run.outcomes.iter().map(|outcome| outcome.total_seconds).fold(1e-2, f64::max);
    let steps =
        times.iter().enumerate().flat_map(|(solved, &time)| [[time, solved as f64], [time, solved as f64 + 1.0]]);
    let line = [[SHORTEST, 0.0]].into_iter().chain(steps).chain([[longest, times.len() as f64]]).collect();
    let (engine, suite, limit, positions) = (&run.engine, &run.suite, &run.limit, run.outcomes.len());
    Chart {
        title: format!("{engine} on {suite}: {} of {positions} solved ({limit})", times.len()),
        x: Axis::logarithmic("seconds to the solution", SHORTEST, longest),
        y: Axis::linear("solved positions", 0.0, positions.max(1) as f64),
        series: vec![Series { line, ..Series::default() }],
    }
}
