//! The result of a fit: numbers to keep, and a text to read.

use super::table::{MATERIALS, SCORES, Table};
use super::{Bucket, Data, Outcomes, WdlDataCounts, WdlSettings, by_material, by_score, fit_wdl, log_likelihood};
use bartizan_eval::{MaterialCount, WdlModel};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// The start of the fit: a guess from before the first fit.
const GUESSED: WdlModel = WdlModel { half_won: [190.0, 0.0, 0.0, 0.0], spread: [85.0, 0.0, 0.0, 0.0] };

/// A model cannot be fitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// One of the results never occurs.
    #[error(
        "cannot fit: the side ahead won {won}, drew {drawn} and lost {lost} of the selected positions, and each must \
         occur"
    )]
    Missing {
        /// Positions that the side ahead won.
        won: u64,
        /// Positions that it drew.
        drawn: u64,
        /// Positions that it lost.
        lost: u64,
    },
    /// The fit does not converge.
    #[error("the fit did not converge in {0} steps")]
    NotConverged(usize),
}

/// The coefficients of a model, the constant one first.
#[derive(Clone, Copy, Debug, Serialize)]
struct Numbers {
    half_won: [f64; 4],
    spread: [f64; 4],
}

/// Mean log-likelihood of the result of a position, in nats.
#[derive(Clone, Copy, Debug, Serialize)]
struct Likelihood {
    guessed: f64,
    /// With the built-in model.
    built_in: f64,
    fitted: f64,
    /// Each half of the games, with the model fitted to the other half.
    other_half: f64,
}

/// Both functions of the model at one material.
#[derive(Clone, Copy, Debug, Serialize)]
struct At {
    material: u32,
    half_won: f64,
    spread: f64,
    /// The same, fitted to each half of the games alone.
    half_won_of_halves: [f64; 2],
}

/// A material with fewer positions is reported as scarce.
const LEAST: u64 = 1_000;

/// A fitted model, and how well it describes the results.
#[derive(Clone, Debug, Serialize)]
pub struct WdlSummary {
    model: Numbers,
    files: Vec<String>,
    settings: WdlSettings,
    counts: WdlDataCounts,
    /// Number of positions that the model was fitted to; the likelihoods are over these.
    fitted_positions: u64,
    /// Materials with fewer than 1,000 positions.
    scarce: Vec<u32>,
    steps: usize,
    log_likelihood: Likelihood,
    at: Vec<At>,
    by_score: Vec<Bucket>,
    by_material: Vec<Bucket>,
}

impl WdlSummary {
    /// Fits the model to the results of these files.
    ///
    /// # Errors
    /// [`FitError`] if the results do not determine a model.
    pub fn fit(files: &[PathBuf], data: &Data, settings: WdlSettings) -> Result<Self, FitError> {
        let fitted = data.all.within(settings.max_score);
        let [won, drawn, lost] = fitted.results();
        if won == 0 || drawn == 0 || lost == 0 {
            return Err(FitError::Missing { won, drawn, lost });
        }
        let fit = fit_wdl(&fitted, GUESSED);
        if !fit.converged {
            return Err(FitError::NotConverged(fit.steps));
        }
        let model = fit.model.rounded();
        let parts = data.halves.each_ref().map(|half| half.within(settings.max_score));
        let halves = parts.each_ref().map(|part| fit_wdl(part, GUESSED).model);
        let mean = |outcomes: &Outcomes, model: &WdlModel| {
            log_likelihood(outcomes, model) / (outcomes.positions() as f64).max(1.0)
        };
        let crossed = log_likelihood(&parts[0], &halves[1]) + log_likelihood(&parts[1], &halves[0]);
        let all = &data.all;
        let name = |file: &PathBuf| file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let at = |points: u32| {
            let material = MaterialCount::new(points);
            At {
                material: points,
                half_won: tenths(model.half_won(material)),
                spread: tenths(model.spread(material)),
                half_won_of_halves: halves.map(|half| tenths(half.half_won(material))),
            }
        };
        Ok(Self {
            model: Numbers { half_won: model.half_won, spread: model.spread },
            files: files.iter().map(name).collect(),
            settings,
            counts: data.counts.clone(),
            fitted_positions: fitted.positions(),
            scarce: fitted.scarce(LEAST).into_iter().map(MaterialCount::points).collect(),
            steps: fit.steps,
            log_likelihood: Likelihood {
                guessed: rounded(mean(&fitted, &GUESSED)),
                built_in: rounded(mean(&fitted, &WdlModel::FITTED)),
                fitted: rounded(mean(&fitted, &model)),
                other_half: rounded(crossed / (fitted.positions() as f64).max(1.0)),
            },
            at: [17, 24, 32, 40, 48, 58, 68, 78].map(at).to_vec(),
            by_score: by_score(all, &model, &SCORES),
            by_material: by_material(all, &model, &MATERIALS),
        })
    }

    /// The model, rounded as in the files.
    pub fn model(&self) -> WdlModel {
        WdlModel { half_won: self.model.half_won, spread: self.model.spread }
    }
}

fn tenths(number: f64) -> f64 {
    (10.0 * number).round() / 10.0
}

fn rounded(likelihood: f64) -> f64 {
    (1e6 * likelihood).round() / 1e6
}

/// Ascending numbers as text, such as `17, 20 to 24`.
fn ranges(numbers: &[u32]) -> String {
    let ranges = numbers.chunk_by(|one, next| one + 1 == *next).filter_map(|range| match range {
        [single] => Some(single.to_string()),
        [first, .., last] => Some(format!("{first} to {last}")),
        [] => None,
    });
    ranges.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for WdlSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (counts, likelihood) = (&self.counts, self.log_likelihood);
        let [white, drawn, black] = counts.results;
        writeln!(
            f,
            "{} games, White +{white} ={drawn} -{black}; {} positions, {} of them fitted; {} skipped for a large score",
            counts.games, counts.positions, self.fitted_positions, counts.decided
        )?;
        if counts.left_out > 0 || counts.broken > 0 {
            writeln!(
                f,
                "skipped: {} records without a finished game, {} broken records",
                counts.left_out, counts.broken
            )?;
        }
        if !self.scarce.is_empty() {
            writeln!(f, "fewer than {LEAST} positions for material {}", ranges(&self.scarce))?;
        }
        writeln!(f, "\nhalf won  {:?}\nspread    {:?}", self.model.half_won, self.model.spread)?;
        writeln!(
            f,
            "\nmean log-likelihood: guess {:.6}, built in {:.6}, fitted {:.6}, cross-validated {:.6}\n",
            likelihood.guessed, likelihood.built_in, likelihood.fitted, likelihood.other_half
        )?;
        writeln!(f, "{:>11}  {:>9}  {:>9}  {:>18}", "material", "half won", "spread", "half won of halves")?;
        for at in &self.at {
            let [one, other] = at.half_won_of_halves;
            writeln!(f, "{:>11}  {:>9.1}  {:>9.1}  {one:>8.1}, {other:>8.1}", at.material, at.half_won, at.spread)?;
        }
        write!(f, "\n{}", Table("shown cp", &self.by_score))?;
        write!(f, "\n{}", Table("material", &self.by_material))?;
        let worst = self.by_score.iter().chain(&self.by_material).map(Bucket::error).fold(0.0, f64::max);
        writeln!(f, "\nlargest difference: {:.2} %", 100.0 * worst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_become_ranges() {
        assert_eq!(ranges(&[17, 20, 21, 22, 40]), "17, 20 to 22, 40");
        assert_eq!(ranges(&[]), "");
    }
}
