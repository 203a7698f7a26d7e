//! `tb probe`: the value of a position and of each move.

use super::positions;
use crate::interrupt::Interrupt;
use crate::output::{note, say, say_part};
use bartizan_dtm::advice::AdviceTables;
use bartizan_dtm::{DtmTables, ProbeReport};
use bartizan_position::Position;
use bartizan_tablebase::{Tablebases, WinRanking};
use bartizan_types::Escaped;
use std::process::ExitCode;

/// The usage line of clap, which is wider than 80 columns.
const USAGE: &str = "\
bartizan-tools tb probe [OPTIONS]
           <--path <PATH>|--tables <PATH>> [FEN]...";

const EXAMPLE: &str = "\
Examples:
  bartizan-tools tb probe --path /syzygy '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'
  bartizan-tools tb probe --tables tables '8/8/8/8/8/2k5/2P5/2K5 w - - 0 1'";

/// The arguments of `tb probe`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, override_usage = USAGE)]
#[command(group = clap::ArgGroup::new("sources").args(["path", "tables"]).required(true).multiple(true))]
pub(super) struct Args {
    /// Folders with Syzygy files, separated as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH", visible_alias = "syzygy")]
    path: Option<String>,
    /// Folders with tables made by `tb generate`
    #[arg(long, value_name = "PATH")]
    tables: Option<String>,
    /// Positions [default: one FEN per line of standard input]
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    /// Rank winning moves by distance, as after a repetition since the last capture or pawn move
    #[arg(long)]
    repeated: bool,
    /// Print only the values of the positions, not of their moves
    #[arg(long)]
    brief: bool,
    /// Print one JSON object per line. Its wdl and the outcome of each move range from -2 (loss) to 2 (win); the
    /// outcome takes the halfmove clock into account
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let syzygy = args.path.as_deref().map(Tablebases::open).transpose()?;
    let distances = args.tables.as_deref().map(DtmTables::open).transpose()?;
    let empty = syzygy.iter().flat_map(Tablebases::empty_folders);
    for folder in empty.chain(distances.iter().flat_map(DtmTables::empty_folders)) {
        note!("warning: '{}' has no tablebase files", Escaped(folder.display()));
    }
    let tables = AdviceTables { distances: distances.as_ref(), syzygy: syzygy.as_ref() };
    let wins = if args.repeated { WinRanking::ByDistance } else { WinRanking::Equal };
    let mut all_known = true;
    let answer = |position: &Position| -> anyhow::Result<()> {
        let probed = ProbeReport::new(position, tables, wins, args.brief)?;
        all_known &= probed.is_known();
        if args.json { say!("{}", probed.to_json()) } else { say_part!("{probed}") }?;
        Ok(())
    };
    positions::for_each(&args.positions, interrupt, answer)?;
    // The exit status tells a script that no table covers a position.
    Ok(if all_known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
