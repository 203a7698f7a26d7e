//! From files to samples.

use super::{Args, progress};
use crate::interrupt::Interrupt;
use anyhow::{Context, ensure};
use bartizan_tuner::games::{LoadErrorKind, Records};
use bartizan_tuner::{Collector, Sample, SelectionReport, split};
use indicatif::ProgressStyle;

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
///
/// A last record that is unfinished is left out and said: the file may still be written to.
pub(super) fn load(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Option<Samples>> {
    let bar = progress(args, 0, "")?;
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}  {elapsed} elapsed").context("progress style")?);
    let mut collector = Collector::new(args.decisions().selection);
    let (mut skipped, mut records) = (0, 0);
    let is_full = |collector: &Collector| args.positions > 0 && collector.len() >= args.positions;
    'files: for file in &args.data {
        for record in Records::open(file, None)? {
            match record {
                Ok(record) => collector.add(&record),
                Err(error) if matches!(error.kind, LoadErrorKind::Unfinished { .. }) => eprintln!("{error}, left out"),
                Err(error) if args.skip_errors && !matches!(error.kind, LoadErrorKind::Io(_)) => {
                    skipped += 1;
                    if skipped <= SHOWN {
                        eprintln!("{error}, passed over");
                    }
                }
                Err(error) => {
                    return Err(anyhow::Error::new(error).context("broken data (--skip-errors passes over it)"));
                }
            }
            records += 1;
            if records % 500 == 0 {
                bar.set_message(format!("{records} records read, {} positions taken", collector.len()));
                bar.tick();
                if interrupt.is_set() {
                    return Ok(None);
                }
            }
            if is_full(&collector) {
                break 'files;
            }
        }
    }
    bar.finish_and_clear();
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

/// Errors beyond are counted only.
const SHOWN: usize = 10;

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
