//! A picture of a fit: both losses against the epoch.

use bartizan_tuner::EpochReport;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Draws the picture.
pub(super) fn svg(history: &[EpochReport], best_epoch: usize) -> String {
    let losses = || history.iter().flat_map(|report| [report.train, report.held_out]).filter(|loss| loss.is_finite());
    let (low, high) = (losses().fold(f64::MAX, f64::min), losses().fold(f64::MIN, f64::max));
    // One epoch, or none, is drawn as well.
    let (low, high) = if low < high { (low, high) } else { (low.min(1.0) - 1e-6, low.min(1.0) + 1e-6) };
    let epochs = history.last().map_or(1, |report| report.epoch.max(1));
    let x = |epoch: usize| LEFT + (WIDTH - LEFT - RIGHT) * epoch as f64 / epochs as f64;
    let y = |loss: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (loss - low) / (high - low);

    let best = history.iter().find(|report| report.epoch == best_epoch);
    let title =
        best.map_or_else(String::new, |best| format!("held-out loss {:.6} after epoch {best_epoch}", best.held_out));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    );
    for fifth in 0..=5 {
        let loss = low + (high - low) * f64::from(fifth) / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            y(loss),
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(loss) + 4.0
        );
    }
    for epoch in (0..=epochs).step_by(epochs.div_ceil(10)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{epoch}</text>",
            x(epoch),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let mut curve = |row: f64, name: &str, color: &str, loss: fn(&EpochReport) -> f64| {
        let drawn = history.iter().filter(|report| loss(report).is_finite());
        let points: Vec<String> =
            drawn.map(|report| format!("{:.1},{:.1}", x(report.epoch), y(loss(report)))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - RIGHT - 8.0,
            TOP + 16.0 * row
        );
    };
    curve(1.0, "training", "#1f77b4", |report| report.train);
    curve(2.0, "held out", "#d62728", |report| report.held_out);
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">epoch</text>\n</svg>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_history_can_be_drawn() {
        let report = |epoch: usize| EpochReport { epoch, train: 0.1, held_out: 0.2 / (1.0 + epoch as f64), rate: 1.0 };
        for epochs in [0, 1, 2, 45] {
            let history: Vec<_> = (0..epochs).map(report).collect();
            let svg = svg(&history, epochs.saturating_sub(1));
            assert!(svg.ends_with("</svg>\n") && svg.matches("<polyline").count() == 2);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
