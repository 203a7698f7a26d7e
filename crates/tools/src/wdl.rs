//! Fits the win-draw-loss model, which normalises scores, to games with scores.

use crate::files;
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{note, say, say_part};
use crate::records::Reading;
use anyhow::{Context, ensure};
use bartizan_training::wdl::{Data, WdlSettings, WdlSummary, chart};
use bartizan_types::Escaped;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools wdl --data games.bin --out wdl --plot";

/// The arguments of `wdl`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Games with scores: selfplay files or PGN
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Output folder for the fitted model and its accuracy, fit.json [default: not written]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output file for the fitted model as Rust source [default: not written]
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Plot predicted versus observed results to fit.svg in the output folder
    #[arg(long, requires = "out")]
    plot: bool,
    /// Treat the scores in PGN files as normalised, as this engine shows them and `match` writes them, instead of
    /// internal centipawns. Scores of `selfplay` are always internal
    #[arg(long)]
    shown: bool,
    /// Number of plies to skip at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Score at and above which positions are ignored, in internal centipawns: at large scores, more games are drawn
    /// than a logistic model can express
    #[arg(
        long,
        value_name = "CENTIPAWNS",
        default_value_t = 400,
        value_parser = clap::value_parser!(u32).range(100..=30_000)
    )]
    max_score: u32,
    /// Skip broken games and lines
    #[arg(long)]
    skip_errors: bool,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    partial: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Names the problem; then no file is written.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let in_folder = |name: &str| args.out.as_ref().map(|folder| folder.join(name));
    let (fit_file, chart_file) = (in_folder("fit.json"), in_folder("fit.svg").filter(|_| args.plot));
    let outputs: Vec<&PathBuf> = [&fit_file, &chart_file, &args.source].into_iter().flatten().collect();
    files::refuse_same(&outputs)?;
    for output in outputs {
        files::refuse_input(output, &args.data)?;
    }
    let settings = WdlSettings { shown: args.shown, skip_plies: args.skip_plies, max_score: args.max_score };
    let reading = Reading {
        files: &args.data,
        skip_errors: args.skip_errors,
        partial: args.partial,
        quiet: args.json,
        interrupt,
    };
    let data = reading.with(|files, progress, warn| Data::load(files, settings, progress, warn))?;
    let Some(data) = data else { return Ok(interrupted()) };
    let why_none = || format!("no positions to fit in {}: {}", files::names(&args.data), data.counts.why_none());
    ensure!(data.counts.positions > 0, why_none());
    let summary = WdlSummary::fit(&args.data, &data, settings)?;
    // After an interruption the user does not expect the files to change.
    if interrupt.is_set() {
        return Ok(interrupted());
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", Escaped(folder.display())))?;
    }
    if let Some(file) = fit_file {
        files::replace(&file, (serde_json::to_string_pretty(&summary)? + "\n").as_bytes())?;
    }
    if let Some(file) = chart_file {
        files::replace(&file, chart(&data.all, &summary.model()).to_string().as_bytes())?;
    }
    if let Some(file) = &args.source {
        files::replace(file, summary.model().source().as_bytes())?;
    }
    if args.json {
        say!("{}", serde_json::to_string(&summary)?)?;
    } else {
        say_part!("{summary}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn interrupted() -> ExitCode {
    note!("interrupted; no file was written");
    ExitCode::from(INTERRUPTED)
}
