//! The model with the maximum likelihood.

use super::outcomes::Outcomes;
use super::point::Point;
use bartizan_eval::WdlModel;

/// A fitted model and its likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WdlFit {
    /// The fitted model.
    pub model: WdlModel,
    /// The logarithm of the likelihood of all results, in nats.
    pub log_likelihood: f64,
    /// Number of steps.
    pub steps: usize,
    /// Whether the fit converged, so that a further step would gain nothing relevant.
    pub converged: bool,
}

/// Number of coefficients: those of `half_won`, then those of `spread`.
const SIZE: usize = 8;
/// Maximum number of steps. A distant start takes about ten.
const MOST_STEPS: usize = 500;
/// Negligible gain per position, in nats.
const NO_GAIN: f64 = 1e-12;

/// The logarithm of the likelihood of the results under a model, in nats.
pub fn log_likelihood(outcomes: &Outcomes, model: &WdlModel) -> f64 {
    let cells = outcomes.cells().map(|cell| {
        let (a, b) = (model.half_won(cell.material), model.spread(cell.material));
        let logs = Point::new(a, b, f64::from(cell.score)).logs;
        logs.iter().zip(cell.results).map(|(log, count)| if count > 0 { log * f64::from(count) } else { 0.0 }).sum()
    });
    cells.fold(0.0, |sum, cell: f64| sum + cell)
}

/// Finds the model with the maximum likelihood. `start` must be [sound](WdlModel::is_sound); the result is sound too.
///
/// The method is Fisher scoring (Fisher 1935): Newton's method with the expected second derivatives, which always gives
/// an ascent direction, with the damping of Levenberg (1944) and Marquardt (1963). A coefficient that does not affect
/// the results keeps its value.
pub fn fit_wdl(outcomes: &Outcomes, start: WdlModel) -> WdlFit {
    let negligible = NO_GAIN * outcomes.positions() as f64;
    let mut fit = WdlFit { model: start, log_likelihood: log_likelihood(outcomes, &start), steps: 0, converged: false };
    let mut damping = 1e-3;
    while fit.steps < MOST_STEPS && !fit.converged {
        fit.steps += 1;
        let slope = Slope::at(outcomes, &fit.model);
        let model = slope.step(damping).map(|step| moved(&fit.model, &step)).filter(WdlModel::is_sound);
        let better = model.map(|model| (model, log_likelihood(outcomes, &model)));
        match better.filter(|&(_, likelihood)| likelihood > fit.log_likelihood) {
            Some((model, likelihood)) => {
                fit.converged = likelihood - fit.log_likelihood <= negligible;
                (fit.model, fit.log_likelihood) = (model, likelihood);
                damping = f64::max(damping / 10.0, 1e-9);
            }
            // A step this short goes uphill, unless this is the maximum.
            None if damping > 1e9 => fit.converged = true,
            None => damping *= 10.0,
        }
    }
    fit
}

fn moved(model: &WdlModel, step: &[f64; SIZE]) -> WdlModel {
    let mut model = *model;
    for (number, step) in model.half_won.iter_mut().chain(&mut model.spread).zip(step) {
        *number += step;
    }
    model
}

/// The derivatives of the log-likelihood with respect to the model's coefficients.
struct Slope {
    gradient: [f64; SIZE],
    /// Fisher information.
    information: [[f64; SIZE]; SIZE],
}

impl Slope {
    fn at(outcomes: &Outcomes, model: &WdlModel) -> Self {
        let mut slope = Self { gradient: [0.0; SIZE], information: [[0.0; SIZE]; SIZE] };
        for cell in outcomes.cells() {
            let (a, b) = (model.half_won(cell.material), model.spread(cell.material));
            let point = Point::new(a, b, f64::from(cell.score));
            let positions = cell.positions() as f64;
            let x = cell.material.relative();
            let powers = [1.0, x, x * x, x * x * x];
            for result in 0..3 {
                let [by_a, by_b] = point.slopes[result];
                let by: [f64; SIZE] =
                    std::array::from_fn(|index| powers[index % 4] * if index < 4 { by_a } else { by_b });
                let (count, expected) = (f64::from(cell.results[result]), positions * point.logs[result].exp());
                for i in 0..SIZE {
                    slope.gradient[i] += count * by[i];
                    for j in 0..=i {
                        slope.information[i][j] += expected * by[i] * by[j];
                    }
                }
            }
        }
        slope
    }

