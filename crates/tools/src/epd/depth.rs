//! `epd depth`: the depths that engines reach, and how fast their trees grow.
//!
//! Each position is searched by all engines before the next one. Each search starts with empty tables.

use super::suite;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::solver::{Budget, Patience, Solver, parse_engine};
use anyhow::{Context, bail};
use bartizan_notation::epd::Epd;
use bartizan_stats::geometric_mean;
use indicatif::{ProgressBar, ProgressStyle};
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
    let positions: Vec<_> =
        suite::read_positions(&args.file, interrupt)?.into_iter().step_by(args.every as usize).collect();
    let options = [("Hash".to_owned(), args.hash.to_string())];
    let mut solvers = Vec::new();
    for spec in &args.engine {
        solvers.push(Solver::start(Some(&parse_engine(spec)?), &options, args.patience, interrupt)?);
    }
    if solvers.is_empty() {
        solvers.push(Solver::start(None, &options, args.patience, interrupt)?);
    }
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(positions.len() as u64) };
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len}  {msg}  {eta} left").context("progress style")?);
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); solvers.len()];
    let ended = search(args, &positions, &mut solvers, &mut samples, &bar, interrupt);
    bar.finish_and_clear();
    let searched = samples.iter().map(Vec::len).max().unwrap_or(0);
    if searched == 0 {
        ended?;
        bail!("no position in '{}' can be searched", args.file.display());
    }

    let rows: Vec<Row> = solvers.iter().zip(&samples).map(|(solver, samples)| row(solver.name(), samples)).collect();
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

/// Searches the positions. The samples are those of the positions that all engines have searched, also after an error.
fn search(
    args: &Args,
    positions: &[(usize, Epd)],
    solvers: &mut [Solver],
    samples: &mut [Vec<Sample>],
    bar: &ProgressBar,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    for (index, (line, epd)) in positions.iter().enumerate() {
        // A single move is no search.
        if epd.position.count_legal_moves() < 2 {
            continue;
        }
        let mut found = Vec::new();
        for solver in solvers.iter_mut() {
            let mut iterations = Iterations::default();
            let answer = solver
                .solve(&epd.position, &args.budget, &|| interrupt.is_set(), |thought| {
                    iterations.add(thought.depth, thought.nodes);
                    iterations.last = Some((thought.seldepth, thought.time.as_secs_f64()));
                    true
                })
                .with_context(|| format!("'{}' line {line}", args.file.display()))?;
            if answer.is_none() {
                bail!(Interrupted(format!("after {index} of {} positions", positions.len())));
            }
            found.push(iterations.sample());
        }
        samples.iter_mut().zip(found).for_each(|(samples, sample)| samples.extend(sample));
        bar.inc(1);
    }
    Ok(())
}

/// The iterations of a search so far.
#[derive(Debug, Default)]
struct Iterations {
    /// Depth and nodes of the first iteration with enough nodes, and of the last one.
    first: Option<(u32, u64)>,
    deepest: Option<(u32, u64)>,
    /// Selective depth and seconds.
    last: Option<(Option<u32>, f64)>,
}

impl Iterations {
    fn add(&mut self, depth: u32, nodes: u64) {
        if nodes >= GROWTH_FROM {
            self.first.get_or_insert((depth, nodes));
        }
        self.deepest = Some((depth, nodes));
    }

    fn sample(self) -> Option<Sample> {
        let ((depth, nodes), (seldepth, seconds)) = (self.deepest?, self.last?);
        let growth = self.first.filter(|&(first, before)| first < depth && before <= nodes);
        let growth = growth.map(|(first, before)| (nodes as f64 / before as f64).powf(1.0 / f64::from(depth - first)));
        Some(Sample { depth, seldepth, nodes, seconds, growth })
    }
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
        let mut iterations = Iterations { last: Some((Some(9), 1.0)), ..Iterations::default() };
        for (depth, nodes) in [(1, 30), (2, 500), (3, 1_000), (4, 2_000), (5, 4_000)] {
            iterations.add(depth, nodes);
        }
        let sample = iterations.sample().unwrap();
        assert_eq!((sample.depth, sample.nodes), (5, 4_000));
        assert!((sample.growth.unwrap() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[5.0, 1.0, 2.0, 9.0]), Some(3.5));
    }
}
