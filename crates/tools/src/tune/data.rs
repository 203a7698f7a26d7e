//! From files to samples.

use super::Args;
use crate::interrupt::Interrupt;
use crate::records::Reading;
use anyhow::ensure;
use bartizan_tuner::{Collector, Sample, SelectionReport, split};
use std::ops::ControlFlow;

/// What is learnt from.
pub(super) struct Samples {
    pub(super) train: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    pub(super) report: SelectionReport,
    /// Broken games and lines that were passed over.
    pub(super) skipped: usize,
    /// Says whether two runs have the same samples.
    pub(super) fingerprint: u64,
}

/// Reads all files; `None` if interrupted.
pub(super) fn load(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Option<Samples>> {
    let mut collector = Collector::new(args.decisions().selection);
    let reading = Reading { files: &args.data, skip_errors: args.skip_errors, quiet: args.json, interrupt };
    let skipped = reading.each(|record| {
        collector.add(record);
        let is_full = args.positions > 0 && collector.len() >= args.positions;
        if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(collector.len()) }
    })?;
    let Some(skipped) = skipped else { return Ok(None) };
    let (mut samples, mut report) = collector.finish();
    if args.positions > 0 {
        samples.truncate(args.positions);
        report.taken = samples.len();
    }
    ensure!(!samples.is_empty(), "no position was taken: {}", serde_json::to_string(&report)?);
    ensure!(u32::try_from(samples.len()).is_ok(), "more than 2^32 positions");
    let fingerprint = fingerprint(&samples);
    let (train, held_out) = split(samples, args.held_out, args.seed);
    Ok(Some(Samples { train, held_out, report, skipped, fingerprint }))
}

/// FNV-1a by words: no protection, only a notice that the data changed.
fn fingerprint(samples: &[Sample]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    samples.iter().fold(0xcbf2_9ce4_8422_2325, |hash, sample| {
        let words = sample
            .position
            .0
            .chunks_exact(8)
            .map(|eight| eight.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
        let hash = words.fold(hash, mix);
        let score = sample.score.map_or(1 << 20, i64::from) as u64;
        mix(mix(hash, u64::from(sample.game) << 8 | u64::from(sample.result)), score)
    })
}
