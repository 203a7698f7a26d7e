//! What a model foretells against what was seen.

use bartizan_eval::{Material, WdlModel};
use bartizan_tuner::wdl::{Cell, Outcomes};
use serde::Serialize;
use std::fmt;

/// Positions of a kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Bucket {
    /// Shown centipawns, or points of material.
    pub(super) from: u32,
    /// The first that is not in it; `None` for all there is.
    pub(super) to: Option<u32>,
    pub(super) positions: u64,
    /// The share of wins, draws and losses of the side that was ahead.
    pub(super) predicted: [f64; 3],
    pub(super) seen: [f64; 3],
}

impl Bucket {
    /// The largest difference between a share foretold and seen.
    pub(super) fn error(&self) -> f64 {
        self.predicted.iter().zip(self.seen).map(|(predicted, seen)| (predicted - seen).abs()).fold(0.0, f64::max)
    }
}

/// Where the buckets of scores begin, in shown centipawns. The one from 90 to 110 is where half the games should be won.
pub(super) const SCORES: [u32; 12] = [0, 15, 30, 50, 70, 90, 110, 140, 170, 210, 260, 320];
/// Where the buckets of material begin.
pub(super) const MATERIALS: [u32; 7] = [17, 18, 26, 36, 46, 56, 66];

/// By shown score.
pub(super) fn by_score(outcomes: &Outcomes, model: &WdlModel, starts: &[u32]) -> Vec<Bucket> {
    let shown = |cell: &Cell| 100.0 * f64::from(cell.score) / model.half_won(cell.material);
    buckets(outcomes, model, starts, shown)
}

/// By material.
pub(super) fn by_material(outcomes: &Outcomes, model: &WdlModel) -> Vec<Bucket> {
    buckets(outcomes, model, &MATERIALS, |cell| f64::from(cell.material.points()))
}

/// The materials of which there are fewer than so many positions.
pub(super) fn scarce(outcomes: &Outcomes, least: u64) -> Vec<u32> {
    let mut counts = vec![0; Material::all().len()];
    for cell in outcomes.cells() {
        counts[(cell.material.points() - Material::MIN.points()) as usize] += cell.positions();
    }
    let counted = Material::all().zip(counts);
    counted.filter(|&(_, count)| count < least).map(|(material, _)| material.points()).collect()
}

fn buckets(outcomes: &Outcomes, model: &WdlModel, starts: &[u32], place: impl Fn(&Cell) -> f64) -> Vec<Bucket> {
    let mut sums = vec![(0, [0.0; 3], [0.0; 3]); starts.len()];
    for cell in outcomes.cells() {
        let place = place(&cell);
        let index = starts.iter().rposition(|&start| f64::from(start) <= place).unwrap_or(0);
        let chances = model.chances(f64::from(cell.score), cell.material);
        let (positions, predicted, seen) = &mut sums[index];
        *positions += cell.positions();
        for result in 0..3 {
            predicted[result] += chances[result] * cell.positions() as f64;
            seen[result] += f64::from(cell.results[result]);
        }
    }
    let ends = starts.iter().skip(1).map(|&end| Some(end)).chain([None]);
    let buckets = starts.iter().zip(ends).zip(sums).filter(|(_, (positions, ..))| *positions > 0);
    buckets
        .map(|((&from, to), (positions, predicted, seen))| {
            let share = |sum: f64| (1e5 * sum / positions as f64).round() / 1e5;
            Bucket { from, to, positions, predicted: predicted.map(share), seen: seen.map(share) }
        })
        .collect()
}

/// Buckets as lines of a table.
pub(super) struct Table<'a>(pub(super) &'a str, pub(super) &'a [Bucket]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>11}  {:>9}  {:^20}  {:^20}", self.0, "positions", "foretold: + = - %", "seen: + = - %")?;
        for bucket in self.1 {
            let range = match bucket.to {
                Some(to) if to == bucket.from + 1 => format!("{}", bucket.from),
                Some(to) => format!("{} to {}", bucket.from, to - 1),
                None => format!("{} up", bucket.from),
            };
            write!(f, "{range:>11}  {:>9} ", bucket.positions)?;
            for shares in [bucket.predicted, bucket.seen] {
                write!(f, " ")?;
                shares.iter().try_for_each(|share| write!(f, " {:>6.2}", 100.0 * share))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_in_one_bucket() {
        let model = WdlModel { half_won: [200.0, 0.0, 0.0, 0.0], spread: [80.0, 0.0, 0.0, 0.0] };
        let mut outcomes = Outcomes::new(1_000);
        for (material, score, result) in [(17, 199, 2), (18, 200, 0), (40, 0, 1), (78, -999, 0), (78, 100, 1)] {
            outcomes.add(Material::new(material), score, result);
        }
        let scores = by_score(&outcomes, &model, &SCORES);
        let found: Vec<_> = scores.iter().map(|bucket| (bucket.from, bucket.to, bucket.positions)).collect();
        assert_eq!(found, [(0, Some(15), 1), (50, Some(70), 1), (90, Some(110), 2), (320, None, 1)]);
        assert_eq!(scores[2].seen, [0.5, 0.0, 0.5]);
        assert!((scores[2].predicted[0] - 0.5).abs() < 0.01);
        let materials = by_material(&outcomes, &model);
        assert_eq!(materials.iter().map(|bucket| bucket.from).collect::<Vec<_>>(), [17, 18, 36, 66]);
        assert_eq!(scarce(&outcomes, 1).len(), 58);
        let table = Table("shown", &scores).to_string();
        assert!(table.lines().count() == 5 && table.contains("90 to 109") && table.contains("320 up"), "{table}");
    }
}
