//! Measures how deep engines search, and how long they need for a depth.

use crate::{Analyser, AnalysisError, AnalysisResult, Limits, SearchLine};
use bartizan_position::{Game, Position};
use bartizan_stats::{geometric_mean, geometric_mean_interval};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Duration;

/// The samples of each analyser for the positions that all have searched, and the error that ended the measurement.
pub type Measurements<S> = (Vec<Vec<S>>, Result<(), AnalysisError>);

/// Lets analysers search the same positions with empty tables. All finish a position before the next one starts, in
/// rotating order, so that changes in the machine's speed affect them alike.
///
/// `sample` makes a sample from the main lines of a search and its answer; `each` is called after each position.
pub fn measure<'a, S>(
    analysers: &mut [Analyser],
    positions: impl IntoIterator<Item = &'a Position>,
    limits: &Limits,
    sample: impl Fn(&[SearchLine], AnalysisResult) -> Option<S>,
    mut each: impl FnMut(),
) -> Measurements<S> {
    let mut samples: Vec<Vec<S>> = analysers.iter().map(|_| Vec::new()).collect();
    let search = || -> Result<(), AnalysisError> {
        for (index, position) in positions.into_iter().enumerate() {
            let mut found = Vec::new();
            for turn in 0..analysers.len() {
                let which = (turn + index) % analysers.len();
                let analyser = &mut analysers[which];
                let mut lines = Vec::new();
                analyser.clear()?;
                let answer = analyser.search(&Game::new(position.clone()), limits, None, |line| {
                    lines.extend(line.is_main().then(|| line.clone()));
                    ControlFlow::Continue(())
                })?;
                found.push((which, sample(&lines, answer)));
            }
            found.into_iter().for_each(|(which, sample)| samples[which].extend(sample));
            each();
        }
        Ok(())
    };
    let ended = search();
    (samples, ended)
}

/// Growth of the tree is measured from this number of nodes: earlier iterations are too small.
const GROWTH_FROM: u64 = 500;

/// The last completed iteration of a search.
#[derive(Clone, Copy, Debug)]
pub struct DepthSample {
    depth: u32,
    seldepth: Option<u32>,
    nodes: u64,
    seconds: f64,
    /// The factor by which a ply of depth has multiplied the nodes; `None` if there were too few iterations.
    growth: Option<f64>,
}

impl DepthSample {
    /// From the main lines of a search; `None` if there are none.
    pub fn new(lines: &[SearchLine]) -> Option<Self> {
        let last = lines.last()?;
        let first = lines.iter().find(|line| line.nodes >= GROWTH_FROM);
        let first = first.filter(|first| first.depth < last.depth && first.nodes <= last.nodes);
        let growth = |first: &SearchLine| growth([first.depth, last.depth], [first.nodes, last.nodes]);
        let &SearchLine { depth, seldepth, nodes, time, .. } = last;
        Some(Self { depth, seldepth, nodes, seconds: time.as_secs_f64(), growth: first.map(growth) })
    }
}

/// The factor by which a ply of depth multiplies the nodes.
fn growth(depths: [u32; 2], nodes: [u64; 2]) -> f64 {
    (nodes[1] as f64 / nodes[0] as f64).powf(1.0 / f64::from(depths[1] - depths[0]))
}

/// The depths that an engine reaches, in plies.
#[derive(Debug, Serialize)]
pub struct Depths {
    /// The name of the engine.
    pub engine: String,
    /// The number of samples.
    pub positions: usize,
    /// The median of the completed depths.
    pub depth_median: f64,
    /// The mean of the completed depths.
    pub depth_mean: f64,
    /// The median of the selective depths; `None` if the engine does not report them.
    pub seldepth_median: Option<f64>,
    /// The mean of the selective depths.
    pub seldepth_mean: Option<f64>,
    /// The geometric mean of the factors by which a ply of depth multiplies the nodes.
    pub branching_factor: Option<f64>,
    /// All nodes.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: f64,
}

impl Depths {
    /// Summarises the samples of an engine.
    pub fn new(engine: String, samples: &[DepthSample]) -> Self {
        let depths: Vec<f64> = samples.iter().map(|sample| f64::from(sample.depth)).collect();
        let seldepths: Vec<f64> = samples.iter().filter_map(|sample| sample.seldepth.map(f64::from)).collect();
        let growths: Vec<f64> = samples.iter().filter_map(|sample| sample.growth).collect();
        let nodes = samples.iter().map(|sample| sample.nodes).sum::<u64>();
        let seconds: f64 = samples.iter().map(|sample| sample.seconds).sum();
        Self {
            engine,
            positions: samples.len(),
            depth_median: median(&depths).unwrap_or(0.0),
            depth_mean: mean(&depths).unwrap_or(0.0),
            seldepth_median: median(&seldepths),
            seldepth_mean: mean(&seldepths),
            branching_factor: geometric_mean(&growths),
            nodes,
            nps: nodes as f64 / seconds.max(1e-6),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high) / 2.0)
}

