//! Measures how well values predict game results.

/// Values of positions and the results of their games, both for the side to move.
#[derive(Clone, Debug, Default)]
pub struct Forecast(Vec<(i32, f32)>);

/// The range of units tried, in centipawns.
const UNITS: (f64, f64) = (20.0, 2_000.0);

impl Forecast {
    /// Adds a value in centipawns and a result: 0, 0.5 or 1.
    pub fn add(&mut self, value: i32, result: f32) {
        self.0.push((value, result));
    }

    /// The results, in insertion order.
    pub fn results(&self) -> impl Iterator<Item = f32> {
        self.0.iter().map(|&(_, result)| result)
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean squared difference between results and expected points, where a value is worth
    /// `1 / (1 + exp(-value / unit))` points; zero without positions.
    pub fn error(&self, unit: f64) -> f64 {
        let square = |&(value, result): &(i32, f32)| {
            (1.0 / (1.0 + (-f64::from(value) / unit).exp()) - f64::from(result)).powi(2)
        };
        self.0.iter().map(square).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The unit with the least error, to about a centipawn, by golden-section search.
    pub fn best_unit(&self) -> f64 {
        let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = UNITS;
        let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
        let (mut left_error, mut right_error) = (self.error(left), self.error(right));
        while high - low > 1.0 {
            if left_error <= right_error {
                (high, right, right_error) = (right, left, left_error);
                left = high - ratio * (high - low);
                left_error = self.error(left);
            } else {
                (low, left, left_error) = (left, right, right_error);
                right = low + ratio * (high - low);
                right_error = self.error(right);
            }
        }
        f64::midpoint(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;

    /// Results drawn with the probabilities that one unit gives: the search finds that unit, and its error is the
    /// variance of the draws.
    #[test]
    fn the_unit_that_made_the_results_has_the_least_error() {
        for made in [80.0, 230.0] {
            let (mut random, mut forecast, mut variance) = (SplitMix64::new(1), Forecast::default(), 0.0);
            for index in 0..40_000 {
                let value = index % 801 - 400;
                let points = 1.0 / (1.0 + (-f64::from(value) / made).exp());
                forecast.add(value, if random.unit_f64() < points { 1.0 } else { 0.0 });
                variance += points * (1.0 - points) / 40_000.0;
            }
            let unit = forecast.best_unit();
            assert!((unit / made - 1.0).abs() < 0.05, "{unit} for {made}");
            assert!((forecast.error(unit) / variance - 1.0).abs() < 0.02);
            assert!(forecast.error(unit) <= forecast.error(made));
        }
        assert_eq!((Forecast::default().error(200.0), Forecast::default().len()), (0.0, 0));
    }
}
