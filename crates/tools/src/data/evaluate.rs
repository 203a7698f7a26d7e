//! `data evaluate`: prints the value that an evaluation gives each position, or how well it predicts results.

use super::Reading;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use crate::selfplay::EvaluationChoice;
use anyhow::ensure;
use bartizan_training::Error;
use bartizan_training::data::{Evaluated, Forecast, evaluate};
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Values are those of the evaluation, without a search, for the side to move, in internal centipawns: a line for each
position, in the order of the files. A network alone is asked even where an ending has a known value.

With --summary: the mean squared difference between the results of the games and the points that a value, or the score
of the search, predicts: 1 / (1 + exp(-value / unit)). The unit is the one with the smallest difference. The unit tells
the scale of the values, the difference how much they know. The results of positions of one game are not independent.

Examples:
  bartizan-tools data evaluate held.pos --network network.bin > values.txt
  bartizan-tools data evaluate held.pos --network network.bin --evaluation combined --summary";

/// The arguments of `data evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of positions of `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Network [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// What evaluates the positions
    #[arg(long, default_value = "network")]
    evaluation: EvaluationChoice,
    /// Print how well the values predict the results, instead of the values
    #[arg(long)]
    summary: bool,
    /// Print JSON: an object for each position, with its FEN, score and result, or one for the summary
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
    let mut text = String::new();
    let (mut values, mut scores) = (Forecast::default(), Forecast::default());
    let take = |positions: &[Evaluated]| {
        text.clear();
        for &Evaluated { ref position, value, score, result } in positions {
            if args.summary {
                values.add(value.0, result);
                scores.add(i32::from(score), result);
            } else if args.json {
                let row = Row { fen: position.to_fen(), value: value.0, score, result };
                text.push_str(&serde_json::to_string(&row)?);
                text.push('\n');
            } else {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}", value.0);
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
    if args.summary { summarise(&values, &scores, args.json) } else { Ok(()) }
}

fn summarise(values: &Forecast, scores: &Forecast, is_json: bool) -> anyhow::Result<()> {
    ensure!(!values.is_empty(), "the files have no positions");
    let [value, score] = [values, scores].map(|forecast| {
        let unit = forecast.best_unit();
        (forecast.error(unit), unit)
    });
    if is_json {
        let json = |(error, unit): (f64, f64)| serde_json::json!({ "error": error, "unit": unit });
        say!("{}", serde_json::json!({ "positions": values.len(), "values": json(value), "scores": json(score) }))?;
        return Ok(());
    }
    say!("{} positions", values.len())?;
    for (name, (error, unit)) in [("values", value), ("scores", score)] {
        say!("{name}: mean squared difference {error:.6}, unit {unit:.0}")?;
    }
    Ok(())
}
