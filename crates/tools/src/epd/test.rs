//! `epd test`: the number of problems that an engine solves, and its speed.

use super::report::{self, Outcome, Run};
use super::suite::{self, Named};
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::progress;
use crate::solver::{Budget, Patience, Solver, parse_engine, parse_option};
use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use crossbeam::channel::unbounded;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Rating formulas of known suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rating {
    /// 2630 minus the mean time to the solution in seconds, where an unsolved position counts 900
    Bt2630,
}

const EXAMPLE: &str = "\
Example:
  bartizan-tools epd test wac.epd --st 1 --save wac.json
  bartizan-tools epd test wac.epd --st 1 --engine cmd=./other-engine --compare wac.json";

/// The arguments of `epd test`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Suite of EPD positions with bm, am, dm or points in c0 to c9; other lines are skipped
    file: PathBuf,
    /// Engine to test, as 'cmd=PATH proto=uci|xboard option.NAME=VALUE' [default: the built-in engine]
    #[arg(long, value_name = "SPEC")]
    engine: Option<String>,
    /// Option of the engine; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    #[command(flatten)]
    budget: Budget,
    #[command(flatten)]
    patience: Patience,
    /// Number of iterations with the solution after which a search stops [default: no limit]
    #[arg(short = 'x', long, value_name = "ITERATIONS", value_parser = clap::value_parser!(u32).range(1..))]
    hold: Option<u32>,
    /// Number of best lines to search; only the first one is judged [default: 1]
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: Option<u32>,
    /// Number of positions searched at once, each by a separate engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// Rating formula to apply [default: none]
    #[arg(long)]
    rating: Option<Rating>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// File for the results, for a later --compare; an interrupted run does not replace it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// File with earlier results to compare with
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// SVG file for a chart of solved positions against time; an interrupted run does not replace it
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print only the summary
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    args.budget.check()?;
    for path in args.save.iter().chain(&args.plot) {
        files::refuse_input(path, [&args.file])?;
    }
    files::refuse_same(&args.save.iter().chain(&args.plot).collect::<Vec<_>>())?;
    if let Some(plot) = &args.plot {
        files::refuse_input(plot, &args.compare)?;
    }
    args.plot.as_deref().map_or(Ok(()), files::refuse_other_picture)?;
    let problems = suite::read(&args.file, interrupt)?;
    let entry = args.engine.as_deref().map(parse_engine).transpose()?;
    let mut options = args.options.iter().map(|text| parse_option(text)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(lines) = args.multipv {
        options.push(("MultiPV".to_owned(), lines.to_string()));
    }
    let earlier = args.compare.as_deref().map(Run::load).transpose()?;
    let mut solvers = Vec::new();
    for _ in 0..args.concurrency {
        solvers.push(Solver::start(entry.as_ref(), &options, args.patience, interrupt)?);
    }
    let engine = solvers[0].name();

    let bar = progress::bar(problems.len() as u64, "{bar:30} {pos}/{len}  {msg}  {eta} left", args.json)?;
    let mut outcomes: Vec<Option<Outcome>> = vec![None; problems.len()];
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let is_ended = || interrupt.is_set() || failed.load(Relaxed);
    let mut fault = None;
    thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, results) = unbounded();
        for mut solver in solvers {
            let (sender, next, problems, is_ended) = (sender.clone(), &next, &problems, &is_ended);
            let work = move || {
                // Relaxed: each index is handed out once; the channel orders the rest.
                while !is_ended()
                    && let Some((index, problem)) = nth(problems, next.fetch_add(1, Relaxed))
                {
                    // A search that was cut off does not count.
                    let Some(outcome) = solve(&mut solver, problem, args, is_ended).transpose() else { return };
                    if sender.send((index, outcome)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).context("cannot start a thread")?;
        }
        drop(sender);
        let mut solved = 0;
        for (index, outcome) in results {
            let outcome = match outcome.with_context(|| problems[index].name.clone()) {
                Ok(outcome) => outcome,
                // What was solved before is reported.
                Err(error) => {
                    failed.store(true, Relaxed);
                    fault.get_or_insert(error);
                    continue;
                }
            };
            solved += usize::from(outcome.solved);
            if !args.quiet && !args.json {
                // The summary is what must arrive.
                bar.suspend(|| drop(say!("{}", report::line(&outcome))));
            }
            bar.inc(1);
            bar.set_message(format!("{solved} solved"));
            outcomes[index] = Some(outcome);
        }
        Ok(())
    })?;
    bar.finish_and_clear();

    let complete = outcomes.iter().all(Option::is_some);
    let run = Run {
        engine,
        suite: args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        limit: args.budget.to_string(),
        outcomes: outcomes.into_iter().flatten().collect(),
    };
    let summary = run.summary(args.rating.is_some());
    // Part of the results does not replace those of a whole run.
    let is_written = |path: &&PathBuf| complete || !path.exists();
    if let Some(path) = args.save.as_ref().filter(is_written) {
        run.save(path)?;
    }
    if let Some(path) = args.plot.as_ref().filter(is_written) {
        files::replace(path, super::plot::chart(&run).to_string().as_bytes())?;
    }
    if args.json {
        let comparison = earlier.as_ref().map(|earlier| report::compare(earlier, &run));
        say!("{}", serde_json::to_string_pretty(&report::Json { run: &run, summary: &summary, comparison })?)?;
    } else {
        say!("{}", report::summary_text(&run, &summary))?;
        if let Some(earlier) = &earlier {
            say!("{}", report::compare(earlier, &run))?;
        }
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    if !complete {
        bail!(Interrupted(format!("after {} of {} positions", run.outcomes.len(), problems.len())));
    }
    ensure!(!run.outcomes.is_empty(), "no position was searched");
    Ok(ExitCode::SUCCESS)
}

