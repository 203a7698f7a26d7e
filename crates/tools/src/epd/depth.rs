//! `epd depth`: the depths that engines reach, and how fast their trees grow.

use super::measure::{Measuring, measure};
use super::suite;
use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine};
use crate::interrupt::Interrupt;
use crate::output::say;
use bartizan_analysis::depth::{DepthSample, Depths};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools epd depth positions.epd --nodes 1000000 \\
      --engine \"cmd=bartizan\" --engine \"cmd=stockfish option.'Use NNUE'=false\"";

/// The arguments of `epd depth`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Positions, one EPD or FEN per line
    file: PathBuf,
    #[command(flatten)]
    budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Engine to measure, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE'; may be repeated [default: the built-in
    /// engine]
    #[arg(long, value_name = "SPEC")]
    engine: Vec<String>,
    /// Hash table size of each engine
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,
    #[command(flatten)]
    measuring: Measuring,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    // A position with a single move is not informative.
    let positions = suite::read_every(&args.file, args.measuring.every, 2, interrupt)?;
    args.budget.check()?;
    let options = [("Hash".to_owned(), args.hash.to_string())];
    let mut solvers = Vec::new();
    for spec in &args.engine {
        solvers.push(analyser::start(Some(&parse_engine(spec)?), &options, args.timeouts, interrupt)?);
    }
    if solvers.is_empty() {
        solvers.push(analyser::start(None, &options, args.timeouts, interrupt)?);
    }
    let sample = |lines: &[_], _| DepthSample::new(lines);
    let (samples, ended) =
        measure(&args.file, &positions, &args.budget.limits(), &mut solvers, args.measuring.json, sample)?;
    let searched = samples.iter().map(Vec::len).max().unwrap_or(0);
    let rows: Vec<Depths> =
        solvers.iter().zip(&samples).map(|(solver, samples)| Depths::new(solver.name().to_owned(), samples)).collect();
    if args.measuring.json {
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
