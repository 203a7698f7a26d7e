//! Turns samples into counts, on several threads.

use crate::tune::dataset::{Dataset, Shard};
use crate::tune::model::{Model, WeightCounts, WeightPair};
use crate::tune::resolve::Resolver;
use crate::tune::select::TuningSample;
use bartizan_parallel::map;
use bartizan_position::Position;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Traces positions: turns each into counts of the weights.
#[derive(Clone, Copy)]
pub struct Tracer<'a, M> {
    /// Evaluation to trace.
    pub model: &'a M,
    /// Weights of the capture search that replaces each position by a quiet one; `None` traces the positions as they
    /// are.
    pub resolve: Option<&'a [WeightPair]>,
    /// Number of threads.
    pub threads: usize,
}

/// The number of samples traced, and the reasons why others were not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct TraceReport {
    /// Positions with counts.
    pub traced: usize,
    /// Positions replaced by another, quiet one.
    pub resolved: usize,
    /// Positions left out because their capture search was too long or ended in mate.
    pub wild: usize,
    /// Positions left out because their value does not come from the weights.
    pub untraced: usize,
}

impl AddAssign for TraceReport {
    fn add_assign(&mut self, other: Self) {
        self.traced += other.traced;
        self.resolved += other.resolved;
        self.wild += other.wild;
        self.untraced += other.untraced;
    }
}

/// Positions in a shard: enough to make scheduling cheap, few enough to balance the threads.
const SHARD: usize = 1 << 14;

impl<M: Model> Tracer<'_, M> {
    /// The counts of all samples, in order. `progress` is called on any thread with the number of positions just
    /// traced. If it returns `false`, the work stops and the result is `None`.
    pub fn trace(
        &self,
        samples: &[TuningSample],
        progress: impl Fn(usize) -> bool + Sync,
    ) -> Option<(Dataset, TraceReport)> {
        let stopped = AtomicBool::new(false);
        let done = map(samples.chunks(SHARD), self.threads, |block| {
            // Relaxed: it orders no other memory access.
            if stopped.load(Relaxed) {
                return None;
            }
            let shard = self.shard(block);
            let goes_on = progress(block.len());
            stopped.fetch_or(!goes_on, Relaxed);
            goes_on.then_some(shard)
        });
        let (mut shards, mut total) = (Vec::with_capacity(done.len()), TraceReport::default());
        for part in done {
            let (shard, report) = part?;
            shards.push(shard);
            total += report;
        }
        Some((Dataset::new(shards), total))
    }

    fn shard(&self, samples: &[TuningSample]) -> (Shard, TraceReport) {
        let (mut shard, mut report, mut counts) = (Shard::default(), TraceReport::default(), WeightCounts::default());
        let mut evaluator = Evaluation { model: self.model, counts: WeightCounts::default() };
        let mut resolver =
            self.resolve.map(|weights| Resolver::new(|position: &Position| evaluator.value(position, weights)));
        for sample in samples {
            // Samples are packed from positions, so this cannot fail.
            let Ok(mut position) = sample.position.unpack() else { continue };
            if let Some(resolver) = &mut resolver {
                let Some(quiet) = resolver.resolve(&position) else {
                    report.wild += 1;
                    continue;
                };
                report.resolved += usize::from(quiet.key() != position.key());
                position = quiet;
            }
            counts.clear();
            if self.model.trace(&position, &mut counts)
                && counts.is_within(self.model.layout().len())
                && shard.push(&counts, sample.result, sample.score)
            {
                report.traced += 1;
            } else {
                report.untraced += 1;
            }
        }
        shard.shrink();
        (shard, report)
    }
}

/// The evaluation with arbitrary weights, computed from counts: slower than the compiled evaluation.
struct Evaluation<'a, M> {
    model: &'a M,
    counts: WeightCounts,
}

impl<M: Model> Evaluation<'_, M> {
    /// The value in centipawns for White.
    fn value(&mut self, position: &Position, weights: &[WeightPair]) -> f64 {
        self.counts.clear();
        if self.model.trace(position, &mut self.counts) {
            self.counts.value(weights, self.model.layout().safety)
        } else {
            self.model.reference(position).unwrap_or(0.0)
        }
    }
}
