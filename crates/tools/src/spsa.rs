//! `spsa`: tunes numeric options of an engine by games; see [`bartizan_match::spsa`].

use crate::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use crate::matches::{Detail, Progress, with_hint};
use crate::output::say;
use crate::paired::{PairedArgs, Task, read_list};
use crate::progress;
use crate::resume::{SettingsComparison, cannot, refuse_cut};
use anyhow::{Context, ensure};
use bartizan_client::ClientError;
use bartizan_match::spsa::{Parameter, SpsaError, SpsaEvent, SpsaJournal, SpsaSettings, TunedValue};
use bartizan_match::{MatchError, PairedSettings};
use bartizan_types::Escaped;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
A parameter file has one line per parameter: OPTION | START | MIN | MAX | STEP.
STEP is the distance from the value that the last games try. The engine must
accept every whole number from MIN to MAX.
  # name            | start | min | max | step
  aspiration_window |    12 |   5 | 100 |    3
  lmp_base          |     5 |   0 |  10 |  0.8
Bartizan's search has these options if it is built with --features tuning.
`bartizan spsa` prints them as OpenBench input, which is accepted as well:
OPTION, int, START, MIN, MAX, STEP, RATE.

Example:
  bartizan-tools spsa parameters.txt --engine \"cmd=./engine nodes=20000\" \\
      --openings openings.epd --pairs 20000 --concurrency 4 \\
      --journal spsa.jsonl
  bartizan-tools spsa --resume spsa.jsonl";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Parameter file: the parameters to tune, see below
    #[arg(value_name = "FILE", required_unless_present_any = ["resume", "report"])]
    parameters: Option<PathBuf>,
    /// Number of game pairs in total [default: 10000]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: Option<u32>,
    /// Number of game pairs per update of the values [default: 16]
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    batch: Option<u32>,
    /// Learning rate where the file gives none: the change of a value per point in the last games, in units of its step
    /// [default: 0.002]
    #[arg(long, value_name = "RATE")]
    rate: Option<f64>,
    #[command(flatten)]
    paired: PairedArgs,
}

/// Runs the command.
///
/// # Errors
/// When the options, the engine or the files are unusable. Everything that can be checked is checked before the first
/// game.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (task, journal) = args.paired.task()?;
    let mut tuning = match task {
        Task::Begin => {
            let setup = args.given()?;
            let parameters = args.parameters.as_deref().unwrap_or(Path::new(""));
            let cannot = || format!("invalid parameters '{}'", Escaped(parameters.display()));
            check_engine(&setup, interrupt, cannot)?;
            let concurrency = args.paired.concurrency.unwrap_or(1);
            SpsaJournal::create(journal, setup, concurrency).map_err(|error| with_hint(error.into()))?
        }
        Task::Resume | Task::Report => {
            let open = if task == Task::Resume { SpsaJournal::resume } else { SpsaJournal::read };
            let mut tuning = open(journal).map_err(|error| cannot(task.verb(), journal, &error))?;
            let cannot = || task.cannot(journal);
            tuning.setup.paired = args.compare(&tuning.setup).with_context(cannot)?;
            if task == Task::Resume {
                tuning.setup.check_openings().with_context(cannot)?;
                if tuning.pairs() < tuning.setup.pairs {
                    check_engine(&tuning.setup, interrupt, cannot)?;
                }
            }
            tuning
        }
    };
    let complete = task == Task::Report || play(args, &mut tuning, interrupt)?;
    let values = Values { pairs: tuning.pairs(), values: tuning.tuned() };
    if args.paired.json {
        say!("{}", serde_json::to_string_pretty(&values)?)?;
    } else {
        print(&values, tuning.setup.pairs)?;
    }
    // A resumed journal has lost its incomplete line with the first new one.
    refuse_cut(journal, tuning.is_cut && task == Task::Report)?;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

impl Args {
    /// The setup of the command line.
    fn given(&self) -> anyhow::Result<SpsaSettings> {
        let rate = self.rate.unwrap_or(0.002);
        ensure!(rate > 0.0 && rate <= 1.0, "--rate {rate} is out of range (above 0, at most 1)");
        let paired = self.paired.given()?;
        Ok(SpsaSettings {
            openings_sha256: Some(paired.openings_sha256()?),
            paired,
            parameters: read_list(self.parameters.as_ref(), "parameters", Parameter::list)?,
            pairs: self.pairs.unwrap_or(10_000),
            batch: self.batch.unwrap_or(16),
            rate,
        })
    }

    /// Compares what is given with the setup of a journal. Returns the settings of its games, which may have a
    /// different answer timeout.
    fn compare(&self, stored: &SpsaSettings) -> anyhow::Result<PairedSettings> {
        let mut compared = SettingsComparison::with("file");
        if let Some(file) = &self.parameters
            && read_list(Some(file), "parameters", Parameter::list)? != stored.parameters
        {
            compared.add(format!("other parameters in '{}'", Escaped(file.display())));
        }
        let paired = self.paired.stored(stored.paired.clone(), &mut compared)?;
        compared.stored("--pairs", self.pairs, stored.pairs);
        compared.stored("--batch", self.batch, stored.batch);
        compared.stored("--rate", self.rate, stored.rate);
        compared.finish()?;
        Ok(paired)
    }
}

/// Checks that the engine accepts all values; rejected ones are reported after `context`.
fn check_engine(setup: &SpsaSettings, interrupt: &Interrupt, context: impl Fn() -> String) -> anyhow::Result<()> {
    setup.check_engine(&interrupt.stop()).or_else(|error| match error {
        SpsaError::Match(MatchError::Engine(ClientError::Cancelled { .. })) => {
            Err(Interrupted("before the first game".to_owned()).into())
        }
        SpsaError::NotANumber(_) | SpsaError::Value(_) => Err(error).with_context(context),
        error => Err(explained(error)),
    })
}

fn explained(error: SpsaError) -> anyhow::Error {
    match error {
        SpsaError::Match(error) => with_hint(error),
        error => error.into(),
    }
}

/// Plays the remaining games. Returns whether the tuning is complete.
fn play(args: &Args, tuning: &mut SpsaJournal, interrupt: &Interrupt) -> anyhow::Result<bool> {
    let concurrency = args.paired.concurrency.unwrap_or(tuning.concurrency);
    let style = "{pos}/{len} pairs  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(u64::from(tuning.setup.pairs), style, args.paired.json)?;
    bar.set_position(u64::from(tuning.pairs()));
    bar.reset_eta();
    let played = tuning.play(concurrency, &interrupt.stop(), |event| match event {
        SpsaEvent::Games { settings, event } => Progress::new(settings, Detail::Nothing).show(event),
        SpsaEvent::Step(tuning) => {
            bar.set_message(farthest(tuning));
            bar.set_position(u64::from(tuning.pairs()));
        }
        _ => {}
    });
    if played.is_ok() {
        bar.finish_and_clear();
    }
    played.map_err(explained)
}

/// The parameter that has moved most, for the progress bar.
fn farthest(tuning: &SpsaJournal) -> String {
    let values = tuning.tuned().into_iter();
    let farthest = values.max_by(|a, b| a.moved.abs().total_cmp(&b.moved.abs()));
    farthest.map_or_else(String::new, |TunedValue { name, start, exact, .. }| format!("{name} {start} -> {exact:.1}"))
}

/// The current values.
#[derive(Debug, Serialize)]
struct Values {
    pairs: u32,
    values: Vec<TunedValue>,
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
