//! Tunes numeric options of an engine by games, with simultaneous perturbation stochastic approximation (Spall 1992;
//! for chess engines Kocsis and Szepesvári 2006, and Kiiski's tuner for Stockfish).
//!
//! In each pair of games every parameter is raised for one engine and lowered for the other, in a random direction. The
//! values then move slightly towards those of the engine that scored more. One pair is little evidence about any single
//! parameter, but it is evidence about all of them at once, and the noise averages out over many thousand pairs. The
//! moves shrink during the tuning, with the gains for which Spall proves convergence.
//!
//! ```no_run
//! use bartizan_match::spsa::{SpsaJournal, Parameter, SpsaSettings};
//! use bartizan_match::{PairedSettings, StopFlag};
//! use std::path::Path;
//!
//! let setup = SpsaSettings {
//!     paired: PairedSettings::new("cmd=./engine nodes=20000", "openings.epd"),
//!     parameters: Parameter::list("lmp_base | 5 | 0 | 10 | 0.8")?,
//!     pairs: 20_000,
//!     batch: 16,
//!     rate: 0.002,
//!     openings_sha256: None,
//! };
//! setup.check_engine(&StopFlag::new())?;
//! let mut journal = SpsaJournal::create(Path::new("spsa.jsonl"), setup, 4)?;
//! journal.play(4, &StopFlag::new(), |_| {})?;
//! println!("{:?}", journal.values());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod games;
mod journal;
mod parameters;

pub use journal::{SpsaJournal, SpsaSettings, SpsaStep};
pub use parameters::Parameter;

use crate::MatchEvent as GamesEvent;
use crate::error::MatchError;
use crate::paired::{EngineOptions, shown};
use crate::play::{Match, MatchEnd};
use crate::settings::MatchSettings;
use bartizan_client::{ClientError, EngineProblem, EngineSpec, OptionKind};
use bartizan_files::journal::JournalError;
use bartizan_parallel::StopFlag;
use bartizan_types::Escaped;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// Spall's exponent of the gain.
const ALPHA: f64 = 0.602;

/// Spall's exponent of the perturbation.
const GAMMA: f64 = 0.101;

/// Damping of the first gains, as a share of all pairs.
const DAMPING: f64 = 0.1;

