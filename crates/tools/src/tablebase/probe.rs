//! `tb probe`: the value of a position and of each move.

use super::positions;
use crate::interrupt::Interrupt;
use crate::output::{note, say};
use bartizan_dtm::{Dtm, DtmMove, DtmTables};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_tablebase::{Dtz, RootMove, Tablebases, Wdl, WinRanking};
use bartizan_types::Variant;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools tb probe --path /syzygy '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'
  bartizan-tools tb probe --tables tables '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'";

/// The arguments of `tb probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
#[command(group = clap::ArgGroup::new("sources").args(["path", "tables"]).required(true).multiple(true))]
pub(super) struct Args {
    /// Directories with Syzygy files, separated as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH", visible_alias = "syzygy")]
    path: Option<String>,
    /// Directories with distance-to-mate tables of `tb generate`
    #[arg(long, value_name = "PATH")]
    tables: Option<String>,
    /// Positions [default: one FEN per line of standard input]
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    /// Rank winning moves by their distance, as if a position had been repeated since the last capture or pawn move
    #[arg(long)]
    repeated: bool,
    /// Print the values of the positions only, not of their moves
    #[arg(long)]
    brief: bool,
    /// Print one JSON object per line; its wdl ranges from -2 (loss) to 2 (win), as does the outcome of a move, which
    /// counts the halfmove clock
    #[arg(long)]
    json: bool,
}

/// The tables to probe.
struct Sources<'a> {
    args: &'a Args,
    syzygy: Option<Tablebases>,
    dtm: Option<DtmTables>,
}

/// The result of a probe of Syzygy tables. A field is `None` where no table has the position.
struct Zeroing {
    wdl: Option<Wdl>,
    dtz: Option<Dtz>,
    moves: Option<Vec<RootMove>>,
}

/// The result of a probe of distance-to-mate tables. A field is `None` where a table is missing.
struct Mating {
    dtm: Option<Dtm>,
    moves: Option<Vec<DtmMove>>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let sources = Sources {
        args,
        syzygy: args.path.as_deref().map(Tablebases::open).transpose()?,
        dtm: args.tables.as_deref().map(DtmTables::open).transpose()?,
    };
    warn_of(sources.syzygy.as_ref().map_or(&[], |tables| tables.empty_folders()));
    warn_of(sources.dtm.as_ref().map_or(&[], |tables| tables.empty_folders()));
    let mut all_known = true;
    let answer = |position: &Position| -> anyhow::Result<()> {
        all_known &= sources.answer(position)?;
        Ok(())
    };
    positions::for_each(&args.positions, interrupt, answer)?;
    // The exit status tells a script that a position is in no table.
    Ok(if all_known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn warn_of(empty: &[PathBuf]) {
    for folder in empty {
        note!("warning: '{}' has no tablebase files", folder.display());
    }
}

impl Sources<'_> {
    /// Prints what the tables know about a position. Returns whether each of them has it.
    fn answer(&self, position: &Position) -> anyhow::Result<bool> {
        let zeroing = self.syzygy.as_ref().map(|tables| self.zeroing(tables, position)).transpose()?;
        let mating = self.dtm.as_ref().map(|tables| self.mating(tables, position)).transpose()?;
        if self.args.json {
            let mut object = json!({"fen": position.to_fen()});
            if let Some(zeroing) = &zeroing {
                zeroing.add_to(&mut object, position, self.args.brief);
            }
            if let Some(mating) = &mating {
                mating.add_to(&mut object, position, self.args.brief);
            }
            say!("{object}")?;
        } else {
            say!("{}", position.to_fen())?;
            zeroing.iter().try_for_each(|zeroing| zeroing.print(position))?;
            mating.iter().try_for_each(|mating| mating.print(position))?;
        }
        let known = zeroing.is_none_or(|zeroing| zeroing.wdl.is_some());
        Ok(known && mating.is_none_or(|mating| mating.dtm.is_some()))
    }

    fn zeroing(&self, tables: &Tablebases, position: &Position) -> anyhow::Result<Zeroing> {
        let (wdl, dtz) = (tables.probe_wdl(position)?, tables.probe_dtz(position)?);
        let wins = if self.args.repeated { WinRanking::ByDistance } else { WinRanking::Equal };
        let moves = if self.args.brief { None } else { tables.probe_root(position, wins)? };
        Ok(Zeroing { wdl, dtz, moves })
    }

    fn mating(&self, tables: &DtmTables, position: &Position) -> anyhow::Result<Mating> {
        let dtm = tables.probe(position)?;
        let moves = if self.args.brief || dtm.is_none() { None } else { tables.probe_moves(position)? };
        Ok(Mating { dtm, moves })
    }
}

impl Zeroing {
    /// The result with the halfmove clock of the position, which is that of the best move.
    fn outcome(&self) -> Option<Wdl> {
        // Without a move, the game is over: a mate counts whatever the clock says.
        self.moves.as_ref()?.iter().map(|root| root.outcome).max().or(self.wdl)
    }

