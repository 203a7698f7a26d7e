//! A picture of a fit: chances foretold (lines) and seen (dots) against the shown score.

use super::calibration::by_score;
use bartizan_eval::WdlModel;
use bartizan_tuner::wdl::Outcomes;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// Shown centipawns at the right edge, and how many make a dot.
const LARGEST: u32 = 400;
const STEP: u32 = 10;

/// Draws the picture.
pub(super) fn svg(outcomes: &Outcomes, model: &WdlModel) -> String {
    let starts: Vec<u32> = (0..=LARGEST).step_by(STEP as usize).collect();
    let mut buckets = by_score(outcomes, model, &starts);
    buckets.retain(|bucket| bucket.to.is_some());
    let x = |score: f64| LEFT + (WIDTH - LEFT - RIGHT) * score / f64::from(LARGEST);
    let y = |share: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\">Results of the side that is ahead, of {} positions: foretold (lines) and seen (dots)</text>\n",
        outcomes.positions()
    );
    for fifth in 0..=5 {
        let share = f64::from(fifth) / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4:.0} %</text>",
            y(share),
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(share) + 4.0,
            100.0 * share
        );
    }
    for score in (0..=LARGEST).step_by(50) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{score}</text>",
            x(f64::from(score)),
            HEIGHT - BOTTOM + 18.0
        );
    }
    for (result, (name, color)) in [("win", "#2ca02c"), ("draw", "#1f77b4"), ("loss", "#d62728")].iter().enumerate() {
        let at = |from: u32| x(f64::from(from) + f64::from(STEP) / 2.0);
        let points: Vec<String> =
            buckets.iter().map(|b| format!("{:.1},{:.1}", at(b.from), y(b.predicted[result]))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{color}\">{name}</text>",
            points.join(" "),
            WIDTH - RIGHT - 8.0,
            HEIGHT / 2.0 + 16.0 * result as f64
        );
        for b in &buckets {
            let (x, y) = (at(b.from), y(b.seen[result]));
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">shown centipawns</text>\n</svg>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::Material;

    #[test]
    fn any_data_can_be_drawn() {
        let mut outcomes = Outcomes::new(1_000);
        for scores in [0, 1, 60] {
            for score in 0..scores {
                outcomes.add(Material::new(40), 15 * score, 2);
            }
            let svg = svg(&outcomes, &WdlModel::FITTED);
            assert!(svg.ends_with("</svg>\n") && svg.matches("<polyline").count() == 3);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
