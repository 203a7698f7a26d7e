//! The difference between two shares of the same cases.

use crate::interval::Interval;
use crate::normal::Z95;
use serde::{Deserialize, Serialize};

/// The difference between the shares of two methods that were tried on the same cases, such as two engines that are
/// asked for a move in the same positions. Only the cases in which they differ tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedDifference {
    /// The share of the first less that of the second, with the interval of the normal approximation.
    pub difference: Interval,
    /// The probability of such a difference, or a greater one in either direction, between equal methods: McNemar's
    /// test in its exact form.
    pub p: f64,
}

impl PairedDifference {
    /// From the numbers of cases in which only the first or only the second method succeeded, and of all cases. `None`
    /// if `total` is 0 or below their sum.
    ///
    /// Sources: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    /// percentages", 1947, with the binomial distribution in place of χ².
    ///
    /// ```
    /// use bartizan_stats::PairedDifference;
    ///
    /// let paired = PairedDifference::new(30, 12, 200).unwrap();
    /// assert!((paired.difference.value - 0.09).abs() < 1e-9);
    /// assert!(paired.p < 0.01);
    /// ```
    #[must_use]
    pub fn new(first: u64, second: u64, total: u64) -> Option<Self> {
        let discordant = first.checked_add(second)?;
        if total == 0 || discordant > total {
            return None;
        }
        let [n, b, c] = [total, first, second].map(|count| count as f64);
        let value = (b - c) / n;
        let margin = Z95 * ((b + c - (b - c).powi(2) / n).max(0.0)).sqrt() / n;
        let difference = Interval { value, low: (value - margin).max(-1.0), high: (value + margin).min(1.0) };
        Some(Self { difference, p: (2.0 * tail(discordant, first.min(second))).min(1.0) })
    }
}

/// The probability of at most `most` heads in `n` throws of a coin.
fn tail(n: u64, most: u64) -> f64 {
    // In logarithms, because the first terms of a long sum are below the smallest number.
    let mut term = -(n as f64) * std::f64::consts::LN_2;
    let mut sum = term.exp();
    for k in 1..=most {
        term += ((n - k + 1) as f64 / k as f64).ln();
        sum += term.exp();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.binomtest(min(b, c), b + c).pvalue.
    #[test]
    fn probabilities_are_exact() {
        for (first, second, expected) in
            [(5, 0, 0.0625), (10, 2, 0.038_574_218_75), (2, 10, 0.038_574_218_75), (7, 7, 1.0), (0, 0, 1.0)]
        {
            let paired = PairedDifference::new(first, second, 100).unwrap();
            assert!((paired.p - expected).abs() < 1e-9, "{first} {second}: {}", paired.p);
        }
        // The first terms are far below the smallest number.
        let many = PairedDifference::new(2_600, 2_400, 10_000).unwrap();
        assert!((many.p - 0.004_883_649_738).abs() < 1e-9, "{}", many.p);
    }

    #[test]
    fn the_interval_is_that_of_paired_cases() {
        // b = 30, c = 12, n = 200: 0.09 ± 1.96 · √(42 − 18²/200) / 200.
        let Interval { value, low, high } = PairedDifference::new(30, 12, 200).unwrap().difference;
        for (found, expected) in [(value, 0.09), (low, 0.027_72), (high, 0.152_28)] {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
        assert_eq!(PairedDifference::new(0, 0, 0), None);
        assert_eq!(PairedDifference::new(3, 2, 4), None);
        assert_eq!(PairedDifference::new(u64::MAX, 1, 4), None);
        let none = PairedDifference::new(0, 0, 7).unwrap();
        assert_eq!((none.difference.value, none.difference.low, none.p), (0.0, 0.0, 1.0));
    }
}
