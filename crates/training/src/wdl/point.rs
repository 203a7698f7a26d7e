//! Logarithms of the chances at one material and score, and their derivatives with respect to the model.

/// The chances for half won `a`, spread `b` and score `v`. With A = a / b and V = v / b they are
///
/// ```text
/// win = 1 / (1 + exp(A - V))    loss = 1 / (1 + exp(A + V))    draw = (exp(2A) - 1) · win · loss
/// ```
///
/// The draw is 1 - win - loss, written as a product so that its logarithm is exact where the chance is tiny.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Logarithms of win, draw and loss.
    pub(super) logs: [f64; 3],
    /// Derivatives of each logarithm with respect to `a` and `b`.
    pub(super) slopes: [[f64; 2]; 3],
}

impl Point {
    /// Computes the chances; `a` and `b` must be positive.
    pub(super) fn new(a: f64, b: f64, v: f64) -> Self {
        let (half, at) = (a / b, v / b);
        let (log_win, log_loss) = (-softplus(half - at), -softplus(half + at));
        let log_draw = 2.0 * half + (-(-2.0 * half).exp()).ln_1p() + log_win + log_loss;
        let (not_win, not_loss) = (1.0 - log_win.exp(), 1.0 - log_loss.exp());
        // Derivatives by A and V.
        let by = [
            [-not_win, not_win],
            [-2.0 / (-2.0 * half).exp_m1() - not_win - not_loss, not_win - not_loss],
            [-not_loss, -not_loss],
        ];
        let slopes = by.map(|[by_half, by_at]| [by_half / b, -(by_half * half + by_at * at) / b]);
        Self { logs: [log_win, log_draw, log_loss], slopes }
    }
}

/// Computes ln(1 + exp(x)) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::{MaterialCount, WdlModel};

    #[test]
    fn chances_are_those_of_the_model() {
        let model = WdlModel { half_won: [200.0, 0.0, 0.0, 0.0], spread: [70.0, 0.0, 0.0, 0.0] };
        for v in [0.0, 35.0, 200.0, 600.0] {
            let chances = model.chances(v, MaterialCount::MAX);
            for (log, chance) in Point::new(200.0, 70.0, v).logs.iter().zip(chances) {
                assert!((log.exp() - chance).abs() < 1e-12);
            }
        }
        // Extreme scores give finite numbers.
        let far = Point::new(5_000.0, 1.0, 30_000.0);
        assert!(far.logs.iter().chain(far.slopes.as_flattened()).all(|number| number.is_finite()), "{far:?}");
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let step = 1e-4;
        for (a, b, v) in [(200.0, 70.0, 0.0), (150.0, 60.0, 180.0), (300.0, 90.0, 900.0), (20.0, 80.0, 40.0)] {
            let point = Point::new(a, b, v);
            let by_a = (Point::new(a + step, b, v), Point::new(a - step, b, v));
            let by_b = (Point::new(a, b + step, v), Point::new(a, b - step, v));
            for result in 0..3 {
                for (slope, (more, less)) in point.slopes[result].into_iter().zip([by_a, by_b]) {
                    let expected = (more.logs[result] - less.logs[result]) / (2.0 * step);
                    assert!((slope - expected).abs() < 1e-7, "{a} {b} {v}: {slope} {expected}");
                }
            }
        }
    }
}
