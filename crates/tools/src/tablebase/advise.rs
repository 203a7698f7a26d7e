//! `tb advise`: explains an ending.

use super::positions;
use crate::files::replace;
use crate::interrupt::Interrupt;
use crate::output::{note, say, say_part};
use anyhow::{Context, ensure};
use bartizan_dtm::DtmTables;
use bartizan_dtm::advice::{Advice, AdviceTables};
use bartizan_position::Position;
use bartizan_tablebase::Tablebases;
use bartizan_types::Escaped;
use std::path::PathBuf;
use std::process::ExitCode;

/// The usage line of clap, which is wider than 80 columns.
const USAGE: &str = "\
bartizan-tools tb advise [OPTIONS]
           <--tables <PATH>|--syzygy <PATH>> [FEN]...";

const EXAMPLE: &str = "\
Syzygy tables show what the 50-move rule changes, tables made by `tb generate`
the moves to mate. With both, the advice is complete.

Examples:
  bartizan-tools tb advise --syzygy /syzygy \\
      '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1'
  bartizan-tools tb advise --tables tables --html kbnk.html \\
      '8/8/8/3k4/8/8/3K4/3BN3 w - - 0 1'";

/// The arguments of `tb advise`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE, override_usage = USAGE)]
#[command(group = clap::ArgGroup::new("sources").args(["tables", "syzygy"]).required(true).multiple(true))]
pub(super) struct Args {
    /// Folders with tables made by `tb generate`, separated as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH")]
    tables: Option<String>,
    /// Folders with Syzygy files
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    /// Positions [default: one FEN per line of standard input]
    #[arg(value_name = "FEN")]
    positions: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// HTML output file with diagrams, for one position
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let distances = args.tables.as_deref().map(DtmTables::open).transpose()?;
    let syzygy = args.syzygy.as_deref().map(Tablebases::open).transpose()?;
    let empty = distances.iter().flat_map(DtmTables::empty_folders);
    for folder in empty.chain(syzygy.iter().flat_map(Tablebases::empty_folders)) {
        note!("warning: '{}' has no tables", Escaped(folder.display()));
    }
    ensure!(args.html.is_none() || args.positions.len() == 1, "--html needs one position on the command line");
    let tables = AdviceTables { distances: distances.as_ref(), syzygy: syzygy.as_ref() };
    let mut is_first = true;
    let advise = |position: &Position| -> anyhow::Result<()> {
        let advice = Advice::new(position, tables).with_context(|| format!("no advice on '{}'", position.to_fen()))?;
        if args.json {
            say!("{}", advice.to_json())?;
        } else {
            let space = if is_first { "" } else { "\n" };
            say_part!("{space}{advice}")?;
        }
        is_first = false;
        match &args.html {
            Some(path) => replace(path, advice.to_html().as_bytes()),
            None => Ok(()),
        }
    };
    positions::for_each(&args.positions, interrupt, advise)?;
    Ok(ExitCode::SUCCESS)
}
