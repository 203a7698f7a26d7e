//! The losses of each epoch: a line for the terminal, a line of JSON, a chart.

use super::plot;
use bartizan_training::tune::{Checkpoint, EpochReport};
use serde::Serialize;
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

/// The line for the terminal.
pub(super) fn line(report: &EpochReport, gradients_per_second: Option<f64>) -> String {
    let EpochReport { epoch, train, held_out, rate, .. } = report;
    let speed = gradients_per_second.map_or_else(String::new, |speed| format!("  {:.2} M positions/s", speed / 1e6));
    format!("epoch {epoch:3}  train {train:.6}  held out {held_out:.6}  rate {rate:.3}{speed}")
}

/// Writes `losses.jsonl` and `losses.svg`.
pub(super) fn write(checkpoint: &Checkpoint, positions: usize, folder: &Path) -> anyhow::Result<()> {
    let history = checkpoint.fit.history();
    let mut text = String::new();
    for report in history {
        let seconds = report.epoch.checked_sub(1).and_then(|index| checkpoint.seconds.get(index)).copied();
        let gradients_per_second = seconds.map(|seconds| (positions as f64 / seconds.max(1e-9)).round());
        text.push_str(&serde_json::to_string(&Line { report, seconds, gradients_per_second })?);
        text.push('\n');
    }
    crate::files::replace(&folder.join(LOSSES), text.as_bytes())?;
    crate::files::replace(&folder.join(CHART), plot::chart(history, checkpoint.fit.best().1).to_string().as_bytes())
}
