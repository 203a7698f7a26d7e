//! The chart of a fit: predicted and observed chances against the shown score.

use super::{Outcomes, by_score};
use bartizan_eval::WdlModel;
use bartizan_stats::chart::{Axis, Chart, Series};

/// The right end of the score axis, in shown centipawns.
const LARGEST: u32 = 400;
/// Shown centipawns of a bucket.
const STEP: u32 = 10;

/// The chart: lines for the predicted chances, dots for the observed ones.
pub fn chart(outcomes: &Outcomes, model: &WdlModel) -> Chart {
    let starts: Vec<u32> = (0..=LARGEST).step_by(STEP as usize).collect();
    let mut buckets = by_score(outcomes, model, &starts);
    buckets.retain(|bucket| bucket.to.is_some());
    let middle = |from: u32| f64::from(from) + f64::from(STEP) / 2.0;
    let series = |(result, name): (usize, &str)| Series {
        name: name.to_owned(),
        line: buckets.iter().map(|bucket| [middle(bucket.from), 100.0 * bucket.predicted[result]]).collect(),
        dots: buckets.iter().map(|bucket| [middle(bucket.from), 100.0 * bucket.observed[result]]).collect(),
        ..Series::default()
    };
    Chart {
        title: format!("Results of the side ahead in {} positions: model (lines), games (dots)", outcomes.positions()),
        x: Axis::linear("shown centipawns", 0.0, f64::from(LARGEST)),
        y: Axis::linear("share of the positions", 0.0, 100.0).with_unit(" %"),
        series: ["win", "draw", "loss"].into_iter().enumerate().map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::MaterialCount;
    use bartizan_types::Color;

    #[test]
    fn any_data_can_be_drawn() {
        let mut outcomes = Outcomes::new(1_000);
        for scores in [0, 1, 60] {
            for score in 0..scores {
                outcomes.add(MaterialCount::new(40), 15 * score, Some(Color::White));
            }
            let svg = chart(&outcomes, &WdlModel::FITTED).to_string();
            assert!(svg.contains("loss") && !svg.contains("NaN"), "{svg}");
        }
    }
}
