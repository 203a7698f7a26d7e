//! A straight line through estimates whose errors are known.

use crate::elo::Estimate;
use crate::normal::Z95;
use serde::{Deserialize, Serialize};

/// A line y = `start` + `slope` · x through estimates of y, by least squares weighted with their precision. Source: any
/// textbook on regression, for example C. R. Rao, "Linear Statistical Inference and Its Applications", 1965.
///
/// ```
/// use bartizan_stats::{Estimate, LinearTrend};
///
/// let at = |x: f64, value: f64| (x, Estimate { value, margin: Some(20.0) });
/// let trend = LinearTrend::fit([at(0.0, 10.0), at(1.0, -20.0), at(2.0, -50.0)]).expect("there are two different x");
/// assert!((trend.slope.value + 30.0).abs() < 1e-9);
/// assert!((trend.at(3.0) + 80.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearTrend {
    /// The value at x = 0.
    pub start: f64,
    /// The change for each unit of x, with its margin from those of the estimates. It does not count how far they are
    /// from a line.
    pub slope: Estimate,
}

impl LinearTrend {
    /// Fits the line to estimates at each x. Those without a margin have no weight. `None` without two of different x.
    pub fn fit(points: impl IntoIterator<Item = (f64, Estimate)>) -> Option<Self> {
        let weighted = |(x, estimate): (f64, Estimate)| {
            let error = estimate.margin.filter(|&margin| margin > 0.0)? / Z95;
            Some((error.powi(-2), x, estimate.value))
        };
        let points: Vec<(f64, f64, f64)> = points.into_iter().filter_map(weighted).collect();
        let total: f64 = points.iter().map(|(weight, ..)| weight).sum();
        let mean =
            |of: fn(&(f64, f64, f64)) -> f64| points.iter().map(|point| point.0 * of(point)).sum::<f64>() / total;
        let (x_mean, y_mean) = (mean(|point| point.1), mean(|point| point.2));
        let spread: f64 = points.iter().map(|(weight, x, _)| weight * (x - x_mean).powi(2)).sum();
        let product: f64 = points.iter().map(|(weight, x, y)| weight * (x - x_mean) * (y - y_mean)).sum();
        let slope = product / spread;
        (spread > 0.0 && slope.is_finite()).then(|| Self {
            start: y_mean - slope * x_mean,
            slope: Estimate { value: slope, margin: Some(Z95 / spread.sqrt()) },
        })
    }

    /// The value at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.start + self.slope.value * x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(x: f64, value: f64, margin: f64) -> (f64, Estimate) {
        (x, Estimate { value, margin: Some(margin) })
    }

    proptest! {
        /// The margin is that of an experiment: for equal margins m at x = 0 to n − 1, m divided by the root of the sum
        /// of squares about the mean.
        #[test]
        fn a_line_is_found_again(
            start in -100.0..100.0_f64,
            slope in -60.0..60.0_f64,
            margin in 1.0..80.0_f64,
            n in 2..9_u8,
        ) {
            let points = (0..n).map(|x| at(f64::from(x), start + slope * f64::from(x), margin));
            let trend = LinearTrend::fit(points).unwrap();
            let count = f64::from(n);
            let spread = count * (count * count - 1.0) / 12.0;
            prop_assert!((trend.start - start).abs() < 1e-6 && (trend.slope.value - slope).abs() < 1e-6);
            prop_assert!((trend.slope.margin.unwrap() - margin / spread.sqrt()).abs() < 1e-6);
        }
    }

    #[test]
    fn precise_estimates_weigh_more() {
        let trend = LinearTrend::fit([at(0.0, 0.0, 1.0), at(1.0, 10.0, 1.0), at(2.0, 90.0, 1_000.0)]).unwrap();
        assert!((trend.slope.value - 10.0).abs() < 0.1);
    }

    #[test]
    fn no_line_goes_through_one_place() {
        let unknown = (1.0, Estimate { value: 5.0, margin: None });
        assert_eq!(LinearTrend::fit([]), None);
        assert_eq!(LinearTrend::fit([at(1.0, 3.0, 2.0), unknown]), None);
        assert_eq!(LinearTrend::fit([at(1.0, 3.0, 2.0), at(1.0, 5.0, 2.0)]), None);
        assert_eq!(LinearTrend::fit([at(1.0, 3.0, 0.0), at(f64::NAN, 5.0, 2.0), at(2.0, 5.0, 2.0)]), None);
    }
}
