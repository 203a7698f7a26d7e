//! The result of a run: `summary.json`, and a line for the terminal.

use super::{Checkpoint, SelectionReport, TraceReport, Tuning, TuningSettings};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct TuningSummary {
    files: Vec<String>,
    selection: SelectionReport,
    trace: TraceReport,
    training_positions: usize,
    held_out_positions: usize,
    counts: usize,
    skipped_records: usize,
    weights: usize,
    /// Number of weights of each term that no training position uses.
    unused: BTreeMap<String, usize>,
    decisions: TuningSettings,
    /// Centipawns that multiply the odds by e.
    scale: f64,
    /// The same as Texel's K in 1 / (1 + 10^(-K · cp / 400)).
    texel_k: f64,
    draw_margin: f64,
    epochs: usize,
    best_epoch: usize,
    held_out_before: f64,
    held_out_best: f64,
    /// Loss of the best weights after rounding to whole centipawns.
    held_out_rounded: f64,
    gradients_per_second: f64,
    threads: usize,
    seconds: f64,
    complete: bool,
}

impl TuningSummary {
    /// Summarises a run over these files. `held_out_rounded` is the loss of the weights in whole centipawns.
    pub fn new(
        files: &[PathBuf],
        checkpoint: &Checkpoint,
        tuning: &Tuning<'_>,
        held_out_rounded: f64,
        complete: bool,
    ) -> Self {
        let (fit, data, layout, samples) = (&checkpoint.fit, tuning.data(), tuning.layout(), tuning.samples());
        let (history, best_epoch) = (fit.history(), fit.best().1);
        let held_out = |epoch: usize| history.iter().find(|report| report.epoch == epoch).map_or(0.0, |r| r.held_out);
        let usage = data.train.usage(layout.len());
        let unused = layout.terms.iter().map(|term| {
            let uses = &usage[term.offset..term.offset + term.len];
            (term.name.clone(), uses.iter().filter(|&&uses| uses == 0).count())
        });
        let seconds: f64 = checkpoint.seconds.iter().sum();
        let gradients = (data.train.len() * checkpoint.seconds.len()) as f64;
        let name = |file: &PathBuf| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        Self {
            files: files.iter().map(name).collect(),
            selection: samples.report.clone(),
            trace: checkpoint.traced,
            training_positions: data.train.len(),
            held_out_positions: data.held_out.len(),
            counts: data.train.entries() + data.held_out.entries(),
            skipped_records: samples.skipped,
            weights: layout.len(),
            unused: unused.filter(|&(_, weights)| weights > 0).collect(),
            decisions: checkpoint.decisions.clone(),
            scale: 1.0 / fit.scaling().per_cp,
            texel_k: 400.0 * fit.scaling().per_cp / std::f64::consts::LN_10,
            draw_margin: fit.scaling().draw_margin,
            epochs: fit.epochs(),
            best_epoch,
            held_out_before: held_out(0),
            held_out_best: held_out(best_epoch),
            held_out_rounded,
            gradients_per_second: gradients / seconds.max(1e-9),
            threads: tuning.threads(),
            seconds,
            complete,
        }
    }
}

impl TuningSummary {
    /// Whether the run was not interrupted.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

impl fmt::Display for TuningSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} epochs, best {}: held-out loss {:.6} to {:.6} ({:.6} in whole centipawns), {} of {} weights used, \
             {:.2} M position-gradients/s on {} threads{}",
            self.epochs,
            self.best_epoch,
            self.held_out_before,
            self.held_out_best,
            self.held_out_rounded,
            self.weights - self.unused.values().sum::<usize>(),
            self.weights,
            self.gradients_per_second / 1e6,
            self.threads,
            if self.complete { "" } else { "; interrupted, run again with --resume to continue" }
        )
    }
}