/// A search to a depth.
#[derive(Clone, Copy, Debug)]
pub struct TimeSample {
    seconds: f64,
    nodes: u64,
}

impl TimeSample {
    /// From the answer of a search.
    pub fn new(answer: &AnalysisResult) -> Self {
        Self::at(answer.time, answer.nodes)
    }

    /// When a search had completed a depth: from its main lines, or from its answer if it ended before that depth or
    /// with it.
    pub fn of_depth(depth: u32, lines: &[SearchLine], answer: &AnalysisResult) -> Self {
        let reached = lines.iter().find(|line| line.depth >= depth).map(|line| line.depth);
        let before_last = reached.filter(|&reached| lines.last().is_some_and(|line| line.depth > reached));
        let completed = before_last.and_then(|reached| lines.iter().rev().find(|line| line.depth == reached));
        completed.map_or_else(|| Self::new(answer), |line| Self::at(line.time, line.nodes))
    }

    fn at(time: Duration, nodes: u64) -> Self {
        Self { seconds: time.as_secs_f64().max(1e-6), nodes: nodes.max(1) }
    }
}

/// The time that an engine needs to reach a depth with a number of threads.
#[derive(Debug, Serialize)]
pub struct TimeToDepth {
    /// The depth, in plies.
    pub depth: u32,
    /// The number of threads.
    pub threads: usize,
    /// The number of samples.
    pub positions: usize,
    /// The sum of the times.
    pub seconds: f64,
    /// All nodes.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: f64,
    /// How many times faster than the first thread count: the geometric mean over the positions and its 95 %
    /// confidence interval.
    pub speedup: [f64; 3],
    /// The ratio of the nodes, likewise.
    pub nodes_ratio: [f64; 3],
    /// The ratio of the nodes per second.
    pub nps_ratio: [f64; 3],
}

impl TimeToDepth {
    /// Compares the samples of a thread count with those of the first one.
    pub fn new(depth: u32, threads: usize, own: &[TimeSample], first: &[TimeSample]) -> Self {
        let ratio = |f: fn(&TimeSample, &TimeSample) -> f64| {
            let ratios: Vec<f64> = own.iter().zip(first).map(|(own, first)| f(own, first)).collect();
            match geometric_mean_interval(&ratios) {
                Some(mean) => [mean.value, mean.low, mean.high],
                // A single position has a ratio but no interval.
                None => [ratios.first().copied().unwrap_or(1.0); 3],
            }
        };
        let seconds: f64 = own.iter().map(|sample| sample.seconds).sum();
        let nodes: u64 = own.iter().map(|sample| sample.nodes).sum();
        Self {
            depth,
            threads,
            positions: own.len(),
            seconds,
            nodes,
            nps: nodes as f64 / seconds,
            speedup: ratio(|own, first| first.seconds / own.seconds),
            nodes_ratio: ratio(|own, first| own.nodes as f64 / first.nodes as f64),
            nps_ratio: ratio(|own, first| (own.nodes as f64 / own.seconds) / (first.nodes as f64 / first.seconds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_client::Score;
    use bartizan_types::{Bound, Move, Square};

    #[test]
    fn growth_is_the_factor_for_a_ply() {
        assert!((growth([2, 5], [500, 4_000]) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn each_depth_has_the_moment_of_its_last_line() {
        let line = |depth, millis| SearchLine {
            rank: 1,
            depth,
            seldepth: None,
            score: Score::Cp(0),
            bound: Bound::Exact,
            time: Duration::from_millis(millis),
            nodes: millis * 10,
            pv: vec![Move::normal(Square::E2, Square::E4)],
        };
        let answer = AnalysisResult { best: None, score: None, time: Duration::from_millis(100), nodes: 1_000 };
        // Depth 3 was skipped, and depth 4 reported twice.
        let lines = [line(1, 1), line(2, 2), line(4, 30), line(4, 40), line(5, 90)];
        let nodes = |depth| TimeSample::of_depth(depth, &lines, &answer).nodes;
        assert_eq!([1, 2, 3, 4, 5, 6].map(nodes), [10, 20, 400, 400, 1_000, 1_000]);
        assert_eq!(TimeSample::of_depth(3, &[], &answer).nodes, 1_000);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 2.0, 9.0]), Some(3.5));
    }
}
