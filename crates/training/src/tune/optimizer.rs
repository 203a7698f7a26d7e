//! Gradient descent: Adam, AdaGrad, momentum.

use crate::tune::model::WeightPair;
use serde::{Deserialize, Serialize};

/// An optimisation method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// Adam (Kingma and Ba 2015): running means of the gradient and of its square.
    Adam,
    /// AdaGrad (Duchi, Hazan and Singer 2011): steps shrink with the sum of the squares.
    AdaGrad,
    /// Nesterov's momentum on the gradient divided by its running size. A weight whose gradient points against its
    /// momentum loses the momentum (adaptive restart, O'Donoghue and Candès 2015).
    Momentum,
}

impl Method {
    /// A suitable rate for the method, in centipawns.
    pub const fn usual_rate(self) -> f64 {
        match self {
            Self::Adam => 1.0,
            Self::AdaGrad => 8.0,
            Self::Momentum => 4.0,
        }
    }
}

/// A method and its state for each weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Optimizer {
    method: Method,
    steps: u64,
    /// Adam: mean gradient. Momentum: momentum. AdaGrad: unused.
    first: Vec<WeightPair>,
    /// Mean (AdaGrad: sum) of the squared gradient.
    second: Vec<WeightPair>,
}

/// Decay rates of Adam, as its paper recommends.
const FIRST_DECAY: f64 = 0.9;
const SECOND_DECAY: f64 = 0.999;
/// Share of the momentum kept per step: a memory of about 20 steps.
const MOMENTUM: f64 = 0.95;
/// Avoids division by zero. Far below relevant gradients: a weight used once in a batch has about 10⁻⁸.
const TINY: f64 = 1e-14;

impl Optimizer {
    /// An optimiser for this number of weights.
    pub(crate) fn new(method: Method, weights: usize) -> Self {
        Self { method, steps: 0, first: vec![[0.0; 2]; weights], second: vec![[0.0; 2]; weights] }
    }

    /// Whether the state has this number of weights, for a state read from a file.
    pub(crate) fn is_for(&self, weights: usize) -> bool {
        [self.first.len(), self.second.len()] == [weights; 2]
    }

    /// Whether the state has only finite numbers.
    pub(crate) fn is_finite(&self) -> bool {
        self.first.iter().chain(&self.second).flatten().all(|number| number.is_finite())
    }

    /// Moves the weights against the gradient. `rate` is about the largest step of a weight, in the unit of the weight.
    /// A weight whose gradient has always been zero does not move.
    pub(crate) fn step(&mut self, weights: &mut [WeightPair], gradient: &[WeightPair], rate: f64) {
        self.steps += 1;
        let steps = self.steps.min(i32::MAX as u64) as i32;
        let (first_share, second_share) = (1.0 - FIRST_DECAY.powi(steps), 1.0 - SECOND_DECAY.powi(steps));
        let memories = self.first.iter_mut().zip(&mut self.second);
        for ((weight, slope), (first, second)) in weights.iter_mut().zip(gradient).zip(memories) {
            for half in 0..2 {
                let (g, m, v) = (slope[half], &mut first[half], &mut second[half]);
                let step = match self.method {
                    Method::Adam => {
                        *m += (1.0 - FIRST_DECAY) * (g - *m);
                        *v += (1.0 - SECOND_DECAY) * (g * g - *v);
                        (*m / first_share) / ((*v / second_share).sqrt() + TINY)
                    }
                    Method::AdaGrad => {
                        *v += g * g;
                        g / (v.sqrt() + TINY)
                    }
                    Method::Momentum => {
                        *v += (1.0 - SECOND_DECAY) * (g * g - *v);
                        let size = (*v / second_share).sqrt() + TINY;
                        let direction = g / size;
                        *m = if *m * g < 0.0 { direction } else { MOMENTUM * *m + direction };
                        (1.0 - MOMENTUM) * (direction + MOMENTUM * *m)
                    }
                };
                weight[half] -= rate * step;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A narrow valley: the second derivative is a hundredth of the first.
    #[test]
    fn each_method_finds_the_minimum() {
        for (method, rate) in [(Method::Adam, 1.0), (Method::AdaGrad, 10.0), (Method::Momentum, 1.0)] {
            let mut optimizer = Optimizer::new(method, 2);
            let mut weights = [[40.0, -30.0], [7.0, 7.0]];
            for step in 0..3_000 {
                let [[a, b], _] = weights;
                let gradient = [[1e-6 * (a - 3.0), 1e-8 * (b - 5.0)], [0.0; 2]];
                optimizer.step(&mut weights, &gradient, rate * 0.5_f64.powi(step / 300));
            }
            let [[a, b], unseen] = weights;
            assert!((a - 3.0).abs() < 0.05 && (b - 5.0).abs() < 0.05, "{method:?}: {a} {b}");
            assert_eq!(unseen, [7.0; 2], "no slope, no step");
        }
    }
}