    /// The ascent step, shorter with stronger damping. `None` if rounding errors make the matrix singular.
    fn step(&self, damping: f64) -> Option<[f64; SIZE]> {
        let mut matrix = self.information;
        let largest = (0..SIZE).map(|i| matrix[i][i]).fold(f64::MIN_POSITIVE, f64::max);
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = row[i] * (1.0 + damping) + 1e-14 * largest;
        }
        solve(matrix, self.gradient)
    }
}

/// Solves a symmetric positive definite system by Cholesky decomposition. Only the lower half of the matrix is read.
fn solve(mut matrix: [[f64; SIZE]; SIZE], mut right: [f64; SIZE]) -> Option<[f64; SIZE]> {
    for i in 0..SIZE {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            if i > j {
                matrix[i][j] = rest / matrix[j][j];
            } else if rest > 0.0 {
                matrix[i][i] = rest.sqrt();
            } else {
                return None;
            }
        }
        let sum: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..SIZE).rev() {
        let sum: f64 = (i + 1..SIZE).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right.iter().all(|number| number.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::MaterialCount;
    use bartizan_types::{Color, SplitMix64};

    const START: WdlModel = WdlModel { half_won: [190.0, 0.0, 0.0, 0.0], spread: [85.0, 0.0, 0.0, 0.0] };
    const TRUE: WdlModel = WdlModel { half_won: [60.0, 420.0, -310.0, 90.0], spread: [40.0, 110.0, -100.0, 30.0] };

    /// Random results according to a model.
    fn games(model: &WdlModel, positions: usize, seed: u64) -> Outcomes {
        let mut random = SplitMix64::new(seed);
        let mut outcomes = Outcomes::new(1_000);
        let materials: Vec<MaterialCount> = MaterialCount::all().collect();
        for _ in 0..positions {
            let material = materials[random.below(materials.len())];
            let score = random.below(1_200) as i32 - 600;
            let [win, draw, _] = model.chances(f64::from(score), material);
            let lot = random.unit_f64();
            let winner = match lot {
                _ if lot < win => Some(Color::White),
                _ if lot < win + draw => None,
                _ => Some(Color::Black),
            };
            outcomes.add(material, score, winner);
        }
        outcomes
    }

    #[test]
    fn the_true_model_is_found() {
        assert!(TRUE.is_sound());
        let outcomes = games(&TRUE, 400_000, 3);
        for start in [START, WdlModel { half_won: [1_500.0, 0.0, 0.0, 0.0], spread: [900.0, 0.0, 0.0, 0.0] }] {
            let fit = fit_wdl(&outcomes, start);
            assert!(fit.converged && fit.steps < 60, "{fit:?}");
            assert!(fit.log_likelihood >= log_likelihood(&outcomes, &TRUE), "{fit:?}");
            for material in MaterialCount::all() {
                let off = |found: f64, real: f64| (found / real - 1.0).abs();
                let (model, at) = (fit.model, material.points());
                assert!(off(model.half_won(material), TRUE.half_won(material)) < 0.04, "{at}: {fit:?}");
                assert!(off(model.spread(material), TRUE.spread(material)) < 0.04, "{at}: {fit:?}");
            }
        }
    }

    #[test]
    fn the_result_is_a_local_maximum() {
        let outcomes = games(&TRUE, 20_000, 4);
        let fit = fit_wdl(&outcomes, START);
        for index in 0..SIZE {
            for step in [-0.5, 0.5] {
                let mut by = [0.0; SIZE];
                by[index] = step;
                assert!(log_likelihood(&outcomes, &moved(&fit.model, &by)) < fit.log_likelihood, "{index} {step}");
            }
        }
    }

    /// One-sided, scarce and empty data give a sound model.
    #[test]
    fn degenerate_data_give_a_sound_model() {
        let mut won = Outcomes::new(500);
        let mut drawn = Outcomes::new(500);
        let mut single = Outcomes::new(500);
        single.add(MaterialCount::new(40), 120, Some(Color::White));
        for material in MaterialCount::all() {
            for score in (0..500).step_by(20) {
                won.add(material, score, Some(Color::White));
                drawn.add(material, score, None);
            }
        }
        for outcomes in [won, drawn, single, Outcomes::new(500), games(&TRUE, 30, 5)] {
            let fit = fit_wdl(&outcomes, START);
            assert!(fit.model.is_sound() && fit.log_likelihood >= log_likelihood(&outcomes, &START), "{fit:?}");
        }
        assert_eq!(fit_wdl(&Outcomes::new(9), START).model, START);
    }
}
