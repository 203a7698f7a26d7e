//! The chart of a training run: losses by epoch.

use super::Epoch;
use bartizan_stats::chart::{Axis, Chart, Series};

/// The chart. Unknown losses are left out.
pub fn chart(history: &[Epoch]) -> Chart {
    let losses = || history.iter().flat_map(|epoch| [Some(epoch.train), epoch.validation]).flatten();
    let (low, high) = (losses().fold(f64::INFINITY, f64::min), losses().fold(f64::NEG_INFINITY, f64::max));
    let line = |loss: fn(&Epoch) -> Option<f64>| {
        history.iter().filter_map(|epoch| Some([epoch.epoch as f64, loss(epoch)?])).collect()
    };
    let series = |name: &str, line| Series { name: name.to_owned(), line, ..Series::default() };
    let last = history.last();
    let title = last.and_then(|last| last.validation).map(|loss| format!("Validation loss {loss:.6} at the end"));
    Chart {
        title: title.unwrap_or_else(|| "Loss".to_owned()),
        x: Axis::linear("epoch", 1.0, last.map_or(2.0, |last| last.epoch.max(2) as f64)),
        y: Axis::linear("loss", low, high),
        series: vec![
            series("training", line(|epoch| Some(epoch.train))),
            series("validation", line(|epoch| epoch.validation)),
        ],
    }
}
