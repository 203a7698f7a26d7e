//! Reads the samples of a run.

use super::{Collector, SelectionReport, TuningSample, TuningSettings, split};
use bartizan_games::records::{LoadError, Record, RecordFiles};
use bartizan_types::Checksum;
use std::ops::ControlFlow;

/// The samples of a run.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Samples to fit to.
    pub train: Vec<TuningSample>,
    /// Samples that are held out to measure progress.
    pub held_out: Vec<TuningSample>,
    /// How they were selected.
    pub report: SelectionReport,
    /// Number of broken games and lines that were skipped.
    pub skipped: usize,
    /// Identifies the samples, to tell whether two runs have the same ones.
    pub fingerprint: u64,
}

impl Samples {
    /// Reads all files; `None` if stopped. `progress` is called with the number of samples after each record.
    ///
    /// # Errors
    /// As for [`RecordFiles::each`].
    pub fn load(
        files: &RecordFiles<'_>,
        decisions: &TuningSettings,
        mut progress: impl FnMut(usize),
        warn: impl FnMut(&LoadError),
    ) -> Result<Option<Self>, LoadError> {
        let limit = decisions.positions;
        let mut collector = Collector::new(decisions.selection.clone());
        let take = |record: &Record| {
            collector.add(record);
            progress(collector.len());
            let is_full = limit > 0 && collector.len() >= limit;
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Some(skipped) = files.each(take, warn)? else { return Ok(None) };
        let (mut samples, mut report) = collector.finish();
        if limit > 0 {
            samples.truncate(limit);
            report.taken = samples.len();
        }
        let (train, held_out) = split(samples, decisions.held_out, decisions.fit.seed);
        let fingerprint = fingerprint(train.iter().chain(&held_out));
        Ok(Some(Self { train, held_out, report, skipped, fingerprint }))
    }
}

/// The checksum of the samples in order.
fn fingerprint<'a>(samples: impl Iterator<Item = &'a TuningSample>) -> u64 {
    let mut checksum = Checksum::default();
    for sample in samples {
        for eight in sample.position.0.chunks_exact(8) {
            checksum.add(eight.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        }
        let score = sample.score.map_or(1 << 20, i64::from) as u64;
        let game = u64::from(sample.game) << 8;
        match sample.result.result() {
            Some(result) => checksum.add(game | u64::from(result)),
            None => {
                checksum.add(game | 3);
                checksum.add(sample.result.to_f64().to_bits());
            }
        }
        checksum.add(score);
    }
    checksum.value()
}
