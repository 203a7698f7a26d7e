//! `epd perft`: counts the leaves of each position and compares with what the file says.

use super::suite;
use crate::interrupt::Interrupt;
use anyhow::{Context, bail, ensure};
use bartizan_position::{PerftTable, perft, perft_parallel};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Positions with counts: `FEN ;D1 20 ;D2 400`
    file: PathBuf,
    /// Leave out counts above this many leaves
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    max_leaves: u64,
    /// Count this deep where the file gives no counts
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Use a hash table of so many MB: faster for deep counts
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    ensure!((1..=1_024).contains(&args.threads), "--threads {} is out of range (1 to 1024)", args.threads);
    let positions = suite::read_positions(&args.file)?;
    let table = (args.hash.is_some() || args.threads > 1).then(|| PerftTable::new(args.hash.unwrap_or(64)));
    let start = Instant::now();
    let (mut counted, mut leaves, mut wrong) = (0, 0, 0);
    for (line, epd) in &positions {
        let counts = epd.perft_counts().with_context(|| format!("{}: line {line}", args.file.display()))?;
        let mut wanted: Vec<(u32, Option<u64>)> = counts
            .into_iter()
            .filter(|&(_, count)| count <= args.max_leaves)
            .map(|(depth, count)| (depth, Some(count)))
            .collect();
        if wanted.is_empty() {
            wanted.extend(args.depth.map(|depth| (depth, None)));
        }
        for (depth, expected) in wanted {
            if interrupt.is_set() {
                bail!("interrupted after {counted} counts, {wrong} wrong");
            }
            let got = match &table {
                Some(table) => perft_parallel(&epd.position, depth, args.threads, table),
                None => perft(&epd.position, depth),
            };
            counted += 1;
            leaves += got;
            let verdict = match expected {
                Some(expected) if expected != got => {
                    wrong += 1;
                    format!("WRONG, expected {expected}")
                }
                Some(_) => "ok".to_owned(),
                None => String::new(),
            };
            println!("line {line} depth {depth}: {got} {verdict}");
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{counted} counts, {leaves} leaves, {wrong} wrong, {seconds:.2} s");
    ensure!(counted > 0, "{}: there is nothing to count (give --depth)", args.file.display());
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
