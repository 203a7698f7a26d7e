//! `tb check`: which Syzygy files exist, are missing, or are broken.

use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::progress;
use anyhow::bail;
use bartizan_tablebase::{CheckLevel, Inventory, TablebaseConfig, Tablebases, split_folders};
use bartizan_types::Escaped;
use serde_json::json;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Checks the size and header of each file, and the checksum of files up to
512 KiB. With --full, it checks the checksum and every block of every file. If a
file is in several folders, the first is checked: it is the one that engines
use. The exit status is 1 if a file or folder cannot be used.

Example:
  bartizan-tools tb check --full /syzygy";

/// The arguments of `tb check`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Folders with Syzygy files, separated as in the UCI option SyzygyPath
    #[arg(value_name = "PATH")]
    path: String,
    /// Read every file completely
    #[arg(long)]
    full: bool,
    /// Print one JSON object, with the names of all missing files
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let (tables, faults) = Tablebases::open_usable(&split_folders(&args.path), TablebaseConfig::default());
    let mut faults: Vec<String> = faults.into_iter().map(|fault| format!("{:#}", anyhow::Error::new(fault))).collect();
    let level = if args.full { CheckLevel::Full } else { CheckLevel::Header };
    let files = tables.iter().flat_map(Tablebases::files).collect::<Vec<_>>();
    let style = "{bar:30} {pos} of {len} files  {elapsed} elapsed, {eta} left  {msg}";
    let bar = progress::bar(files.len() as u64, style, args.json)?;
    for file in &files {
        let name = Escaped(file.path().file_name().unwrap_or_default().display());
        let report = |done: u64, all: u64| bar.set_message(format!("{name}: {} %", 100 * done / all.max(1)));
        let checked = file.check(level, &|| interrupt.is_set(), &report);
        if interrupt.is_set() {
            bar.finish_and_clear();
            bail!(Interrupted(format!("after {} of {} files", bar.position(), files.len())));
        }
        if let Err(fault) = checked {
            faults.push(format!("{:#}", anyhow::Error::new(fault)));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let inventory = tables.as_ref().map(Tablebases::inventory).unwrap_or_default();
    if args.json {
        let sets: Vec<serde_json::Value> = inventory.iter().map(object).collect();
        say!("{}", json!({ "files": files.len(), "full": args.full, "sets": sets, "faults": faults }))?;
    } else {
        for set in &inventory {
            say!("{set}")?;
        }
        for fault in &faults {
            say!("{fault}")?;
        }
        let depth = if args.full { "read as a whole" } else { "headers read" };
        say!("{} files, {depth}, {} faults", files.len(), faults.len())?;
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn object(set: &Inventory) -> serde_json::Value {
    json!({
        "pieces": set.men,
        "complete": set.complete,
        "missing_wdl": set.missing_wdl,
        "missing_dtz": set.missing_dtz,
    })
}
