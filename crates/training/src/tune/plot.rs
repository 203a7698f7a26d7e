//! The chart of a fit: both losses by epoch.

use super::EpochReport;
use bartizan_stats::chart::{Axis, Chart, Series};

/// The chart. An epoch without a finite loss is left out.
pub fn chart(history: &[EpochReport], best_epoch: usize) -> Chart {
    let losses = || history.iter().flat_map(|report| [report.train, report.held_out]).filter(|loss| loss.is_finite());
    let (low, high) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
    let epochs = history.last().map_or(1, |report| report.epoch.max(1));
    let best = history.iter().find(|report| report.epoch == best_epoch);
    let title = best.map(|best| format!("Held-out loss {:.6} after epoch {best_epoch}", best.held_out));
    let series = |name: &str, loss: fn(&EpochReport) -> f64| Series {
        name: name.to_owned(),
        line: history.iter().map(|report| [report.epoch as f64, loss(report)]).collect(),
        ..Series::default()
    };
    Chart {
        title: title.unwrap_or_default(),
        x: Axis::linear("epoch", 0.0, epochs as f64),
        y: Axis::linear("loss", low, high),
        series: vec![series("training", |report| report.train), series("held out", |report| report.held_out)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_history_can_be_drawn() {
        let report = |epoch: usize| -> EpochReport {
            let report = json!({ "epoch": epoch, "train": 0.1, "held_out": 0.2 / (1.0 + epoch as f64), "rate": 1.0 });
            serde_json::from_value(report).unwrap()
        };
        for epochs in [0, 1, 2, 45] {
            let history: Vec<_> = (0..epochs).map(report).collect();
            let svg = chart(&history, epochs.saturating_sub(1)).to_string();
            assert!(svg.contains("held out") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
