//! Reads the samples.

use super::plan::Plan;
use crate::checksum::Checksum;
use crate::files;
use crate::interrupt::Interrupt;
use crate::records::Reading;
use anyhow::ensure;
use bartizan_training::tune::{Collector, Sample, SelectionReport, split};
use std::ops::ControlFlow;

/// The samples of a run.
pub(super) struct Samples {
    pub(super) train: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    pub(super) report: SelectionReport,
    /// Number of broken games and lines that were skipped.
    pub(super) skipped: usize,
    /// Tells whether two runs have the same samples.
    pub(super) fingerprint: u64,
}

/// Reads all files; `None` if interrupted.
pub(super) fn load(plan: &Plan, interrupt: &Interrupt) -> anyhow::Result<Option<Samples>> {
    let Plan { json, inputs, decisions, .. } = plan;
    let limit = decisions.positions;
    let mut collector = Collector::new(decisions.selection.clone());
    let reading = Reading { files: &inputs.data, skip_errors: inputs.skip_errors, quiet: *json, interrupt };
    let skipped = reading.each(|record| {
        collector.add(record);
        let is_full = limit > 0 && collector.len() >= limit;
        if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(collector.len()) }
    })?;
    let Some(skipped) = skipped else { return Ok(None) };
    let (mut samples, mut report) = collector.finish();
    if limit > 0 {
        samples.truncate(limit);
        report.taken = samples.len();
    }
    ensure!(!samples.is_empty(), "no position to fit to in {}: {}", files::names(&inputs.data), why_none(&report));
    ensure!(u32::try_from(samples.len()).is_ok(), "more than 2^32 positions");
    let (train, held_out) = split(samples, decisions.held_out, decisions.fit.seed);
    let fingerprint = fingerprint(train.iter().chain(&held_out));
    Ok(Some(Samples { train, held_out, report, skipped, fingerprint }))
}

/// Why no position was taken.
fn why_none(report: &SelectionReport) -> String {
    let SelectionReport { games, without_result, positions, in_check, tactical, decided, repeated, surplus, .. } =
        report;
    match (games, positions) {
        (0, _) => format!("no game or position with a result, {without_result} games without one"),
        (_, 0) => format!("{games} games or positions with a result, but none beyond the plies that are skipped"),
        _ => format!(
            "of {positions} positions, {in_check} are in check, {tactical} tactical, {decided} decided, {repeated} \
             repeated and {surplus} beyond the limit per game"
        ),
    }
}

/// The checksum of the samples in their order.
fn fingerprint<'a>(samples: impl Iterator<Item = &'a Sample>) -> u64 {
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
