//! `epd depth`: the depths that engines reach, and how fast their trees grow.

use super::measure::{Measured, measure};
use super::suite;
use crate::analyser::{self, Budget, Patience, parse_engine};
use crate::interrupt::Interrupt;
use crate::output::say;
use bartizan_analysis::Line;
use bartizan_stats::geometric_mean;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools epd depth positions.epd --nodes 1000000 \\
      --engine \"cmd=bartizan\" --engine \"cmd=stockfish option.'Use NNUE'=false\"";

/// Nodes from which the growth of the tree is measured: the iterations before are too small.
const GROWTH_FROM: u64 = 500;

/// The arguments of `epd depth`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions, one EPD or FEN per line
    file: PathBuf,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    patience: Patience,
    /// Engine to measure, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE', as often as wanted [default: the built-in
    /// engine]
    #[arg(long, value_name = "SPEC")]
    engine: Vec<String>,
    /// Size of the engines' hash tables
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    /// Step through the file: 2 searches every second position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// The last completed iteration of a search.
#[derive(Clone, Copy, Debug)]
struct Sample {
    depth: u32,
    seldepth: Option<u32>,
    nodes: u64,
    seconds: f64,
    /// The factor by which a ply of depth has multiplied the nodes; `None` if there were too few iterations.
    growth: Option<f64>,
}

/// The result of an engine.
#[derive(Debug, Serialize)]
struct Row {
    engine: String,
    positions: usize,
    /// Completed depth in plies: median and mean.
    depth_median: f64,
    depth_mean: f64,
    /// Selective depth in plies; `None` if the engine does not report it.
    seldepth_median: Option<f64>,
    seldepth_mean: Option<f64>,
    /// The geometric mean of the factors by which a ply of depth multiplies the nodes.
    branching_factor: Option<f64>,
    nodes: u64,
    nps: f64,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    args.budget.check()?;
    // A position with a single move tells nothing.
    let positions = suite::read_every(&args.file, args.every, 2, interrupt)?;
    let options = [("Hash".to_owned(), args.hash.to_string())];
    let mut solvers = Vec::new();
    for spec in &args.engine {
        solvers.push(analyser::start(Some(&parse_engine(spec)?), &options, args.patience, interrupt)?);
    }
    if solvers.is_empty() {
        solvers.push(analyser::start(None, &options, args.patience, interrupt)?);
    }
    let Measured { samples, ended } =
        measure(&args.file, &positions, &args.budget.limits(), &mut solvers, args.json, |lines, _| sample(lines))?;
    let searched = samples.iter().map(Vec::len).max().unwrap_or(0);
    let rows: Vec<Row> =
        solvers.iter().zip(&samples).map(|(solver, samples)| row(solver.name().to_owned(), samples)).collect();
    if args.json {
        say!("{}", serde_json::to_string_pretty(&rows)?)?;
        return ended.map(|()| ExitCode::SUCCESS);
    }
    say!("{searched} positions, {} MB; depths: median (mean)", args.hash)?;
    say!("engine                      depth      selective   branching factor        nps")?;
    for row in rows {
        let number = |value: Option<f64>, places| value.map_or("–".to_owned(), |value| format!("{value:.places$}"));
        say!(
            "{:<22} {:>4} ({:>4.1})    {:>4} ({:>4})   {:>16} {:>10.0}",
            row.engine,
            row.depth_median,
            row.depth_mean,
            number(row.seldepth_median, 0),
            number(row.seldepth_mean, 1),
            number(row.branching_factor, 2),
            row.nps
        )?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

/// The last iteration of a search; `None` if there was none.
fn sample(lines: &[Line]) -> Option<Sample> {
    let last = lines.last()?;
    let first = lines.iter().find(|line| line.nodes >= GROWTH_FROM);
    let first = first.filter(|first| first.depth < last.depth && first.nodes <= last.nodes);
    let growth = |first: &Line| growth([first.depth, last.depth], [first.nodes, last.nodes]);
    let &Line { depth, seldepth, nodes, time, .. } = last;
    Some(Sample { depth, seldepth, nodes, seconds: time.as_secs_f64(), growth: first.map(growth) })
}

/// The factor by which a ply of depth multiplies the nodes.
fn growth(depths: [u32; 2], nodes: [u64; 2]) -> f64 {
    (nodes[1] as f64 / nodes[0] as f64).powf(1.0 / f64::from(depths[1] - depths[0]))
}

fn row(engine: String, samples: &[Sample]) -> Row {
    let depths: Vec<f64> = samples.iter().map(|sample| f64::from(sample.depth)).collect();
    let seldepths: Vec<f64> = samples.iter().filter_map(|sample| sample.seldepth.map(f64::from)).collect();
    let growths: Vec<f64> = samples.iter().filter_map(|sample| sample.growth).collect();
    let nodes = samples.iter().map(|sample| sample.nodes).sum::<u64>();
    let seconds: f64 = samples.iter().map(|sample| sample.seconds).sum();
    Row {
        engine,
        positions: samples.len(),
        depth_median: median(&depths).unwrap_or(0.0),
        depth_mean: mean(&depths).unwrap_or(0.0),
        seldepth_median: median(&seldepths),
        seldepth_mean: mean(&seldepths),
        branching_factor: geometric_mean(&growths),
        nodes,
        nps: nodes as f64 / seconds.max(1e-6),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_the_factor_for_a_ply() {
        assert!((growth([2, 5], [500, 4_000]) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 2.0, 9.0]), Some(3.5));
    }
}
