//! `data evaluate`: prints the value that a network gives each position.

use super::{cannot_read, open_positions};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say_part;
use anyhow::Context;
use bartizan_data::positions::Sample;
use bartizan_network::Network;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Values are those of the network alone, without a search, for the side to move, in internal centipawns: a line for each
position, in the order of the files.

Example:
  bartizan-tools data evaluate held.pos --network network.bin > values.txt";

/// Positions read at a time.
const CHUNK: usize = 16_384;

/// The arguments of `data evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Files of positions of `data filter`
    #[arg(value_name = "POSITIONS", required = true)]
    files: Vec<PathBuf>,
    /// Network
    #[arg(long, value_name = "FILE")]
    network: PathBuf,
    /// Print a JSON object for each position, with its FEN, score and result
    #[arg(long)]
    json: bool,
}

/// A position and its values for the side to move.
#[derive(Debug, Serialize)]
struct Row {
    fen: String,
    /// The value of the network, in internal centipawns.
    network: i32,
    /// The score of the search that played the game, in internal centipawns.
    score: i16,
    /// The result of the game: 0, 0.5 or 1.
    result: f32,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let network = Network::open(&args.network).with_context(|| cannot_read(&args.network))?;
    let mut samples = Vec::new();
    let mut text = String::new();
    for file in &args.files {
        let mut reader = open_positions(file)?;
        let mut number = 0_u64;
        loop {
            reader.read(&mut samples, CHUNK).with_context(|| cannot_read(file))?;
            if samples.is_empty() {
                break;
            }
            text.clear();
            for sample in &samples {
                number += 1;
                line(&network, sample, args.json, &mut text)
                    .with_context(|| format!("{}: record {number}", cannot_read(file)))?;
            }
            say_part!("{text}")?;
            if interrupt.is_set() {
                return Err(Interrupted("before the last position".to_owned()).into());
            }
        }
    }
    Ok(())
}

/// Adds the line of a position.
fn line(network: &Network, sample: &Sample, is_json: bool, text: &mut String) -> anyhow::Result<()> {
    let position = sample.packed().unpack()?;
    let value = network.evaluate(&position).0;
    if is_json {
        let row = Row { fen: position.to_fen(), network: value, score: sample.score(), result: sample.result() };
        text.push_str(&serde_json::to_string(&row)?);
        text.push('\n');
    } else {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{value}");
    }
    Ok(())
}
