//! `data evaluate`: prints an evaluation's value of each position, or how well it predicts results.

use super::Reading;
use crate::files::{self, cannot_read};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use crate::selfplay::EvaluationChoice;
use anyhow::{Context, ensure};
use bartizan_training::Error;
use bartizan_training::data::{Agreement, Evaluated, Forecast, Mean, ValueScorePair, agreement, evaluate, samples};
use bartizan_training::train::PHASES;
use bartizan_types::Escaped;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "\
Values are static, for the side to move, in internal centipawns: one line per
position, in the order of the files. A network alone is used even in endings
with a known value.

--summary prints the mean squared difference between the results of the games
and the expected points 1 / (1 + exp(-value / unit)), for the values and for the
search scores. The unit minimises the difference. The unit shows the scale of
the values, the difference how much they predict. The results of positions from
one game are not independent. The same follows for values against scores, with
the 95 % interval and by phase (men on the board). If the scores come from deep
searches, as from `data rescore`, they separate evaluations that the results
cannot. --labels also compares with other scores of the same positions.

Examples:
  bartizan-tools data evaluate held.pos --network network.bin > values.txt
  bartizan-tools data evaluate held.pos --network network.bin \\
      --evaluation combined --summary";

/// The arguments of `data evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Position files written by `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Network [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Evaluation function
    #[arg(long, default_value = "network")]
    evaluation: EvaluationChoice,
    /// File with the values of another program, one line per position, in centipawns for the side to move
    #[arg(long, value_name = "FILE", conflicts_with_all = ["network", "evaluation"])]
    values: Option<PathBuf>,
    /// Print how well the values predict results and scores, instead of the values
    #[arg(long)]
    summary: bool,
    /// Position file with other scores for the same positions, to compare with in the summary
    #[arg(long, value_name = "FILE", requires = "summary")]
    labels: Option<PathBuf>,
    /// Print JSON: an object per position with FEN, score and result, or one for the summary
    #[arg(long)]
    json: bool,
}

/// A position and its values as JSON, in this order.
#[derive(serde::Serialize)]
struct Row {
    fen: String,
    value: i32,
    score: i16,
    result: f32,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let model = args.evaluation.model(args.network.as_deref())?;
    let reading = Reading::new(&args.files, false, 1, true, interrupt)?;
    let mut others = args.values.as_deref().map(read_values).transpose()?.map(Vec::into_iter);
    let mut text = String::new();
    let mut summary = Summary::default();
    let take = |positions: &[Evaluated]| {
        text.clear();
        for &Evaluated { ref position, value, score, result } in positions {
            let value = match &mut others {
                Some(others) => others.next().context("--values has fewer lines than there are positions")?,
                None => value.0,
            };
            if args.summary {
                summary.values.add(value, result);
                summary.scores.add(i32::from(score), result);
                let men = position.occupied().count() as usize;
                summary.pairs.push(ValueScorePair { value, score: score.into(), men });
            } else if args.json {
                let row = Row { fen: position.to_fen(), value, score, result };
                text.push_str(&serde_json::to_string(&row)?);
                text.push('\n');
            } else {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{value}");
            }
        }
        Ok(say_part!("{text}")?)
    };
    reading.with(|source| {
        evaluate(source, &model, take).map_err(|error: anyhow::Error| match error.downcast_ref() {
            Some(Error::Stopped) => Interrupted("before the last position".to_owned()).into(),
            _ => error,
        })
    })?;
    ensure!(
        others.is_none_or(|mut others| others.next().is_none()),
        "--values has more lines than there are positions"
    );
    if !args.summary {
        return Ok(());
    }
    let labels = args.labels.as_ref().map(|labels| read_labels(args, labels, interrupt)).transpose()?;
    summary.print(labels.as_deref(), args.json)
}

/// The most bytes of the values of another program.
const MOST_VALUES: u64 = 1 << 30;

/// The values of another program.
fn read_values(path: &Path) -> anyhow::Result<Vec<i32>> {
    let text = bartizan_files::read_text(path, MOST_VALUES).with_context(|| cannot_read(path))?;
    let value = |(number, line): (usize, &str)| {
        let wrong = || {
            format!(
                "'{}': line {}: '{}' is not a whole number",
                Escaped(path.display()),
                number + 1,
                files::shown(line)
            )
        };
        line.trim().parse().with_context(wrong)
    };
    text.lines().enumerate().map(value).collect()
}

/// The other scores of the positions.
fn read_labels(args: &Args, path: &PathBuf, interrupt: &Interrupt) -> anyhow::Result<Vec<i32>> {
    let read = |files| Reading::new(files, false, 1, true, interrupt)?.with(|source| Ok(samples(source)?));
    let (positions, labels) = (read(&args.files)?, read(std::slice::from_ref(path))?);
    let is_same = positions.len() == labels.len() && positions.iter().zip(&labels).all(|(a, b)| a.is_same_position(b));
    ensure!(is_same, "'{}' does not have the same positions", Escaped(path.display()));
    Ok(labels.iter().map(|label| i32::from(label.score())).collect())
}

/// How well values predict.
#[derive(Default)]
struct Summary {
    values: Forecast,
    scores: Forecast,
    pairs: Vec<ValueScorePair>,
}

impl Summary {
    fn print(mut self, labels: Option<&[i32]>, is_json: bool) -> anyhow::Result<()> {
        ensure!(!self.values.is_empty(), "the files have no positions");
        let [value, score] = [&self.values, &self.scores].map(|forecast| {
            let unit = forecast.best_unit();
            (forecast.error(unit), unit)
        });
        let mut against = vec![("scores", agreement(&self.pairs, score.1))];
        if let Some(labels) = labels {
            // Their own unit, fitted to the same results.
            let mut forecast = Forecast::default();
            self.values.results().zip(labels).for_each(|(result, &label)| forecast.add(label, result));
            self.pairs.iter_mut().zip(labels).for_each(|(pair, &label)| pair.score = label);
            against.push(("labels", agreement(&self.pairs, forecast.best_unit())));
        }
        if is_json {
            let json = |(error, unit): (f64, f64)| serde_json::json!({ "error": error, "unit": unit });
            let mut all =
                serde_json::json!({ "positions": self.values.len(), "values": json(value), "scores": json(score) });
            for (name, agreement) in against {
                all[format!("against_{name}")] = serde_json::to_value(agreement)?;
            }
            return Ok(say!("{all}")?);
        }
        say!("{} positions", self.values.len())?;
        for (name, (error, unit)) in [("values", value), ("scores", score)] {
            say!("{name}: mean squared difference {error:.6}, unit {unit:.0}")?;
        }
        for (name, Agreement { unit, error, phases }) in against {
            let of_phase = |((name, _), mean): ((&str, usize), Option<Mean>)| Some(format!("{name} {}", shown(mean?)));
            let phases: Vec<_> = PHASES.into_iter().zip(phases).filter_map(of_phase).collect();
            say!("values against {name}: {}, unit {unit:.0} ({})", shown(error), phases.join(", "))?;
        }
        Ok(())
    }
}

fn shown(Mean { mean, margin }: Mean) -> String {
    format!("{mean:.5} ± {margin:.5}")
}