fn nth(problems: &[Named], index: usize) -> Option<(usize, &Named)> {
    problems.get(index).map(|problem| (index, problem))
}

/// The result of a problem; `None` if `is_ended` holds before the search has ended.
fn solve(
    solver: &mut Solver,
    named: &Named,
    args: &Args,
    is_ended: &dyn Fn() -> bool,
) -> anyhow::Result<Option<Outcome>> {
    let (problem, position) = (&named.problem, &named.problem.epd().position);
    // Time and nodes since when the best move has been the solution, without a break.
    let mut since = None;
    let (mut held, mut last_depth, mut last_move) = (0, 0, None);
    let answer = solver.solve(position, &args.budget, is_ended, |thought| {
        if problem.is_solved(thought.mv, thought.mate) {
            since.get_or_insert((thought.time, thought.nodes));
            // Several lines of the same depth are one iteration.
            held += u32::from(thought.depth > last_depth);
        } else {
            since = None;
            held = 0;
        }
        (last_depth, last_move) = (thought.depth, Some(thought.mv));
        args.hold.is_none_or(|hold| held < hold)
    })?;
    let Some(answer) = answer else { return Ok(None) };
    let solved = answer.mv.is_some_and(|mv| problem.is_solved(mv, answer.mate));
    let since = since.filter(|_| solved && last_move == answer.mv);
    let (time, nodes) = since.unwrap_or((answer.time, answer.nodes));
    let san = answer.mv.map(|mv| bartizan_notation::san::San::new(position, mv).to_string());
    Ok(Some(Outcome {
        name: named.name.clone(),
        expected: problem.to_string(),
        played: san.unwrap_or_else(|| "(none)".to_owned()),
        solved,
        seconds: time.as_secs_f64(),
        nodes,
        total_seconds: answer.time.as_secs_f64(),
        total_nodes: answer.nodes,
        points: problem.has_points().then(|| [answer.mv.map_or(0, |mv| problem.points_of(mv)), problem.most_points()]),
    }))
}
