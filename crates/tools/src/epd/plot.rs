//! A picture of a run: solved positions against time, on a logarithmic scale.

use super::report::Run;
use std::fmt::Write as _;
use std::path::Path;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// Draws the picture.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write(run: &Run, path: &Path) -> anyhow::Result<()> {
    crate::files::replace(path, svg(run).as_bytes())
}

fn svg(run: &Run) -> String {
    let mut times: Vec<f64> = run.outcomes.iter().filter(|o| o.solved).map(|o| o.seconds.max(1e-3)).collect();
    times.sort_by(f64::total_cmp);
    let longest = run.outcomes.iter().map(|o| o.total_seconds).fold(1e-2, f64::max);
    let (low, high) = (-3.0, longest.log10().max(-2.0));
    let all = run.outcomes.len().max(1) as f64;
    let x = |seconds: f64| LEFT + (WIDTH - LEFT - RIGHT) * (seconds.log10() - low) / (high - low);
    let y = |solved: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * solved / all;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\">{}</text>\n",
        escape(&format!(
            "{} on {}: {} of {} solved ({})",
            run.engine,
            run.suite,
            times.len(),
            run.outcomes.len(),
            run.limit
        ))
    );
    for power in (low as i32)..=(high.floor() as i32) {
        let at = x(10_f64.powi(power));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 18.0,
            10_f64.powi(power)
        );
    }
    for quarter in 0..=4 {
        let solved = all * f64::from(quarter) / 4.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{solved:.0}</text>",
            y(solved),
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(solved) + 4.0
        );
    }
    let mut points = format!("{:.1},{:.1}", x(1e-3), y(0.0));
    for (index, &seconds) in times.iter().enumerate() {
        let _ = write!(points, " {0:.1},{1:.1} {0:.1},{2:.1}", x(seconds), y(index as f64), y(index as f64 + 1.0));
    }
    let _ = write!(points, " {:.1},{:.1}", x(longest), y(times.len() as f64));
    let _ = write!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">seconds to the solution</text>\n\
         <text x=\"16\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {2:.1})\">solved</text>\n</svg>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0,
        (TOP + HEIGHT - BOTTOM) / 2.0
    );
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
