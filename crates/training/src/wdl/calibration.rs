//! Predicted versus observed results.

use super::{Cell, Outcomes};
use bartizan_eval::WdlModel;

/// Positions of similar score or material, with the results that a model predicts for them and those of their games.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Bucket {
    /// Lowest shown score in centipawns, or lowest material in points.
    pub from: u32,
    /// Lower end of the next bucket; `None` for the last bucket.
    pub to: Option<u32>,
    /// Number of positions.
    pub positions: u64,
    /// Predicted shares of wins, draws and losses of the side that is ahead.
    pub predicted: [f64; 3],
    /// Observed shares of wins, draws and losses of the side that is ahead.
    #[serde(rename = "seen")]
    pub observed: [f64; 3],
}

impl Bucket {
    /// The largest difference between a predicted and an observed share.
    pub fn error(&self) -> f64 {
        self.predicted.iter().zip(self.observed).map(|(predicted, seen)| (predicted - seen).abs()).fold(0.0, f64::max)
    }
}

/// Compares prediction and observation by shown score. `starts` are the lower ends of the buckets in shown centipawns,
/// in ascending order; empty buckets are left out.
pub fn by_score(outcomes: &Outcomes, model: &WdlModel, starts: &[u32]) -> Vec<Bucket> {
    let shown = |cell: &Cell| 100.0 * f64::from(cell.score) / model.half_won(cell.material);
    buckets(outcomes, model, starts, shown)
}

/// Compares prediction and observation by material. `starts` are the lower ends of the buckets in points, in ascending
/// order; empty buckets are left out.
pub fn by_material(outcomes: &Outcomes, model: &WdlModel, starts: &[u32]) -> Vec<Bucket> {
    buckets(outcomes, model, starts, |cell| f64::from(cell.material.points()))
}

fn buckets(outcomes: &Outcomes, model: &WdlModel, starts: &[u32], place: impl Fn(&Cell) -> f64) -> Vec<Bucket> {
    let mut sums = vec![(0, [0.0; 3], [0.0; 3]); starts.len()];
    for cell in outcomes.cells() {
        let place = place(&cell);
        let index = starts.iter().rposition(|&start| f64::from(start) <= place).unwrap_or(0);
        let chances = model.chances(f64::from(cell.score), cell.material);
        let Some((positions, predicted, observed)) = sums.get_mut(index) else { continue };
        *positions += cell.positions();
        for result in 0..3 {
            predicted[result] += chances[result] * cell.positions() as f64;
            observed[result] += f64::from(cell.results[result]);
        }
    }
    let ends = starts.iter().skip(1).map(|&end| Some(end)).chain([None]);
    let buckets = starts.iter().zip(ends).zip(sums).filter(|(_, (positions, ..))| *positions > 0);
    buckets
        .map(|((&from, to), (positions, predicted, observed))| {
            let share = |sum: f64| (1e5 * sum / positions as f64).round() / 1e5;
            Bucket { from, to, positions, predicted: predicted.map(share), observed: observed.map(share) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::MaterialCount;
    use bartizan_types::Color;

    #[test]
    fn each_position_is_in_one_bucket() {
        let model = WdlModel { half_won: [200.0, 0.0, 0.0, 0.0], spread: [80.0, 0.0, 0.0, 0.0] };
        let mut outcomes = Outcomes::new(1_000);
        let (white, black) = (Some(Color::White), Some(Color::Black));
        let games = [(17, 199, white), (18, 200, black), (40, 0, None), (78, -999, black), (78, 100, None)];
        for (material, score, winner) in games {
            outcomes.add(MaterialCount::new(material), score, winner);
        }
        let scores = by_score(&outcomes, &model, &[0, 15, 50, 70, 90, 110, 320]);
        let found: Vec<_> = scores.iter().map(|bucket| (bucket.from, bucket.to, bucket.positions)).collect();
        assert_eq!(found, [(0, Some(15), 1), (50, Some(70), 1), (90, Some(110), 2), (320, None, 1)]);
        assert_eq!(scores[2].observed, [0.5, 0.0, 0.5]);
        assert!((scores[2].predicted[0] - 0.5).abs() < 0.01);
        let materials = by_material(&outcomes, &model, &[17, 18, 26, 36, 46, 56, 66]);
        assert_eq!(materials.iter().map(|bucket| bucket.from).collect::<Vec<_>>(), [17, 18, 36, 66]);
        assert!(by_score(&outcomes, &model, &[]).is_empty());
    }
}
