//! Measures how far values are from the scores of deep searches.

use super::Forecast;
use crate::train::PHASES;
use serde::Serialize;

/// The value of a position, the score of a search, both for the side to move in centipawns, and the number of men.
#[derive(Clone, Copy, Debug)]
pub struct ValueScorePair {
    /// The value.
    pub value: i32,
    /// The score.
    pub score: i32,
    /// Men on the board.
    pub men: usize,
}

/// A mean with half the width of its 95 % interval, assuming a normal distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub margin: f64,
}

/// The mean squared difference between the expected points of values and of scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The centipawns of a value that equal one unit of the logistic curve, chosen to minimise the difference.
    pub unit: f64,
    /// The difference.
    pub error: Mean,
    /// The mean of each phase, in the order of [`PHASES`]; `None` for a phase without positions.
    pub phases: [Option<Mean>; PHASES.len()],
}

/// Compares values with scores; `unit` centipawns of a score equal one unit of the logistic curve.
pub fn agreement(pairs: &[ValueScorePair], unit: f64) -> Agreement {
    let score = |pair: &ValueScorePair| points(pair.score, unit);
    let mut forecast = Forecast::default();
    pairs.iter().for_each(|pair| forecast.add(pair.value, score(pair) as f32));
    let unit = forecast.best_unit();
    let phase_of = |men: usize| PHASES.iter().position(|&(_, least)| men >= least).unwrap_or(0);
    let mut squares: [Vec<f64>; PHASES.len()] = Default::default();
    for pair in pairs {
        squares[phase_of(pair.men)].push((points(pair.value, unit) - score(pair)).powi(2));
    }
    let phases = squares.each_ref().map(|squares| (!squares.is_empty()).then(|| mean(squares)));
    Agreement { unit, error: mean(&squares.concat()), phases }
}

/// The points that centipawns are worth.
fn points(centipawns: i32, unit: f64) -> f64 {
    1.0 / (1.0 + (-f64::from(centipawns) / unit).exp())
}

fn mean(numbers: &[f64]) -> Mean {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count;
    Mean { mean, margin: 1.96 * (variance / count).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values on another scale agree perfectly, and noise is measured.
    #[test]
    fn the_scale_does_not_count() {
        let pairs = |noise: i32| -> Vec<ValueScorePair> {
            let of = |i: i32| {
                let (score, men) = (i * 7 % 800 - 400, if i % 2 == 0 { 30 } else { 5 });
                let noise = if men > 5 { 0 } else { noise * (i / 2 % 2 * 2 - 1) };
                ValueScorePair { value: score / 2 + noise, score, men }
            };
            (0..4_000).map(of).collect()
        };
        let Agreement { unit, error, phases } = agreement(&pairs(0), 200.0);
        assert!((unit - 100.0).abs() < 1.0 && error.mean < 1e-5, "{unit} {error:?}");
        assert!(phases[0].is_some() && phases[1].is_none() && phases[2].is_some());
        let Agreement { error, phases, .. } = agreement(&pairs(60), 200.0);
        let [opening, _, endgame] = phases;
        assert!(opening.unwrap().mean * 5.0 < endgame.unwrap().mean, "{phases:?}");
        assert!((opening.unwrap().mean + endgame.unwrap().mean - 2.0 * error.mean).abs() < 1e-9);
        assert!(error.margin > 0.0 && error.margin < error.mean);
    }
}
