//! The losses of each epoch: a line for the terminal, a line of JSON, a chart.

use super::{Checkpoint, EpochReport, chart};
use crate::error::{Error, FileAction};
use serde::Serialize;
use std::fmt;
use std::path::Path;

pub(super) const LOSSES: &str = "losses.jsonl";
pub(super) const CHART: &str = "losses.svg";

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    report: &'a EpochReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradients_per_second: Option<f64>,
}

/// The line for a terminal.
impl fmt::Display for EpochReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { epoch, train, held_out, rate } = self;
        write!(f, "epoch {epoch:3}  train {train:.6}  held out {held_out:.6}  rate {rate:.3}")
    }
}

/// Writes `losses.jsonl` and `losses.svg`.
pub(super) fn write(checkpoint: &Checkpoint, positions: usize, folder: &Path) -> Result<(), Error> {
    let history = checkpoint.fit.history();
    let mut text = String::new();
    for report in history {
        let seconds = report.epoch.checked_sub(1).and_then(|index| checkpoint.seconds.get(index)).copied();
        let gradients_per_second = seconds.map(|seconds| (positions as f64 / seconds.max(1e-9)).round());
        text.push_str(&serde_json::to_string(&Line { report, seconds, gradients_per_second })?);
        text.push('\n');
    }
    replace(&folder.join(LOSSES), &text)?;
    replace(&folder.join(CHART), &chart(history, checkpoint.fit.best().1).to_string())
}

/// Replaces a whole file.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), Error> {
    bartizan_files::replace(path, text.as_bytes()).map_err(FileAction::Write.failed(path))
}
