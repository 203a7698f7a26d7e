//! `data evaluate`: prints the value that an evaluation gives each position, or how well it predicts results.

use super::forecast::Forecast;
use super::{CHUNK, each_chunk, open, unpack};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{say, say_part};
use crate::selfplay::EvaluationChoice;
use anyhow::ensure;
use bartizan_network::EvaluationModel;
use bartizan_position::Position;
use bartizan_training::positions::Sample;
use serde::Serialize;
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

/// A position and its values for the side to move.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(serialize_with = "serialize_fen")]
    fen: Position,
    /// The value of the evaluation, in internal centipawns.
    value: i32,
    /// The score of the search that played the game, in internal centipawns.
    score: i16,
    /// The result of the game: 0, 0.5 or 1.
    result: f32,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let model = args.evaluation.model(args.network.as_deref())?;
    let mut text = String::new();
    let (mut values, mut scores) = (Forecast::default(), Forecast::default());
    for file in &args.files {
        each_chunk(file, open(file, interrupt)?, CHUNK, |samples, before| {
            text.clear();
            for (sample, number) in samples.iter().zip(before + 1..) {
                let row = row(&model, sample, unpack(sample, file, number)?);
                if args.summary {
                    values.add(row.value, row.result);
                    scores.add(i32::from(row.score), row.result);
                } else if args.json {
                    text.push_str(&serde_json::to_string(&row)?);
                    text.push('\n');
                } else {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{}", row.value);
                }
            }
            say_part!("{text}")?;
            if interrupt.is_set() {
                return Err(Interrupted("before the last position".to_owned()).into());
            }
            Ok(())
        })?;
    }
    if args.summary { summarise(&values, &scores, args.json) } else { Ok(()) }
}

fn row(model: &EvaluationModel, sample: &Sample, position: Position) -> Row {
    let value = match model {
        // The network itself, which may be compared with other implementations.
        EvaluationModel::Network(network) => network.evaluate(&position),
        model => model.value(&position),
    };
    Row { fen: position, value: value.0, score: sample.score(), result: sample.result() }
}

fn serialize_fen<S: serde::Serializer>(position: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&position.to_fen())
}

fn summarise(values: &Forecast, scores: &Forecast, is_json: bool) -> anyhow::Result<()> {
    ensure!(values.len() > 0, "the files have no positions");
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
