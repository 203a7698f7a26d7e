//! Confidence intervals of a share and of a mean ratio.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::normal::{Z95, student_95};

/// A measured value and the 95 % confidence interval around it, which need not be symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// What was measured.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// `0.733 [0.639, 0.810]`; a precision such as `{:.1}` replaces the three decimals.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(3);
        let Self { value, low, high } = self;
        write!(f, "{value:.decimals$} [{low:.decimals$}, {high:.decimals$}]")
    }
}

/// The share `successes / total` with Wilson's score interval, such as the share of a suite's positions solved.
///
/// Unlike the textbook `p ± 1.96·√(p(1−p)/n)` it stays within 0 to 1 and keeps a width when all or none succeeded.
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
///
/// `None` when `total` is 0 or below `successes`.
#[must_use]
pub fn wilson(successes: u64, total: u64) -> Option<Interval> {
    if total == 0 || successes > total {
        return None;
    }
    let (n, z2) = (total as f64, Z95 * Z95);
    let value = successes as f64 / n;
    let centre = (value + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let margin = Z95 * (value * (1.0 - value) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    // Rounding must not carry an end past the value when none or all succeeded.
    Some(Interval { value, low: (centre - margin).clamp(0.0, value), high: (centre + margin).clamp(value, 1.0) })
}

/// The geometric mean: the right average for ratios, where ×2 and ×½ cancel.
///
/// `None` without values or with one that is not positive and finite.
#[must_use]
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    log_moments(values).map(|(mean, _)| mean.exp())
}

/// The geometric mean with a confidence interval: Student's t on the logarithms, so `low · high = value²`.
///
/// `None` with fewer than two values, or with one that is not positive and finite.
#[must_use]
pub fn geometric_mean_interval(values: &[f64]) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let (mean, squares) = log_moments(values)?;
    let degrees = values.len() - 1;
    let standard_error = (squares / degrees as f64 / values.len() as f64).sqrt();
    let margin = student_95(degrees) * standard_error;
    Some(Interval { value: mean.exp(), low: (mean - margin).exp(), high: (mean + margin).exp() })
}

/// Mean of the logarithms and the sum of the squared deviations from it.
fn log_moments(values: &[f64]) -> Option<(f64, f64)> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite() || *value <= 0.0) {
        return None;
    }
    let mean = values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value.ln() - mean).powi(2)).sum();
    Some((mean, squares))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_close(interval: Option<Interval>, expected: [f64; 3]) {
        let Interval { value, low, high } = interval.unwrap();
        for (got, want) in [value, low, high].into_iter().zip(expected) {
            assert!((got - want).abs() < 1e-9, "{got} instead of {want}");
        }
    }

    /// scipy.stats.binomtest(k, n).proportion_ci(method="wilson").
    #[test]
    fn wilson_values() {
        assert_close(wilson(220, 300), [0.733_333_333_333, 0.680_572_605_869, 0.780_194_007_560]);
        assert_close(wilson(0, 10), [0.0, 0.0, 0.277_532_799_863]);
        assert_close(wilson(10, 10), [1.0, 0.722_467_200_137, 1.0]);
        assert_close(wilson(1, 2), [0.5, 0.094_531_205_734, 0.905_468_794_266]);
        assert_eq!((wilson(0, 0), wilson(3, 2)), (None, None));
    }

    /// numpy: x = log(values); exp(mean ± scipy.stats.t.ppf(0.975, n-1) * std(x, ddof=1) / sqrt(n)).
    #[test]
    fn geometric_mean_values() {
        let ratios = [1.02, 1.05, 0.99, 1.11, 1.04];
        assert_close(geometric_mean_interval(&ratios), [1.041_252_834_619, 0.988_065_865_054, 1.097_302_825_599]);
        assert_eq!(geometric_mean(&[4.0, 1.0]), Some(2.0));
        assert_eq!(geometric_mean(&[3.0]).map(|mean| (mean * 1e9).round()), Some(3e9));
        assert_eq!(geometric_mean_interval(&[3.0]), None);
        for bad in [&[][..], &[1.0, 0.0], &[1.0, -2.0], &[1.0, f64::NAN], &[1.0, f64::INFINITY]] {
            assert_eq!((geometric_mean(bad), geometric_mean_interval(bad)), (None, None));
        }
    }

    #[test]
    fn text() {
        let interval = Interval { value: 0.7333, low: 0.639, high: 0.81 };
        assert_eq!(interval.to_string(), "0.733 [0.639, 0.810]");
        assert_eq!(format!("{interval:.1}"), "0.7 [0.6, 0.8]");
    }

    proptest! {
        #[test]
        fn wilson_is_ordered_mirrored_and_narrows(total in 1u64..5000, part in 0.0..=1.0f64) {
            let successes = (part * total as f64) as u64;
            let interval = wilson(successes, total).unwrap();
            prop_assert!(0.0 <= interval.low && interval.low <= interval.value);
            prop_assert!(interval.value <= interval.high && interval.high <= 1.0);
            let mirrored = wilson(total - successes, total).unwrap();
            prop_assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-12);
            let more = wilson(10 * successes, 10 * total).unwrap();
            prop_assert!(more.high - more.low < interval.high - interval.low);
        }

        #[test]
        fn inverted_ratios_invert_the_mean(values in prop::collection::vec(0.1..10.0f64, 2..40)) {
            let inverted: Vec<f64> = values.iter().map(|value| 1.0 / value).collect();
            let (interval, inverse) =
                (geometric_mean_interval(&values).unwrap(), geometric_mean_interval(&inverted).unwrap());
            prop_assert!((interval.value * inverse.value - 1.0).abs() < 1e-9);
            prop_assert!((interval.low * inverse.high - 1.0).abs() < 1e-9);
        }
    }
}
