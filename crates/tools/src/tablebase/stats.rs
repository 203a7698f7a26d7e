//! `tb stats`: sizes, results and the longest mates of distance-to-mate tables.

use super::endings::Selection;
use crate::output::say;
use anyhow::bail;
use bartizan_dtm::Dtm;
use bartizan_position::Position;
use bartizan_types::Color;
use serde_json::json;
use std::process::ExitCode;

const EXAMPLE: &str = "\
White has the pieces named first. Mirrored positions are counted once.

Example:
  bartizan-tools tb stats --tables tables KQKR";

/// The arguments of `tb stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Print one JSON object per table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (tables, endgames) = args.selection.open()?;
    for endgame in &endgames {
        let Some(summary) = tables.summary(endgame)? else {
            bail!("no table of {endgame} in '{}'", args.selection.tables)
        };
        let example = |turn: Color, value: Option<Dtm>| -> anyhow::Result<Option<(Dtm, Position)>> {
            let Some(value) = value else { return Ok(None) };
            Ok(tables.find(endgame, turn, value, 1)?.pop().map(|position| (value, position)))
        };
        if !args.json {
            say!("{endgame}  {} bytes, {} indices", summary.bytes, summary.indices)?;
        }
        let mut sides = Vec::new();
        for (turn, side) in Color::ALL.into_iter().zip(&summary.sides) {
            let name = if turn.is_white() { "white" } else { "black" };
            let longest = [example(turn, side.longest_win)?, example(turn, side.longest_loss)?];
            if args.json {
                let longest = longest.map(|found| {
                    found.map(|(value, position)| {
                        json!({"plies": value.plies(), "moves": value.moves(), "fen": position.to_fen()})
                    })
                });
                let [win, loss] = longest;
                sides.push(json!({
                    "turn": name,
                    "wins": side.wins,
                    "draws": side.draws,
                    "losses": side.losses,
                    "longest_win": win,
                    "longest_loss": loss,
                }));
            } else {
                say!("  {name} to move: {} wins, {} draws, {} losses", side.wins, side.draws, side.losses)?;
                for (value, position) in longest.into_iter().flatten() {
                    say!("    longest {value}: {}", position.to_fen())?;
                }
            }
        }
        if args.json {
            let object = json!({
                "ending": endgame.to_string(),
                "file": summary.path,
                "bytes": summary.bytes,
                "indices": summary.indices,
                "sides": sides,
            });
            say!("{object}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