/// Why a tuning run cannot begin or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpsaError {
    /// The games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The engine cannot play.
    #[error(transparent)]
    Engine(#[from] EngineProblem),
    /// A parameter is an option of the engine, but not a number.
    #[error("the option '{}' is not a number", shown(.0))]
    NotANumber(String),
    /// The engine rejects some value of a parameter.
    #[error(transparent)]
    Value(ClientError),
    /// The openings have changed since the tuning began.
    #[error("the contents of the openings '{}' have changed", Escaped(.0.display()))]
    OpeningsChanged(PathBuf),
    /// The journal was opened read-only.
    #[error("the journal is read-only")]
    ReadOnly,
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal of a finished step cannot be removed.
    #[error("cannot remove '{}'", Escaped(path.display()))]
    Remove {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Events of a running tuning.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SpsaEvent<'a> {
    /// An event in the games of a step.
    Games {
        /// The match of the step.
        settings: &'a MatchSettings,
        /// The event.
        event: GamesEvent<'a>,
    },
    /// A step has ended, and the values have moved.
    Step(&'a SpsaJournal),
}

impl SpsaSettings {
    /// Checks that the openings have not changed since the tuning began, as far as the journal knows them.
    ///
    /// # Errors
    /// [`SpsaError::OpeningsChanged`]; [`MatchError::Openings`] if the openings cannot be read.
    pub fn check_openings(&self) -> Result<(), SpsaError> {
        match &self.openings_sha256 {
            Some(stored) if self.paired.openings_sha256()? != *stored => {
                Err(SpsaError::OpeningsChanged(self.paired.openings.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Starts the engine, which must accept every value that may be tried, because tuning cannot continue from a
    /// rejected one.
    ///
    /// # Errors
    /// [`SpsaError::NotANumber`] and [`SpsaError::Value`]; [`MatchError::Engine`] if the engine does not start, with
    /// [`ClientError::Cancelled`] after a stop.
    pub fn check_engine(&self, stop: &StopFlag) -> Result<(), SpsaError> {
        let engine: EngineSpec = self.paired.engine.parse().map_err(MatchError::from)?;
        let mut engine = engine.client_config(false)?.cancel(stop.flag()).start().map_err(MatchError::from)?;
        for Parameter { name, min, max, .. } in &self.parameters {
            let is_number = match engine.option(name).map(|option| &option.kind) {
                Some(kind) => matches!(kind, OptionKind::Spin { .. } | OptionKind::String { .. }),
                // An xboard command may stand for it.
                None => true,
            };
            if !is_number {
                return Err(SpsaError::NotANumber(name.clone()));
            }
            [min, max].into_iter().try_for_each(|value| engine.set_option(name, value)).map_err(SpsaError::Value)?;
        }
        Ok(())
    }

    /// The match of a step.
    fn settings(&self, trials: &[Trial], begin: u32, concurrency: usize) -> Result<MatchSettings, MatchError> {
        let options = |values: &[i64]| -> EngineOptions {
            let named = self.parameters.iter().zip(values);
            named.map(|(parameter, value)| (parameter.name.clone(), value.to_string())).collect()
        };
        let pairs = trials.iter().map(|trial| [options(&trial.options[0]), options(&trial.options[1])]);
        self.paired.settings(games::EVENT, begin as usize, pairs, concurrency)
    }
}

impl SpsaJournal {
    /// Plays the remaining games, with this number of concurrent games. Returns whether the tuning is complete, which
    /// it is not if it was stopped. Deletes leftovers of killed runs beside the journal. If a new run fails before
    /// its first game, its file is deleted too.
    ///
    /// # Errors
    /// Those of [`Match::run`]; [`SpsaError::Journal`], [`SpsaError::ReadOnly`] and [`SpsaError::Remove`].
    pub fn play(
        &mut self,
        concurrency: usize,
        stop: &StopFlag,
        on_event: impl FnMut(SpsaEvent<'_>),
    ) -> Result<bool, SpsaError> {
        games::clear(&self.path, self.pairs(), self.is_new);
        let played = self.play_steps(concurrency, stop, on_event);
        if played.is_err() && self.is_new && self.steps.is_empty() && !self.games(0).exists() {
            // It is empty, and would block the next attempt.
            let _ = std::fs::remove_file(&self.path);
        }
        played
    }

    fn play_steps(
        &mut self,
        concurrency: usize,
        stop: &StopFlag,
        mut on_event: impl FnMut(SpsaEvent<'_>),
    ) -> Result<bool, SpsaError> {
        let total = self.setup.pairs;
        while self.pairs() < total {
            let begin = self.pairs();
            let values = self.values();
            let pairs = begin..total.min(begin + self.setup.batch);
            let trials: Vec<Trial> = pairs.map(|pair| Trial::new(&self.setup, &values, pair)).collect();
            let settings = self.setup.settings(&trials, begin, concurrency)?;
            // Games of this step that an earlier run finished count.
            let games = self.games(begin);
            let step = Match::from(settings.clone()).stop_by(stop.clone());
            let step = if games.exists() { step.resume(&games) } else { step.journal(&games) };
            let outcome = step.run(|event| on_event(SpsaEvent::Games { settings: &settings, event }))?;
            if outcome.end != MatchEnd::Complete {
                if outcome.standing.games == 0 {
                    // There is nothing to continue from. If it cannot be deleted, the next run clears it.
                    let _ = std::fs::remove_file(&games);
                }
                return Ok(false);
            }
            let history = crate::journal::read(&games)?;
            // Points won minus points lost in each pair, for its first engine.
            let mut points = vec![-2.0; trials.len()];
            for game in &history.games {
                points[game.pair] += game.half_points(2 * game.pair) as f64;
            }
            let values = moved(&self.setup, &values, begin, &trials, &points);
            self.add(SpsaStep { pairs: begin + trials.len() as u32, values })?;
            std::fs::remove_file(&games).map_err(|source| SpsaError::Remove { path: games, source })?;
            on_event(SpsaEvent::Step(self));
        }
        Ok(true)
    }

    /// The parameters with their current values.
    pub fn tuned(&self) -> Vec<TunedValue> {
        let value = |(parameter, exact): (&Parameter, f64)| TunedValue {
            name: parameter.name.clone(),
            start: parameter.start,
            value: exact.round() as i64,
            exact,
            moved: (exact - parameter.start as f64) / parameter.step,
        };
        self.setup.parameters.iter().zip(self.values()).map(value).collect()
    }
}

/// The current value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedValue {
    /// The option.
    pub name: String,
    /// The initial value.
    pub start: i64,
    /// The exact value, rounded.
    pub value: i64,
    /// The exact value.
    pub exact: f64,
    /// Distance from the start, in units of its step.
    pub moved: f64,
}

/// The distance of the values tried in a pair of games. The first pair has number 0.
fn perturbation(setup: &SpsaSettings, parameter: &Parameter, pair: u32) -> f64 {
    parameter.step * (f64::from(setup.pairs) / f64::from(pair + 1)).powf(GAMMA)
}

/// The change of the value per point in a pair of games.
fn gain(setup: &SpsaSettings, parameter: &Parameter, pair: u32) -> f64 {
    let total = f64::from(setup.pairs);
    let damping = DAMPING * total;
    let growth = ((damping + total) / (damping + f64::from(pair + 1))).powf(ALPHA);
    // The step squared over the perturbation: in the last pair both are equal.
    parameter.rate.unwrap_or(setup.rate) * parameter.step * parameter.step * growth
        / perturbation(setup, parameter, pair)
}

/// The values tried in a pair of games.
struct Trial {
    /// 1 for each parameter whose value is higher for the first engine, −1 otherwise.
    signs: Vec<f64>,
    /// The values of the two engines.
    options: [Vec<i64>; 2],
}

impl Trial {
    fn new(setup: &SpsaSettings, values: &[f64], pair: u32) -> Self {
        let mut random = setup.paired.random(u64::from(pair));
        let mut trial = Self { signs: Vec::new(), options: [Vec::new(), Vec::new()] };
        for (parameter, value) in setup.parameters.iter().zip(values) {
            let sign = if random.below(2) == 1 { 1.0 } else { -1.0 };
            let distance = perturbation(setup, parameter, pair);
            for (options, direction) in trial.options.iter_mut().zip([sign, -sign]) {
                let wanted = (value + direction * distance).clamp(parameter.min as f64, parameter.max as f64);
                // Rounds up or down at random, so that changes smaller than 1 have an effect.
                let whole = (wanted + random.unit_f64()).floor() as i64;
                options.push(whole.clamp(parameter.min, parameter.max));
            }
            trial.signs.push(sign);
        }
        trial
    }
}

/// The values after some pairs of games that began at `values`. `points` are games won minus games lost by the first
/// engine of each pair.
fn moved(setup: &SpsaSettings, values: &[f64], begin: u32, trials: &[Trial], points: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    for (index, (trial, points)) in trials.iter().zip(points).enumerate() {
        for ((value, parameter), sign) in values.iter_mut().zip(&setup.parameters).zip(&trial.signs) {
            let gain = gain(setup, parameter, begin + index as u32);
            *value = (*value + gain * sign * points).clamp(parameter.min as f64, parameter.max as f64);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paired::PairedSettings;

    fn setup(pairs: u32) -> SpsaSettings {
        let parameter =
            |name: &str, start, step| Parameter { name: name.to_owned(), start, min: 0, max: 200, step, rate: None };
        SpsaSettings {
            paired: PairedSettings { seed: 7, ..PairedSettings::new("cmd=engine option.Hash=8 nodes=100", "") },
            parameters: vec![parameter("low", 40, 10.0), parameter("high", 160, 10.0), parameter("idle", 100, 10.0)],
            pairs,
            batch: 8,
            rate: 0.02,
            openings_sha256: None,
        }
    }

    /// An engine that is best with both parameters at 100 and loses strength with the square of the distance.
    #[test]
    fn climbs_a_hill() {
        let setup = setup(20_000);
        let strength = |options: &[i64]| -> f64 {
            options[..2].iter().map(|&value| -((value - 100) as f64 / 10.0).powi(2) * 4.0).sum()
        };
        let mut random = PairedSettings { seed: 3, ..setup.paired.clone() }.random(3);
        let mut values: Vec<f64> = setup.parameters.iter().map(|parameter| parameter.start as f64).collect();
        for begin in (0..setup.pairs).step_by(setup.batch as usize) {
            let trials: Vec<Trial> =
                (begin..begin + setup.batch).map(|pair| Trial::new(&setup, &values, pair)).collect();
            let points: Vec<f64> = trials
                .iter()
                .map(|trial| {
                    let lead = strength(&trial.options[0]) - strength(&trial.options[1]);
                    let expected = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
                    (0..2).map(|_| if random.unit_f64() < expected { 1.0 } else { -1.0 }).sum()
                })
                .collect();
            values = moved(&setup, &values, begin, &trials, &points);
        }
        assert!(values[..2].iter().all(|value| (value - 100.0).abs() < 15.0), "{values:?}");
        // A parameter without effect performs a random walk within its range.
        assert!((0.0..=200.0).contains(&values[2]), "{values:?}");
    }

    #[test]
    fn trials_are_symmetric_in_range_and_reproducible() {
        let setup = setup(1_000);
        for pair in [0, 1, 500, 999] {
            let values = [40.0, 199.5, 100.25];
            let trial = Trial::new(&setup, &values, pair);
            assert_eq!(trial.options, Trial::new(&setup, &values, pair).options);
            let distance = perturbation(&setup, &setup.parameters[0], pair);
            assert!((10.0..=21.0).contains(&distance), "{distance}");
            for (index, parameter) in setup.parameters.iter().enumerate() {
                let [a, b] = [trial.options[0][index], trial.options[1][index]];
                assert!([a, b].iter().all(|value| (parameter.min..=parameter.max).contains(value)));
                assert_eq!(a > b, trial.signs[index] > 0.0);
            }
            assert!((trial.options[0][0] + trial.options[1][0] - 80).abs() <= 1);
        }
    }

    #[test]
    fn the_last_gain_is_the_rate() {
        let setup = setup(1_000);
        let parameter = &setup.parameters[0];
        assert!((gain(&setup, parameter, 999) - setup.rate * parameter.step).abs() < 1e-9);
        assert!(gain(&setup, parameter, 0) > 1.5 * gain(&setup, parameter, 999));
        let other = Parameter { rate: Some(0.5), ..parameter.clone() };
        assert!((gain(&setup, &other, 999) - 0.5 * parameter.step).abs() < 1e-9);
    }
}
