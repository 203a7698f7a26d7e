//! `spsa`: tunes numeric options of an engine by games, with simultaneous perturbation stochastic approximation (Spall
//! 1992; for chess engines Kocsis and Szepesvári 2006, and Kiiski's tuner for Stockfish).
//!
//! In each pair of games every parameter is raised for one engine and lowered for the other; the direction is random.
//! The values then move a little towards those of the engine that scored more. One pair is little evidence about any
//! single parameter, but it is evidence about all of them at once, and the noise averages out over many thousand pairs.
//! The moves shrink during the tuning, with the gains for which Spall proves convergence.

mod course;
mod games;
mod parameters;

use crate::files::shown;
use crate::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use crate::matches::{Detail, run_with_progress, with_hint};
use crate::output::say;
use crate::paired::{Options, Paired, PairedArgs, Task};
use crate::progress;
use crate::random;
use crate::resume::{Comparison, cannot};
use anyhow::{Context, bail, ensure};
use bartizan_client::{ClientError, OptionKind};
use bartizan_match::{End, EngineSpec, Match, Settings, journal};
use course::{Course, Setup, Step};
use parameters::Parameter;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
A parameter file has a line for each parameter: OPTION | START | MIN | MAX | STEP.
STEP is the distance from the value that the last games try. The engine must take every whole number from MIN to MAX.
  # name            | start | min | max | step
  aspiration_window |    12 |   5 | 100 |    3
  lmp_base          |     5 |   0 |  10 |  0.8
The search of Bartizan has these options in a build with --features tuning. `bartizan spsa` prints them as input of
OpenBench, which is accepted as well: OPTION, int, START, MIN, MAX, STEP, RATE.

Example:
  bartizan-tools spsa parameters.txt --engine \"cmd=./engine nodes=20000\" \\
      --openings openings.epd --pairs 20000 --concurrency 4 --journal spsa.jsonl
  bartizan-tools spsa --resume spsa.jsonl";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Parameters to tune, see below
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    parameters: Option<PathBuf>,
    /// Pairs of games of the whole tuning [default: 10000]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: Option<u32>,
    /// Pairs of games between two changes of the values [default: 16]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: Option<u32>,
    /// Change of a value for each point in the last games, in units of its step, unless the file gives it [default:
    /// 0.002]
    #[arg(long, value_name = "RATE")]
    rate: Option<f64>,
    #[command(flatten)]
    paired: PairedArgs,
}

/// Spall's exponent of the gain.
const ALPHA: f64 = 0.602;

/// Spall's exponent of the perturbation.
const GAMMA: f64 = 0.101;

/// Damping of the first gains, as a share of all pairs.
const DAMPING: f64 = 0.1;