    fn add_to(&self, object: &mut Value, position: &Position, brief: bool) {
        let ranked = |root: &RootMove| {
            json!({
                "move": root.mv.to_uci(Variant::Standard).to_string(),
                "san": San::new(position, root.mv).to_string(),
                "wdl": root.wdl.to_int(),
                "dtz": root.dtz.map(|dtz| dtz.0),
                "outcome": root.outcome.to_int(),
                "rank": root.rank,
            })
        };
        object["wdl"] = json!(self.wdl.map(Wdl::to_int));
        object["dtz"] = json!(self.dtz.map(|dtz| dtz.0));
        if !brief {
            object["outcome"] = json!(self.outcome().map(Wdl::to_int));
            object["moves"] = json!(self.moves.as_ref().map(|moves| moves.iter().map(ranked).collect::<Vec<Value>>()));
        }
    }

    fn print(&self, position: &Position) -> anyhow::Result<()> {
        let Some(wdl) = self.wdl else { return Ok(say!("  not in any table")?) };
        // With the clock of the position, where that makes a difference; likewise below.
        let now = self.outcome().filter(|&outcome| outcome != wdl);
        let now = now.map_or_else(String::new, |outcome| format!(", now {outcome}"));
        say!("  {wdl}, dtz {}{now}", distance(self.dtz))?;
        for root in self.moves.iter().flatten() {
            let san = San::new(position, root.mv).to_string();
            let outcome = if root.outcome == root.wdl { String::new() } else { format!("  now {}", root.outcome) };
            say!("  {san:<8} {:<12}  dtz {:>5}  rank {:>5}{outcome}", root.wdl, distance(root.dtz), root.rank)?;
        }
        Ok(())
    }
}

impl Mating {
    fn add_to(&self, object: &mut Value, position: &Position, brief: bool) {
        let valued = |valued: &DtmMove| {
            let mut value = fields(Some(valued.dtm));
            value["move"] = json!(valued.mv.to_uci(Variant::Standard).to_string());
            value["san"] = json!(San::new(position, valued.mv).to_string());
            value
        };
        object["mate"] = fields(self.dtm);
        if !brief {
            let moves = self.moves.as_ref().map(|moves| moves.iter().map(valued).collect::<Vec<Value>>());
            object["mate_moves"] = json!(moves);
        }
    }

    fn print(&self, position: &Position) -> anyhow::Result<()> {
        let Some(dtm) = self.dtm else { return Ok(say!("  not in any distance-to-mate table")?) };
        say!("  {}", described(dtm))?;
        for valued in self.moves.iter().flatten() {
            let san = San::new(position, valued.mv).to_string();
            say!("  {san:<8} {}", described(valued.dtm))?;
        }
        Ok(())
    }
}

/// The result and the distance, both `null` if no table has the position.
fn fields(dtm: Option<Dtm>) -> Value {
    let result = dtm.map(|dtm| match dtm {
        Dtm::Win(_) => "win",
        Dtm::Draw => "draw",
        Dtm::Loss(_) => "loss",
    });
    json!({"result": result, "plies": dtm.and_then(Dtm::plies), "moves": dtm.and_then(Dtm::moves)})
}

fn described(dtm: Dtm) -> String {
    match dtm.plies() {
        Some(plies @ 1..) => format!("{dtm} ({plies} plies)"),
        _ => dtm.to_string(),
    }
}

fn distance(dtz: Option<Dtz>) -> String {
    dtz.map_or_else(|| "-".to_owned(), |dtz| dtz.to_string())
}
