//! `epd ttd`: time to depth at several thread counts, the measure of Lazy SMP.
//!
//! Ratios are geometric means over the positions.

use super::measure::{Measured, measure};
use super::suite;
use crate::analyser::{self, Patience, parse_engine};
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::threads::parse_threads;
use bartizan_analysis::Limits;
use bartizan_stats::geometric_mean_interval;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools epd ttd positions.epd --depth 16 --threads 1,2,4";

/// The arguments of `epd ttd`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions, one EPD or FEN per line
    file: PathBuf,
    /// Search depth
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: u32,
    #[command(flatten)]
    patience: Patience,
    /// Thread counts; the others are compared with the first
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2", value_parser = parse_threads)]
    threads: Vec<NonZeroUsize>,
    /// Engine to measure, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Size of the engine's hash table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    /// Step through the file: 2 searches every second position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// One search.
#[derive(Clone, Copy, Debug, Serialize)]
struct Sample {
    seconds: f64,
    nodes: u64,
}

/// The result of a thread count.
#[derive(Debug, Serialize)]
struct Row {
    threads: usize,
    positions: usize,
    seconds: f64,
    nodes: u64,
    nps: f64,
    /// Ratios to the first thread count: geometric mean and 95 % confidence interval.
    speedup: [f64; 3],
    nodes_ratio: [f64; 3],
    nps_ratio: [f64; 3],
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let positions = suite::read_every(&args.file, args.every, 1, interrupt)?;
    let entry = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut solvers = Vec::new();
    for threads in &args.threads {
        let options = [("Threads".to_owned(), threads.to_string()), ("Hash".to_owned(), args.hash.to_string())];
        solvers.push(analyser::start(entry.as_ref(), &options, args.patience, interrupt)?);
    }
    let Measured { samples, ended } =
        measure(&args.file, &positions, &Limits::depth(args.depth), &mut solvers, args.json, |_, answer| {
            Some(Sample { seconds: answer.time.as_secs_f64().max(1e-6), nodes: answer.nodes.max(1) })
        })?;

    let rows: Vec<Row> =
        args.threads.iter().zip(&samples).map(|(threads, own)| row(threads.get(), own, &samples[0])).collect();
    if args.json {
        say!("{}", serde_json::to_string_pretty(&rows)?)?;
        return ended.map(|()| ExitCode::SUCCESS);
    }
    say!("{}: {} positions to depth {}, {} MB", solvers[0].name(), samples[0].len(), args.depth, args.hash)?;
    say!("threads  seconds/pos     nodes/pos        nps   time to depth: faster    nodes   nps")?;
    for row in rows {
        let count = row.positions as f64;
        say!(
            "{:>7} {:>12.4} {:>13.0} {:>10.0}   {:.3} ({:.3} to {:.3})    {:.3}   {:.3}",
            row.threads,
            row.seconds / count,
            row.nodes as f64 / count,
            row.nps,
            row.speedup[0],
            row.speedup[1],
            row.speedup[2],
            row.nodes_ratio[0],
            row.nps_ratio[0]
        )?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn row(threads: usize, own: &[Sample], first: &[Sample]) -> Row {
    let ratio = |f: fn(&Sample, &Sample) -> f64| {
        let ratios: Vec<f64> = own.iter().zip(first).map(|(own, first)| f(own, first)).collect();
        match geometric_mean_interval(&ratios) {
            Some(mean) => [mean.value, mean.low, mean.high],
            // A single position has a ratio but no interval.
            None => [ratios.first().copied().unwrap_or(1.0); 3],
        }
    };
    let seconds: f64 = own.iter().map(|sample| sample.seconds).sum();
    let nodes: u64 = own.iter().map(|sample| sample.nodes).sum();
    Row {
        threads,
        positions: own.len(),
        seconds,
        nodes,
        nps: nodes as f64 / seconds,
        speedup: ratio(|own, first| first.seconds / own.seconds),
        nodes_ratio: ratio(|own, first| own.nodes as f64 / first.nodes as f64),
        nps_ratio: ratio(|own, first| (own.nodes as f64 / own.seconds) / (first.nodes as f64 / first.seconds)),
    }
}