/// Runs the command.
///
/// # Errors
/// When the options, the engine or the files cannot be used. Everything that can be checked is checked before the first
/// game.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (task, journal) = args.paired.task()?;
    let mut course = match task {
        Task::Begin => {
            let setup = args.given()?;
            let parameters = args.parameters.as_deref().unwrap_or(Path::new(""));
            let cannot = || format!("invalid parameters '{}'", parameters.display());
            check_ranges(&setup, interrupt, cannot)?;
            let concurrency = args.paired.concurrency.unwrap_or(1);
            Course::create(journal, setup, concurrency).map_err(|error| with_hint(error.into()))?
        }
        Task::Resume | Task::Report => {
            let open = if task == Task::Resume { Course::resume } else { Course::read };
            let verb = if task == Task::Resume { "resume" } else { "report" };
            let mut course = open(journal).map_err(|error| cannot(verb, journal, &error))?;
            let cannot = || format!("cannot {verb} '{}'", journal.display());
            course.setup.paired = args.compare(&course.setup).with_context(cannot)?;
            if task == Task::Resume {
                check_openings(&course.setup).with_context(cannot)?;
                if course.pairs() < course.setup.pairs {
                    check_ranges(&course.setup, interrupt, cannot)?;
                }
            }
            course
        }
    };
    let complete = task == Task::Report || {
        games::clear(journal, course.pairs(), task == Task::Begin);
        let played = play(args, &mut course, interrupt);
        if played.is_err() && task == Task::Begin && course.steps.is_empty() && !course.games(0).exists() {
            // It has nothing, and would be in the way of the next attempt.
            let _ = std::fs::remove_file(journal);
        }
        played?
    };
    let values = values(&course);
    if args.paired.json {
        say!("{}", serde_json::to_string_pretty(&values)?)?;
    } else {
        print(&values, course.setup.pairs)?;
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

impl Args {
    /// The setup of the command line.
    fn given(&self) -> anyhow::Result<Setup> {
        let rate = self.rate.unwrap_or(0.002);
        ensure!(rate > 0.0 && rate <= 1.0, "--rate {rate} is out of range (above 0, at most 1)");
        let paired = self.paired.given()?;
        Ok(Setup {
            openings_sha256: Some(paired.openings_sha256()?),
            paired,
            parameters: parameters::read(self.parameters.as_deref().context("the file of parameters is missing")?)?,
            pairs: self.pairs.unwrap_or(10_000),
            batch: self.batch.unwrap_or(16),
            rate,
        })
    }

    /// Compares what is given with the setup of a course.
    /// Returns the settings of its games, in which the time for answers may be another one.
    fn compare(&self, stored: &Setup) -> anyhow::Result<Paired> {
        let mut compared = Comparison::with("file");
        if let Some(file) = &self.parameters
            && parameters::read(file)? != stored.parameters
        {
            compared.add(format!("other parameters in '{}'", file.display()));
        }
        let paired = self.paired.stored(stored.paired.clone(), &mut compared)?;
        compared.stored("--pairs", self.pairs, stored.pairs);
        compared.stored("--batch", self.batch, stored.batch);
        compared.stored("--rate", self.rate, stored.rate);
        compared.finish()?;
        Ok(paired)
    }
}

/// Checks that the openings are those that the tuning began with, as far as its journal knows them.
fn check_openings(setup: &Setup) -> anyhow::Result<()> {
    if let Some(stored) = &setup.openings_sha256 {
        let file = setup.paired.openings.display();
        ensure!(setup.paired.openings_sha256()? == *stored, "the contents of the openings '{file}' have changed");
    }
    Ok(())
}

/// Starts the engine, which must take every value that may be tried: a run that comes to another one cannot continue.
fn check_ranges(setup: &Setup, interrupt: &Interrupt, context: impl Fn() -> String) -> anyhow::Result<()> {
    let engine: EngineSpec = setup.paired.engine.parse()?;
    let started = engine.client_config(false)?.cancel(interrupt.flag()).start();
    if let Err(ClientError::Cancelled { .. }) = started {
        bail!(Interrupted("before the first game".to_owned()));
    }
    let mut engine = started.map_err(|error| with_hint(error.into()))?;
    for Parameter { name, min, max, .. } in &setup.parameters {
        let is_number = match engine.option(name).map(|option| &option.kind) {
            Some(kind) => matches!(kind, OptionKind::Spin { .. } | OptionKind::String { .. }),
            // A command of xboard may stand for it.
            None => true,
        };
        ensure!(is_number, "{}: the option '{}' is not a number", context(), shown(name));
        for value in [min, max] {
            engine.set_option(name, value).with_context(&context)?;
        }
    }
    Ok(())
}

/// Plays the games that are left. Returns whether the tuning is complete.
fn play(args: &Args, course: &mut Course, interrupt: &Interrupt) -> anyhow::Result<bool> {
    let total = course.setup.pairs;
    let concurrency = args.paired.concurrency.unwrap_or(course.concurrency);
    let style = "{pos}/{len} pairs  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(u64::from(total), style, args.paired.json)?;
    bar.set_position(u64::from(course.pairs()));
    bar.reset_eta();
    while course.pairs() < total {
        let begin = course.pairs();
        let values = course.values();
        let trials: Vec<Trial> = (begin..total.min(begin + course.setup.batch))
            .map(|pair| Trial::new(&course.setup, &values, pair))
            .collect();
        let settings = settings(&course.setup, &trials, begin, concurrency)?;
        // Games of this step that an earlier run finished count.
        let games = course.games(begin);
        let step = Match::from(settings.clone()).stop_by(interrupt.stop());
        let step = if games.exists() { step.resume(&games) } else { step.journal(&games) };
        let outcome = run_with_progress(step, &settings, Detail::Nothing)?;
        if outcome.end != End::Complete {
            bar.finish_and_clear();
            if outcome.standing.games == 0 {
                // It has nothing to continue from. If it stays, the next run clears it.
                let _ = std::fs::remove_file(&games);
            }
            return Ok(false);
        }
        let history = journal::read(&games)?;
        // Points won less points lost of each pair, for its first engine.
        let mut points = vec![-2.0; trials.len()];
        for game in &history.games {
            points[game.pair] += game.half_points(2 * game.pair) as f64;
        }
        let values = moved(&course.setup, &values, begin, &trials, &points);
        bar.set_message(farthest(&course.setup.parameters, &values));
        course.add(Step { pairs: begin + trials.len() as u32, values })?;
        std::fs::remove_file(&games).with_context(|| format!("cannot remove '{}'", games.display()))?;
        bar.set_position(u64::from(course.pairs()));
    }
    bar.finish_and_clear();
    Ok(true)
}

/// The parameter that has moved most, for the progress bar.
fn farthest(parameters: &[Parameter], values: &[f64]) -> String {
    let distance = |(parameter, value): &(&Parameter, &f64)| (*value - parameter.start as f64).abs() / parameter.step;
    let farthest = parameters.iter().zip(values).max_by(|a, b| distance(a).total_cmp(&distance(b)));
    farthest
        .map_or_else(String::new, |(parameter, value)| format!("{} {} -> {value:.1}", parameter.name, parameter.start))
}

/// The distance from the value that a pair of games tries. The first pair has number 0.
fn perturbation(setup: &Setup, parameter: &Parameter, pair: u32) -> f64 {
    parameter.step * (f64::from(setup.pairs) / f64::from(pair + 1)).powf(GAMMA)
}

/// The change of the value for a point in a pair of games.
fn gain(setup: &Setup, parameter: &Parameter, pair: u32) -> f64 {
    let total = f64::from(setup.pairs);
    let damping = DAMPING * total;
    let growth = ((damping + total) / (damping + f64::from(pair + 1))).powf(ALPHA);
    // The step squared over the perturbation: in the last pair both are equal.
    parameter.rate.unwrap_or(setup.rate) * parameter.step * parameter.step * growth
        / perturbation(setup, parameter, pair)
}

/// The values that a pair of games tries.
struct Trial {
    /// 1 for each parameter whose value is higher for the first engine, −1 otherwise.
    signs: Vec<f64>,
    /// The values of the two engines.
    options: [Vec<i64>; 2],
}

impl Trial {
    fn new(setup: &Setup, values: &[f64], pair: u32) -> Self {
        let mut random = random::of_pair(setup.paired.seed, u64::from(pair));
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

/// The values after some pairs of games that began at `values`. `points` are games won less games lost by the first
/// engine of each pair.
fn moved(setup: &Setup, values: &[f64], begin: u32, trials: &[Trial], points: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    for (index, (trial, points)) in trials.iter().zip(points).enumerate() {
        for ((value, parameter), sign) in values.iter_mut().zip(&setup.parameters).zip(&trial.signs) {
            let gain = gain(setup, parameter, begin + index as u32);
            *value = (*value + gain * sign * points).clamp(parameter.min as f64, parameter.max as f64);
        }
    }
    values
}

/// The match of a step.
fn settings(setup: &Setup, trials: &[Trial], begin: u32, concurrency: usize) -> anyhow::Result<Settings> {
    let options = |values: &[i64]| -> Options {
        setup
            .parameters
            .iter()
            .zip(values)
            .map(|(parameter, value)| (parameter.name.clone(), value.to_string()))
            .collect()
    };
    let pairs = trials.iter().map(|trial| [options(&trial.options[0]), options(&trial.options[1])]);
    setup.paired.settings(games::EVENT, begin as usize, pairs, concurrency)
}

/// The current value of a parameter.
#[derive(Debug, Serialize)]
struct TunedValue {
    name: String,
    start: i64,
    /// The exact value, rounded.
    value: i64,
    exact: f64,
    /// Distance from the start, in units of its step.
    moved: f64,
}

/// The current values.
#[derive(Debug, Serialize)]
struct Values {
    pairs: u32,
    values: Vec<TunedValue>,
}

fn values(course: &Course) -> Values {
    let value = |(parameter, exact): (&Parameter, f64)| TunedValue {
        name: parameter.name.clone(),
        start: parameter.start,
        value: exact.round() as i64,
        exact,
        moved: (exact - parameter.start as f64) / parameter.step,
    };
    let values = course.setup.parameters.iter().zip(course.values()).map(value).collect();
    Values { pairs: course.pairs(), values }
}

fn print(values: &Values, total: u32) -> anyhow::Result<()> {
    say!("{} of {total} pairs of games\n", values.pairs)?;
    let width = values.values.iter().map(|value| value.name.chars().count()).max().unwrap_or(0).max(9);
    say!("{:width$}  {:>6}  {:>6}  {:>8}  steps", "parameter", "start", "now", "exact")?;
    for TunedValue { name, start, value, exact, moved } in &values.values {
        say!("{name:width$}  {start:6}  {value:6}  {exact:8.2}  {moved:+.2}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paired::Paired;

    fn setup(pairs: u32) -> Setup {
        let parameter =
            |name: &str, start, step| Parameter { name: name.to_owned(), start, min: 0, max: 200, step, rate: None };
        let engine = "cmd=engine option.Hash=8 nodes=100".to_owned();
        Setup {
            paired: Paired { engine, openings: PathBuf::new(), seed: 7, resign: None, draw: None },
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
        let mut random = random::of_pair(3, 3);
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
        // A parameter without effect walks at random within its range.
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
