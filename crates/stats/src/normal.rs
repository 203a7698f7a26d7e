//! The normal and Student's t distributions, as far as error bars need them.

use std::f64::consts::{FRAC_2_PI, PI};

/// Half-width of a 95 % confidence interval in standard deviations: the 97.5 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is below `x`, to about 1e-15.
///
/// Sums Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …) (Abramowitz & Stegun 26.2.11), whose terms all have one sign.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    // Beyond this the tail is smaller than the rounding error of 1.
    if x.abs() > 9.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

/// Half-width of a 95 % confidence interval in standard errors when the variance is itself estimated with
/// `degrees` ≥ 1 degrees of freedom: the 97.5 % quantile of Student's t.
pub(crate) fn student_95(degrees: usize) -> f64 {
    // Far out the sums below are long, and two terms of the Cornish–Fisher expansion are exact to 1e-8.
    if degrees > 1000 {
        let (n, z) = (degrees as f64, Z95);
        return z + (z.powi(3) + z) / (4.0 * n) + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n);
    }
    let (mut low, mut high) = (1.9, 13.0); // The quantile falls from 12.7 (one degree) to 1.96 (infinitely many).
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if student_within(middle, degrees) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The probability that Student's t lies within ±`t`: the finite sums of Abramowitz & Stegun 26.7.3 and 26.7.4.
fn student_within(t: f64, degrees: usize) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    // The first power of the cosine is 1 for odd degrees and 0 for even ones; each next term raises it by two.
    let (mut power, mut term) = if odd { (1, cos) } else { (0, 1.0) };
    let mut sum = 0.0;
    while power + 2 <= degrees {
        sum += term;
        term *= cos * cos * (power + 1) as f64 / (power + 2) as f64;
        power += 2;
    }
    if odd { FRAC_2_PI * (angle + sin * sum) } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.norm.cdf.
    #[test]
    fn normal_probabilities() {
        for (x, expected) in [
            (0.0, 0.5),
            (Z95, 0.975),
            (1.0, 0.841_344_746_068_542_9),
            (-2.5, 0.006_209_665_325_776_132),
            (5.0, 0.999_999_713_348_428_1),
            (-6.0, 9.865_876_450_376_946e-10),
            (40.0, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ] {
            assert!((normal_cdf(x) - expected).abs() < 2e-15, "{x}: {}", normal_cdf(x));
        }
    }

    /// scipy.stats.t.ppf(0.975, degrees).
    #[test]
    fn student_quantiles() {
        for (degrees, expected) in [
            (1, 12.706_204_736_174_7),
            (2, 4.302_652_729_749_46),
            (3, 3.182_446_305_283_71),
            (4, 2.776_445_105_197_79),
            (9, 2.262_157_162_798_21),
            (30, 2.042_272_456_301_24),
            (1000, 1.962_339_080_826_41),
            (1001, 1.962_336_705_280_88),
        ] {
            assert!((student_95(degrees) - expected).abs() < 1e-8, "{degrees}: {}", student_95(degrees));
        }
    }
}
