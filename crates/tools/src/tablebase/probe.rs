//! `tb probe`: result, distance to zeroing, and the rank of each move.

use crate::files::shown;
use crate::output::{note, say};
use anyhow::Context;
use bartizan_notation::san::San;
use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{Dtz, RootMove, Tablebases, Wdl, WinRanking};
use bartizan_types::Variant;
use serde_json::{Value, json};
use std::io::{BufRead, stdin};
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools tb probe --path /syzygy '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'";

/// The arguments of `tb probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Directories with Syzygy files, separated as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH")]
    path: String,
    /// Positions [default: one FEN per line of standard input]
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    /// Rank winning moves by their distance, as if a position had been repeated since the last capture or pawn move
    #[arg(long)]
    repeated: bool,
    /// Print one JSON object per line; its wdl ranges from -2 (loss) to 2 (win)
    #[arg(long)]
    json: bool,
}

/// The result of a probe. A field is `None` where no table has the position.
struct Answer {
    position: Position,
    wdl: Option<Wdl>,
    dtz: Option<Dtz>,
    moves: Option<Vec<RootMove>>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tables = Tablebases::open(&args.path)?;
    for folder in tables.empty_folders() {
        note!("warning: '{}' has no tablebase files", folder.display());
    }
    let mut all_known = true;
    let mut answer = |fen: &str| -> anyhow::Result<()> {
        let answer = Answer::new(&tables, fen, args.repeated)?;
        all_known &= answer.wdl.is_some();
        if args.json {
            say!("{}", answer.json())?;
        } else {
            answer.print()?;
        }
        Ok(())
    };
    if args.positions.is_empty() {
        for line in stdin().lock().lines() {
            let line = line.context("cannot read standard input")?;
            if !line.trim().is_empty() {
                answer(line.trim())?;
            }
        }
    } else {
        args.positions.iter().try_for_each(|fen| answer(fen))?;
    }
    // The exit status tells a script that a position is in no table.
    Ok(if all_known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Answer {
    fn new(tables: &Tablebases, fen: &str, repeated: bool) -> anyhow::Result<Self> {
        let position =
            Position::from_fen_with(fen, Tolerance::ALL).with_context(|| format!("invalid FEN '{}'", shown(fen)))?;
        let (wdl, dtz) = (tables.probe_wdl(&position)?, tables.probe_dtz(&position)?);
        let wins = if repeated { WinRanking::ByDistance } else { WinRanking::Equal };
        let moves = tables.probe_root(&position, wins)?;
        Ok(Self { position, wdl, dtz, moves })
    }

    fn json(&self) -> Value {
        let ranked = |root: &RootMove| {
            json!({
                "move": root.mv.to_uci(Variant::Standard).to_string(),
                "san": San::new(&self.position, root.mv).to_string(),
                "wdl": root.wdl.to_int(),
                "dtz": root.dtz.map(|dtz| dtz.0),
                "rank": root.rank,
            })
        };
        json!({
            "fen": self.position.to_fen(),
            "wdl": self.wdl.map(Wdl::to_int),
            "dtz": self.dtz.map(|dtz| dtz.0),
            "moves": self.moves.as_ref().map(|moves| moves.iter().map(ranked).collect::<Vec<Value>>()),
        })
    }

    fn print(&self) -> anyhow::Result<()> {
        say!("{}", self.position.to_fen())?;
        let Some(wdl) = self.wdl else { return Ok(say!("  not in any table")?) };
        say!("  {wdl}, dtz {}", distance(self.dtz))?;
        for root in self.moves.iter().flatten() {
            let san = San::new(&self.position, root.mv).to_string();
            say!("  {san:<8} {:<12}  dtz {:>5}  rank {:>5}", root.wdl, distance(root.dtz), root.rank)?;
        }
        Ok(())
    }
}

fn distance(dtz: Option<Dtz>) -> String {
    dtz.map_or_else(|| "-".to_owned(), |dtz| dtz.to_string())
}
