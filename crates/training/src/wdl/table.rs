//! Predicted against observed results, as tables.

use super::Bucket;
use std::fmt;

/// Lower ends of the score buckets, in shown centipawns. In the bucket from 90 to 110 half of the games should be won.
pub(super) const SCORES: [u32; 12] = [0, 15, 30, 50, 70, 90, 110, 140, 170, 210, 260, 320];
/// Lower ends of the buckets of material, in points.
pub(super) const MATERIALS: [u32; 7] = [17, 18, 26, 36, 46, 56, 66];

/// A table with a name for its first column and a line for each bucket.
pub(super) struct Table<'a>(pub(super) &'a str, pub(super) &'a [Bucket]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>11}  {:>9}  {:^20}  {:^20}", self.0, "positions", "predicted: + = - %", "observed: + = - %")?;
        for bucket in self.1 {
            let range = match bucket.to {
                Some(to) if to == bucket.from + 1 => format!("{}", bucket.from),
                Some(to) => format!("{} to {}", bucket.from, to - 1),
                None => format!("{} up", bucket.from),
            };
            write!(f, "{range:>11}  {:>9} ", bucket.positions)?;
            for shares in [bucket.predicted, bucket.observed] {
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
    use crate::wdl::{Outcomes, by_material, by_score};
    use bartizan_eval::{MaterialCount, WdlModel};
    use bartizan_types::Color;

    #[test]
    fn a_table_names_the_ranges() {
        let mut outcomes = Outcomes::new(1_000);
        for (material, score, winner) in [(17, 10, Color::White), (40, 900, Color::Black)] {
            outcomes.add(MaterialCount::new(material), score, Some(winner));
        }
        let scores = by_score(&outcomes, &WdlModel::FITTED, &SCORES);
        let materials = by_material(&outcomes, &WdlModel::FITTED, &MATERIALS);
        let (scores, materials) = (Table("shown cp", &scores).to_string(), Table("material", &materials).to_string());
        assert!(scores.lines().count() == 3 && scores.contains("0 to 14") && scores.contains("320 up"), "{scores}");
        assert!(materials.contains("         17 ") && materials.contains("36 to 45"), "{materials}");
    }
}
