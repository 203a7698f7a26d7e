//! Repeatable randomness: every decision is a number between 0 and 1 that depends only on what it is about.

use bartizan_types::SplitMix64;

/// A number in 0..1, the same for the same subject in a game with this seed.
pub(crate) fn chance(seed: u64, subject: u64) -> f64 {
    let bits = SplitMix64::stream(seed, subject).next_u64();
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A normally distributed number with mean 0 and standard deviation 1, the same for the same subject.
pub(crate) fn deviation(seed: u64, subject: u64) -> f64 {
    /// The standard deviation of the sum of four numbers below 65,536, each equally likely.
    const SPREAD: f64 = 37_837.0;
    let bits = SplitMix64::stream(seed, subject).next_u64();
    let sum: i64 = (0..64).step_by(16).map(|shift| (bits >> shift & 0xffff) as i64).sum();
    (sum - 2 * 0xffff) as f64 / SPREAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_even_and_deviations_normal() {
        let chances: Vec<f64> = (0..4_000).map(|subject| chance(7, subject)).collect();
        assert!(chances.iter().all(|chance| (0.0..1.0).contains(chance)));
        let mean = chances.iter().sum::<f64>() / 4_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        let deviations: Vec<f64> = (0..4_000).map(|subject| deviation(7, subject)).collect();
        let mean = deviations.iter().sum::<f64>() / 4_000.0;
        let square = deviations.iter().map(|x| x * x).sum::<f64>() / 4_000.0;
        assert!(mean.abs() < 0.05 && (square - 1.0).abs() < 0.1, "{mean} {square}");
        assert_ne!(chance(1, 1), chance(2, 1));
    }
}
