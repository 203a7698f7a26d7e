//! `epd test`: the number of problems that an engine solves, and its speed.

use super::report;
use crate::analyser::{self, EngineTimeouts, SearchBudget, parse_engine, parse_option};
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::progress;
use anyhow::{Context, bail, ensure};
use bartizan_analysis::suite::{self, Comparison, SuiteRating, SuiteRun, SuiteSummary};
use bartizan_types::Escaped;
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Rating formulas of known suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rating {
    /// 2630 minus the mean time to solution in seconds; an unsolved position counts 900
    Bt2630,
    /// 1900 plus 30 points for a solution in 9 seconds, 25 in 29, 20 in 89, 15 in 179, 10 in 389, 5 in 600
    Lapuce2,
}

impl From<Rating> for SuiteRating {
    fn from(rating: Rating) -> Self {
        match rating {
            Rating::Bt2630 => Self::Bt2630,
            Rating::Lapuce2 => Self::Lapuce2,
        }
    }
}

const EXAMPLE: &str = "\
Examples:
  bartizan-tools epd test wac.epd --st 1 --save wac.json
  bartizan-tools epd test wac.epd --st 1 --engine cmd=./other-engine \\
      --compare wac.json";

/// The arguments of `epd test`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// EPD file whose positions have bm, am, dm or points in c0 to c9; other lines are skipped
    file: PathBuf,
    /// Engine to test, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    budget: SearchBudget,
    #[command(flatten)]
    timeouts: EngineTimeouts,
    /// Number of consecutive iterations with the solution that end a search [default: no limit]
    #[arg(short = 'x', long, value_name = "ITERATIONS", value_parser = clap::value_parser!(u32).range(1..))]
    hold: Option<u32>,
    /// Number of best lines to search; only the first one counts [default: 1]
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: Option<u32>,
    /// Number of concurrent searches, each by a separate engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Rating formula to apply [default: none]
    #[arg(long)]
    rating: Option<Rating>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Output file for the results, for a later --compare; an interrupted run does not replace it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// File with earlier results to compare with
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// SVG output file for a chart of solved positions over time; an interrupted run does not replace it
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print only the summary
    #[arg(short, long)]
    quiet: bool,
}

/// A run and its summary.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    run: &'a SuiteRun,
    summary: &'a SuiteSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Comparison<'a>>,
}

fn load(path: &Path) -> anyhow::Result<SuiteRun> {
    let text = bartizan_files::read(path, bartizan_files::MOST_WHOLE).with_context(|| files::cannot_read(path))?;
    serde_json::from_slice(&text)
        .with_context(|| format!("'{}' is not a result file of epd test", Escaped(path.display())))
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    for path in args.save.iter().chain(&args.plot) {
        files::refuse_input(path, [&args.file])?;
    }
    files::refuse_same(&args.save.iter().chain(&args.plot).collect::<Vec<_>>())?;
    if let Some(plot) = &args.plot {
        files::refuse_input(plot, &args.compare)?;
    }
    args.plot.as_deref().map_or(Ok(()), files::refuse_other_picture)?;
    let problems = super::suite::read(&args.file, interrupt)?;
    args.budget.check()?;
    let entry = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut options = args.options.iter().map(|text| parse_option(text)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(lines) = args.multipv {
        options.push(("MultiPV".to_owned(), lines.to_string()));
    }
    let earlier = args.compare.as_deref().map(load).transpose()?;
    let start = |_| analyser::start(entry.as_ref(), &options, args.timeouts, interrupt);
    let solvers: Vec<_> = (0..args.concurrency).map(start).collect::<anyhow::Result<_>>()?;
    let engine = solvers[0].name().to_owned();

    let bar = progress::bar(problems.len() as u64, "{bar:30} {pos}/{len}  {msg}  {eta} left", args.json)?;
    let mut solved = 0;
    let (outcomes, ended) = suite::solve_all(solvers, &problems, &args.budget.limits(), args.hold, |outcome| {
        solved += usize::from(outcome.solved);
        if !args.quiet && !args.json {
            // The summary must be delivered, so failing to print it is an error.
            bar.suspend(|| drop(say!("{}", report::line(outcome))));
        }
        bar.inc(1);
        bar.set_message(format!("{solved} solved"));
    });
    bar.finish_and_clear();

    let complete = outcomes.len() == problems.len();
    let run = SuiteRun {
        engine,
        suite: args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        limit: args.budget.to_string(),
        outcomes,
    };
    let summary = run.summary(args.rating.map(SuiteRating::from));
    // Partial results do not replace those of a whole run.
    let is_written = |path: &&PathBuf| complete || !path.exists();
    if let Some(path) = args.save.as_ref().filter(is_written) {
        files::replace(path, &serde_json::to_vec_pretty(&run)?)?;
    }
    if let Some(path) = args.plot.as_ref().filter(is_written) {
        files::replace(path, super::plot::chart(&run).to_string().as_bytes())?;
    }
    let comparison = earlier.as_ref().map(|earlier| run.compared_with(earlier));
    if args.json {
        say!("{}", serde_json::to_string_pretty(&Json { run: &run, summary: &summary, comparison })?)?;
    } else {
        say!("{}", report::summary_text(&run, &summary))?;
        if let Some(comparison) = &comparison {
            say!("{}", report::comparison_text(comparison))?;
        }
    }
    // Problems solved before the error are reported.
    ended?;
    if !complete {
        bail!(Interrupted(format!("after {} of {} positions", run.outcomes.len(), problems.len())));
    }
    ensure!(!run.outcomes.is_empty(), "no position was searched");
    Ok(ExitCode::SUCCESS)
}
