//! Checks the prerequisites of a fit: the gradient is the derivative of the loss, and the trace equals the evaluation.

use crate::tune::dataset::Dataset;
use crate::tune::gradient::{Form, Parts, add_gradient, value};
use crate::tune::model::{Model, WeightCounts, WeightPair};
use crate::tune::select::TuningSample;

/// Comparison of the gradient with finite differences.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct GradientCheck {
    /// Positions checked.
    pub positions: usize,
    /// Derivatives compared, two for each weight that a position uses.
    pub derivatives: usize,
    /// Derivatives not compared because the loss has a kink there, where danger or endgame changes sign.
    pub kinks: usize,
    /// Largest relative error. It is relative to the derivative or to a thousandth of the derivative by the value,
    /// whichever is larger.
    pub worst: f64,
    /// Weight and half with the largest error.
    pub weight: Option<(usize, usize)>,
}

/// Step of the finite differences in centipawns. The loss is smooth on a scale of hundreds.
const STEP: f64 = 0.01;

/// Compares the gradient of each of the first `limit` positions with central differences, for all weights that it uses.
pub fn check_gradient(data: &Dataset, weights: &[WeightPair], form: Form, limit: usize) -> GradientCheck {
    let mut check = GradientCheck::default();
    let mut moved = weights.to_vec();
    let mut gradient = vec![[0.0; 2]; weights.len()];
    for row in data.chunks(1).into_iter().take(limit).flat_map(|chunk| data.rows(chunk)) {
        check.positions += 1;
        let slope = add_gradient(&row, weights, form, &mut gradient);
        let lists = [row.linear, row.safety[0], row.safety[1], row.complexity];
        let mut used: Vec<usize> = lists.iter().flat_map(|list| list.iter().map(|(weight, _)| weight)).collect();
        used.sort_unstable();
        used.dedup();
        for &weight in &used {
            for half in 0..2 {
                let mut at = |step: f64| {
                    moved[weight][half] = weights[weight][half] + step;
                    let parts = value(&row, &moved, form.safety);
                    moved[weight][half] = weights[weight][half];
                    (parts, form.objective.slope(form.scaling, parts.value, row.head.target).loss)
                };
                let ((before, low), (behind, high)) = (at(-STEP), at(STEP));
                if branch(&before) != branch(&behind) {
                    check.kinks += 1;
                    continue;
                }
                let (exact, numeric) = (gradient[weight][half], (high - low) / (2.0 * STEP));
                let size = exact.abs().max(numeric.abs()).max(slope.by_value.abs() / 1e3).max(1e-12);
                let error = (exact - numeric).abs() / size;
                check.derivatives += 1;
                if error > check.worst || check.weight.is_none() {
                    (check.worst, check.weight) = (error, Some((weight, half)));
                }
            }
            gradient[weight] = [0.0; 2];
        }
    }
    check
}

/// The smooth branch of the loss on which a value lies.
fn branch(parts: &Parts) -> impl PartialEq + use<> {
    (parts.dangers.map(|danger| danger.map(|half| half > 0.0)), parts.is_levelled(), parts.endgame > 0.0)
}

/// Comparison of the trace with the evaluation.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct TraceCheck {
    /// Positions compared.
    pub positions: usize,
    /// Positions without a trace, which are not compared.
    pub untraced: usize,
    /// Largest difference in centipawns. A few are expected, because the evaluation rounds to whole centipawns.
    pub worst: f64,
    /// Position with the largest difference, as FEN.
    pub position: Option<String>,
}

/// Compares the value from counts and initial weights with the engine's value, for the first `limit` samples.
pub fn check_trace(model: &impl Model, samples: &[TuningSample], limit: usize) -> TraceCheck {
    let (mut check, mut counts, weights) = (TraceCheck::default(), WeightCounts::default(), model.start());
    for position in samples.iter().take(limit).filter_map(|sample| sample.position.unpack().ok()) {
        counts.clear();
        let Some(reference) = model.trace(&position, &mut counts).then(|| model.reference(&position)).flatten() else {
            check.untraced += 1;
            continue;
        };
        let error = (counts.value(&weights, model.layout().safety) - reference).abs();
        check.positions += 1;
        if error > check.worst || check.position.is_none() {
            (check.worst, check.position) = (error, Some(position.to_fen()));
        }
    }
    check
}
