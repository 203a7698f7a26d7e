//! The scaling constant, which converts centipawns to expected results. It is fitted before the weights, which would
//! otherwise all be multiplied by the same factor first.

use crate::tune::objective::{Objective, Scaling, Target};

/// Finds the scaling that predicts the targets best. The values are in centipawns for White. A constant that the
/// objective does not use keeps its initial value.
///
/// The values are put into bins of one centipawn. A bin's loss with the mean target has the same minimum.
pub fn fit_scaling(values: impl IntoIterator<Item = (f64, Target)>, objective: Objective) -> Scaling {
    let bins = Bins::new(values);
    let mut scaling = Scaling { per_cp: 0.005, draw_margin: 0.0 };
    if objective == Objective::SquaredError {
        scaling.per_cp = minimum(PER_CP, |per_cp| bins.loss(objective, Scaling { per_cp, ..scaling }));
        return scaling;
    }
    // Alternately, with their product fixed, so that the draw rate of even positions hardly depends on the other
    // constant.
    for _ in 0..ROUNDS {
        let with = |per_cp: f64, margin: f64| Scaling { per_cp, draw_margin: margin / per_cp };
        let margin = minimum(MARGIN, |margin| bins.loss(objective, with(scaling.per_cp, margin)));
        scaling.per_cp = minimum(PER_CP, |per_cp| bins.loss(objective, with(per_cp, margin)));
        scaling.draw_margin = margin / scaling.per_cp;
    }
    scaling
}

/// Bounds of `per_cp`: 10,000 to 10 centipawns multiply the odds by e.
const PER_CP: (f64, f64) = (1e-4, 1e-1);
/// Bounds of the margin times `per_cp`: from almost no draws to almost only draws.
const MARGIN: (f64, f64) = (1e-3, 1e1);
const ROUNDS: usize = 6;
/// Larger values are clamped to this one.
const LARGEST: i32 = 3_000;

struct Bins(Vec<Bin>);

#[derive(Clone, Copy, Default)]
struct Bin {
    positions: f64,
    value: f64,
    win: f64,
    loss: f64,
}

impl Bins {
    fn new(values: impl IntoIterator<Item = (f64, Target)>) -> Self {
        let mut bins = vec![Bin::default(); 2 * LARGEST as usize + 1];
        for (value, target) in values {
            let value = value.clamp(f64::from(-LARGEST), f64::from(LARGEST));
            let bin = &mut bins[(value.round() as i32 + LARGEST) as usize];
            bin.positions += 1.0;
            bin.value += value;
            bin.win += f64::from(target.win);
            bin.loss += f64::from(target.loss);
        }
        bins.retain(|bin| bin.positions > 0.0);
        Self(bins)
    }

    fn loss(&self, objective: Objective, scaling: Scaling) -> f64 {
        let losses = self.0.iter().map(|bin| {
            let n = bin.positions;
            let target = Target { win: (bin.win / n) as f32, loss: (bin.loss / n) as f32 };
            n * objective.slope(scaling, bin.value / n, target).loss
        });
        losses.sum()
    }
}

/// The only minimum between two positive bounds, by golden-section search (Kiefer 1953) over the logarithm.
fn minimum((low, high): (f64, f64), f: impl Fn(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_894_9;
    let f = |x: f64| f(x.exp());
    let (mut low, mut high) = (low.ln(), high.ln());
    let (mut a, mut b) = (high - RATIO * (high - low), low + RATIO * (high - low));
    let (mut at_a, mut at_b) = (f(a), f(b));
    // 6.9 · 0.618^40 is below 10⁻⁷.
    for _ in 0..40 {
        if at_a < at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - RATIO * (high - low);
            at_a = f(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + RATIO * (high - low);
            at_b = f(b);
        }
    }
    ((low + high) / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Targets that follow the model exactly give back its constants.
    #[test]
    fn the_constants_are_found() {
        for objective in [Objective::SquaredError, Objective::OrdinalLogistic] {
            let truth = Scaling { per_cp: 0.0071, draw_margin: 93.0 };
            let values = (-800..=800).map(|value| (f64::from(value), objective.expected(truth, f64::from(value))));
            let found = fit_scaling(values, objective);
            assert!((found.per_cp / truth.per_cp - 1.0).abs() < 1e-3, "{found:?}");
            if objective == Objective::OrdinalLogistic {
                assert!((found.draw_margin / truth.draw_margin - 1.0).abs() < 1e-3, "{found:?}");
            }
        }
    }

    #[test]
    fn degenerate_data_gives_finite_numbers() {
        for objective in [Objective::SquaredError, Objective::OrdinalLogistic] {
            for values in
                [vec![], vec![(0.0, Target { win: 1.0, loss: 0.0 })], vec![(1e9, Target { win: 0.0, loss: 0.0 })]]
            {
                let found = fit_scaling(values, objective);
                assert!(found.per_cp.is_finite() && found.draw_margin.is_finite(), "{found:?}");
            }
        }
    }
}
