//! `epd ttd`: time to depth at several thread counts, the usual measure of Lazy SMP.
//!
//! Ratios are geometric means over the positions.

use super::measure::{Measuring, measure};
use super::suite;
use crate::analyser::{self, EngineTimeouts, parse_engine};
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::threads::parse_threads;
use bartizan_analysis::Limits;
use bartizan_analysis::depth::{TimeSample, TimeToDepth};
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
    timeouts: EngineTimeouts,
    /// Thread counts; the others are compared with the first
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1,2", value_parser = parse_threads)]
    threads: Vec<NonZeroUsize>,
    /// Engine to measure, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Hash table size of the engine
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    #[command(flatten)]
    measuring: Measuring,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let positions = suite::read_every(&args.file, args.measuring.every, 1, interrupt)?;
    let entry = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut solvers = Vec::new();
    for threads in &args.threads {
        let options = [("Threads".to_owned(), threads.to_string()), ("Hash".to_owned(), args.hash.to_string())];
        solvers.push(analyser::start(entry.as_ref(), &options, args.timeouts, interrupt)?);
    }
    let limits = Limits::depth(args.depth);
    let sample = |_: &[_], answer| Some(TimeSample::new(&answer));
    let (samples, ended) = measure(&args.file, &positions, &limits, &mut solvers, args.measuring.json, sample)?;
    let row = |(threads, own): (&NonZeroUsize, &Vec<_>)| TimeToDepth::new(threads.get(), own, &samples[0]);
    let rows: Vec<TimeToDepth> = args.threads.iter().zip(&samples).map(row).collect();
    if args.measuring.json {
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
