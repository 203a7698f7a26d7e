//! `epd perft`: counts the leaves of each position and compares with the counts in the file.

use super::suite;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::threads::parse_threads;
use anyhow::{Context, bail, ensure};
use bartizan_engine::{PerftTable, perft_parallel};
use bartizan_position::perft;
use bartizan_types::Escaped;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLE: &str = "\
Example:
  bartizan-tools epd perft suite.epd --max-leaves 10000000 --threads 4";

/// The arguments of `epd perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions with leaf counts, such as 'FEN ;D1 20 ;D2 400'
    file: PathBuf,
    /// Largest count to check; larger ones are skipped [default: no limit]
    #[arg(long, value_name = "LEAVES")]
    max_leaves: Option<u64>,
    /// Depth for positions without counts [default: skip them]
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Hash table size; a table speeds up deep counts [default: none for one thread, otherwise 64]
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let threads = args.threads.get();
    let positions = suite::read_positions(&args.file, interrupt)?;
    let table = (args.hash.is_some() || threads > 1).then(|| args.hash.unwrap_or(64));
    let open = |megabytes| {
        PerftTable::try_new(megabytes).with_context(|| format!("cannot allocate a hash table of {megabytes} MB"))
    };
    let table = table.map(open).transpose()?;
    let start = Instant::now();
    let (mut counted, mut leaves, mut wrong, mut too_large) = (0, 0, 0, false);
    for (line, epd) in &positions {
        let counts = epd.perft_counts().with_context(|| format!("'{}' line {line}", Escaped(args.file.display())))?;
        let has_counts = !counts.is_empty();
        let mut wanted: Vec<(u32, Option<u64>)> = counts
            .into_iter()
            .filter(|&(_, count)| args.max_leaves.is_none_or(|most| count <= most))
            .map(|(depth, count)| (depth, Some(count)))
            .collect();
        too_large |= has_counts && wanted.is_empty();
        if !has_counts {
            wanted.extend(args.depth.map(|depth| (depth, None)));
        }
        for (depth, expected) in wanted {
            if interrupt.is_set() {
                bail!(Interrupted(format!("after {counted} counts, {wrong} wrong")));
            }
            let got = match &table {
                Some(table) => perft_parallel(&epd.position, depth, threads, table),
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
            say!("line {line} depth {depth}: {got} {verdict}")?;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    say!("{counted} counts, {leaves} leaves, {wrong} wrong, {seconds:.2} s")?;
    let file = Escaped(args.file.display());
    if let (0, true, Some(most)) = (counted, too_large, args.max_leaves) {
        bail!("no position in '{file}' has a count of at most {most} (--max-leaves)");
    }
    ensure!(counted > 0, "no position in '{file}' has a count to check; give --depth to count anyway");
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
