//! From samples to counts: every position is looked at once, on several threads.

use crate::dataset::{Dataset, Shard};
use crate::model::{Counts, Model, Pair};
use crate::resolve::Resolver;
use crate::select::Sample;
use bartizan_position::Position;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// How positions become counts.
#[derive(Clone, Copy)]
pub struct Tracer<'a, M> {
    /// The evaluation.
    pub model: &'a M,
    /// With weights, a search of captures by these weights makes each position quiet first.
    pub resolve: Option<&'a [Pair]>,
    /// How many threads.
    pub threads: usize,
}

/// What came of the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TraceReport {
    /// Positions with counts.
    pub traced: usize,
    /// Those that another quiet position stands in for.
    pub resolved: usize,
    /// Positions whose captures do not end, or end in mate.
    pub wild: usize,
    /// Positions whose value does not come from the weights.
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

/// Positions in a shard: enough to be worth a turn of a thread, few enough for many turns.
const SHARD: usize = 1 << 14;

impl<M: Model> Tracer<'_, M> {
    /// The counts of all samples, in their order. `progress` hears of positions done, from any thread; once it returns
    /// `false` nothing more is done, and `None` returned.
    pub fn trace(&self, samples: &[Sample], progress: impl Fn(usize) -> bool + Sync) -> Option<(Dataset, TraceReport)> {
        let blocks: Vec<&[Sample]> = samples.chunks(SHARD).collect();
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        // Relaxed: each index is handed out once; joining the threads orders the rest.
        let worker = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(block) = blocks.get(index).filter(|_| !stopped.load(Relaxed)) else { return done };
                done.push((index, self.shard(block)));
                if !progress(block.len()) {
                    stopped.store(true, Relaxed);
                }
            }
        };
        let mut done = thread::scope(|scope| {
            let helpers: Vec<_> = (1..self.threads.min(blocks.len())).map(|_| scope.spawn(worker)).collect();
            let mut done = worker();
            for helper in helpers {
                // A panic in a helper is a panic here, as if it had been the same thread.
                done.extend(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            done
        });
        if stopped.into_inner() {
            return None;
        }
        done.sort_unstable_by_key(|&(index, _)| index);
        let mut total = TraceReport::default();
        done.iter().for_each(|(_, (_, report))| total += *report);
        Some((Dataset::new(done.into_iter().map(|(_, (shard, _))| shard).collect()), total))
    }

    fn shard(&self, samples: &[Sample]) -> (Shard, TraceReport) {
        let (mut shard, mut report, mut counts) = (Shard::default(), TraceReport::default(), Counts::default());
        let mut evaluator = Evaluation { model: self.model, counts: Counts::default() };
        let mut resolver =
            self.resolve.map(|weights| Resolver::new(|position: &Position| evaluator.value(position, weights)));
        for sample in samples {
            // It was packed from a position.
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

/// The evaluation with any weights: slow, but it needs nothing that is compiled in.
struct Evaluation<'a, M> {
    model: &'a M,
    counts: Counts,
}

impl<M: Model> Evaluation<'_, M> {
    /// Centipawns for white.
    fn value(&mut self, position: &Position, weights: &[Pair]) -> f64 {
        self.counts.clear();
        if self.model.trace(position, &mut self.counts) {
            self.counts.value(weights, self.model.layout().safety)
        } else {
            self.model.reference(position).unwrap_or(0.0)
        }
    }
}
