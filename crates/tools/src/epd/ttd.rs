//! `epd ttd`: time to several depths at several thread counts, the usual measure of Lazy SMP.
//!
//! Ratios are geometric means over the positions.

use super::measure::{Measuring, measure};
use super::suite;
use crate::analyser::{self, EngineTimeouts, parse_engine};
use crate::files;
use crate::interrupt::Interrupt;
use crate::output::say;
use crate::threads::parse_threads;
use anyhow::{bail, ensure};
use bartizan_analysis::Limits;
use bartizan_analysis::depth::{TimeSample, TimeToDepth};
use bartizan_stats::chart::{Axis, Chart, MOST_SERIES, Series};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Each position is searched once to the greatest depth; the smaller depths are
timed on the way.

Examples:
  bartizan-tools epd ttd positions.epd --depth 16 --threads 1,2,4
  bartizan-tools epd ttd positions.epd --depth 8,10,12,14 --threads 1,2,4 \\
      --plot speedup.svg";

/// The arguments of `epd ttd`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions, one EPD or FEN per line
    file: PathBuf,
    /// Search depths
    #[arg(long, value_name = "PLIES,...", value_delimiter = ',', required = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Vec<u32>,
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
    /// SVG output file for a chart of the speed-up over the depth; an interrupted run does not replace it
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    if let Some(plot) = &args.plot {
        files::refuse_input(plot, [&args.file])?;
        files::refuse_other_picture(plot)?;
    }
    let most = MOST_SERIES + 1;
    ensure!(args.plot.is_none() || args.threads.len() <= most, "--plot draws at most {most} thread counts");
    let depths = BTreeSet::from_iter(args.depth.iter().copied());
    let Some(&deepest) = depths.last() else { bail!("no depth given") };
    let positions = suite::read_every(&args.file, args.measuring.every, 1, interrupt)?;
    let entry = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut solvers = Vec::new();
    for threads in &args.threads {
        let options = [("Threads".to_owned(), threads.to_string()), ("Hash".to_owned(), args.hash.to_string())];
        solvers.push(analyser::start(entry.as_ref(), &options, args.timeouts, interrupt)?);
    }
    let limits = Limits::depth(deepest);
    let sample = |lines: &[_], answer| {
        Some(depths.iter().map(|&depth| TimeSample::of_depth(depth, lines, &answer)).collect::<Vec<_>>())
    };
    let (samples, ended) = measure(&args.file, &positions, &limits, &mut solvers, args.measuring.json, sample)?;
    let of_depth = |samples: &[Vec<TimeSample>], index: usize| -> Vec<TimeSample> {
        samples.iter().map(|position| position[index]).collect()
    };
    let row = |index: usize, depth: u32, (threads, own): (&NonZeroUsize, &Vec<_>)| {
        TimeToDepth::new(depth, threads.get(), &of_depth(own, index), &of_depth(&samples[0], index))
    };
    let rows_of = |(index, &depth): (usize, &u32)| {
        args.threads.iter().zip(&samples).map(|counted| row(index, depth, counted)).collect::<Vec<_>>()
    };
    let rows: Vec<TimeToDepth> = depths.iter().enumerate().flat_map(rows_of).collect();
    let (name, count) = (solvers[0].name(), samples[0].len());
    if let Some(plot) = args.plot.as_ref().filter(|plot| ended.is_ok() || !plot.exists()) {
        let threads = args.threads[0];
        let first = format!("{threads} thread{}", if threads.get() == 1 { "" } else { "s" });
        let title = format!("{name}: {count} positions, {} MB, compared with {first}", args.hash);
        files::replace(plot, chart(title, &rows).to_string().as_bytes())?;
    }
    if args.measuring.json {
        say!("{}", serde_json::to_string_pretty(&rows)?)?;
    } else {
        let list: Vec<String> = depths.iter().map(u32::to_string).collect();
        say!("{name}: {count} positions to depth {}, {} MB", list.join(", "), args.hash)?;
        say!("{}", table(&rows))?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

fn table(rows: &[TimeToDepth]) -> String {
    let mut lines =
        vec!["depth  threads  seconds/pos     nodes/pos        nps   time to depth: faster    nodes   nps".to_owned()];
    lines.extend(rows.iter().map(|row| {
        let count = row.positions as f64;
        format!(
            "{:>5} {:>8} {:>12.4} {:>13.0} {:>10.0}   {:.3} ({:.3} to {:.3})    {:.3}   {:.3}",
            row.depth,
            row.threads,
            row.seconds / count,
            row.nodes as f64 / count,
            row.nps,
            row.speedup[0],
            row.speedup[1],
            row.speedup[2],
            row.nodes_ratio[0],
            row.nps_ratio[0]
        )
    }));
    lines.join("\n")
}

/// The speed-up over the depth, with its intervals: a curve for each thread count but the first.
fn chart(title: String, rows: &[TimeToDepth]) -> Chart {
    let first = rows[0].depth;
    let counts = rows.iter().skip(1).take_while(|row| row.depth == first).map(|row| row.threads);
    let numbers = counts.clone().count() + 1;
    let series = counts.enumerate().map(|(index, threads)| {
        let own = || rows.iter().skip(index + 1).step_by(numbers);
        let points: Vec<[f64; 2]> = own().map(|row| [f64::from(row.depth), row.speedup[0]]).collect();
        let ranges = own().map(|row| [f64::from(row.depth), row.speedup[1], row.speedup[2]]).collect();
        Series { name: format!("Threads: {threads}"), line: points.clone(), dots: points, ranges }
    });
    let series: Vec<Series> = series.collect();
    let highest = rows.iter().map(|row| row.speedup[2]).fold(1.0, f64::max);
    let lowest = rows.iter().map(|row| row.speedup[1]).fold(1.0, f64::min);
    let last = rows.last().map_or(first, |row| row.depth);
    Chart {
        title,
        x: Axis::linear("depth", f64::from(first) - 0.5, f64::from(last) + 0.5),
        y: Axis::linear("speed-up", lowest.min(highest - 0.1), highest),
        series,
    }
}
