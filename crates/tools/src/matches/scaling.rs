//! `match scaling`: how the difference between two engines changes with the nodes they search.

use super::args::Options;
use super::{Prepared, finish};
use crate::files;
use crate::interrupt::Interrupt;
use crate::output::say;
use anyhow::{Context, bail, ensure};
use bartizan_match::scaling::{self, Scaling, nodes_of};
use bartizan_match::{MatchEnd, MatchSettings, Standing, TournamentFormat, journal};
use bartizan_types::Escaped;
use clap::Arg;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
The engines play one match per number of nodes, all in parallel: the games of a
round are played for every number before the next round begins. --rounds is the
number of game pairs per number of nodes.

Example:
  bartizan-tools match scaling --engine cmd=./bartizan \\
      --engine \"cmd=stockfish option.'Use NNUE'=false\" \\
      --openings openings.epd --rounds 100 --concurrency 2 \\
      --journal scaling.jsonl --svg scaling.svg
  bartizan-tools match scaling --resume scaling.jsonl
  bartizan-tools match scaling --report scaling.jsonl --json";

/// The default numbers of nodes, without `--points`.
const POINTS: [u64; 7] = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000];

/// The arguments that a report accepts, which plays no games.
const REPORTING: [&str; 4] = ["report", "svg", "json", "quiet"];

fn exclude_report(arg: Arg) -> Arg {
    if REPORTING.contains(&arg.get_id().as_str()) { arg } else { arg.conflicts_with("report") }
}

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_args = exclude_report)]
pub(super) struct Args {
    /// Nodes per move; each number is a separate match [default: 5000,10000,20000,40000,80000,160000,320000]
    #[arg(long, value_name = "NODES,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..))]
    points: Vec<u64>,
    /// Journal to show the results of, without playing games [default: none]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// SVG output file for a chart of the results [default: none]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

pub(super) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let Args { points, report, svg, options } = args;
    if let Some(svg) = &svg {
        files::refuse_input(svg, report.iter().chain(&options.config))?;
    }
    svg.as_deref().map_or(Ok(()), files::refuse_other_picture)?;
    let options = options.with_file()?;
    let json = options.json;
    let (settings, standing, end) = match report {
        Some(path) => {
            let history = journal::read(&path)?;
            nodes_of(&history.settings).with_context(|| format!("cannot report '{}'", Escaped(path.display())))?;
            let standing = Standing::of(history.settings.engines.len(), &history.games);
            (history.settings, standing, MatchEnd::Complete)
        }
        None => play(options, &points, svg.as_deref(), interrupt)?,
    };
    let report = Scaling::of(&settings, &standing)?;
    if let Some(path) = svg {
        files::replace(&path, report.chart().to_string().as_bytes())?;
    }
    if json {
        say!("{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        say!("{report}")?;
    }
    finish(&settings, &standing, end)
}

fn play(
    options: Options,
    points: &[u64],
    svg: Option<&Path>,
    interrupt: &Interrupt,
) -> anyhow::Result<(MatchSettings, Standing, MatchEnd)> {
    let journal = options.resume.clone().flatten().or_else(|| options.journal.clone()).unwrap_or_default();
    let prepared = Prepared::new(with_points(options, points)?, interrupt)?;
    // The journal of another kind of match is rejected before a game is played.
    nodes_of(&prepared.settings).with_context(|| format!("cannot resume '{}'", Escaped(journal.display())))?;
    if let Some(svg) = svg {
        files::refuse_input(svg, prepared.settings.openings.iter().map(|openings| &openings.file))?;
        files::refuse_same(&prepared.outputs.iter().map(PathBuf::as_path).chain([svg]).collect::<Vec<_>>())?;
    }
    let (outcome, settings) = prepared.run()?;
    Ok((settings, outcome.standing, outcome.end))
}

/// The options of a match between the two engines for each number of nodes.
fn with_points(mut options: Options, points: &[u64]) -> anyhow::Result<Options> {
    ensure!(options.format.is_none(), "--format cannot be used here: each number of nodes is a pairing");
    ensure!(options.sprt()?.is_none(), "--sprt cannot be used here: every number of nodes gets its games");
    ensure!(options.nodes.is_none(), "--nodes cannot be used here; use --points");
    if options.engines.is_empty() && options.resume.is_some() {
        ensure!(points.is_empty(), "--points cannot be used without the engines");
        return Ok(options);
    }
    let [first, second] = &options.engines[..] else {
        bail!("scaling needs two engines, {} given", options.engines.len());
    };
    options.engines = scaling::engines([first, second], if points.is_empty() { &POINTS } else { points });
    options.format = Some(TournamentFormat::Pairs);
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use clap::{Args as _, Command};

    #[test]
    fn a_report_takes_no_option_for_playing() {
        let command = Args::augment_args(Command::new("scaling"));
        let conflicts = |arg: &Arg| command.get_arg_conflicts_with(arg).iter().any(|other| other.get_id() == "report");
        let shown = |arg: &Arg| REPORTING.contains(&arg.get_id().as_str());
        assert!(command.get_arguments().all(|arg| conflicts(arg) != shown(arg)));
        let parsed = command.try_get_matches_from(["scaling", "--report", "j", "--seed", "3"]);
        assert_eq!(parsed.unwrap_err().kind(), ErrorKind::ArgumentConflict);
    }
}
