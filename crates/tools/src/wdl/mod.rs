//! Fits the model of win, draw and loss, by which scores are shown, to games with scores.

mod calibration;
mod data;
mod plot;
mod summary;

use crate::interrupt::Interrupt;
use anyhow::{Context, ensure};
use bartizan_eval::WdlModel;
use bartizan_tuner::wdl::fit_wdl;
use std::path::PathBuf;
use std::process::ExitCode;
use summary::Summary;

/// The arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Games with scores: files of `selfplay`, or PGN; see --shown
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// Where the numbers and how well they do (fit.json) go, and the picture
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the Rust source of the numbers here
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Also draw what was foretold and what was seen (fit.svg)
    #[arg(long, requires = "out")]
    plot: bool,
    /// The scores in the files are shown ones, as in the PGN of `match`, of an engine that shows them as this program does:
    /// they are turned back first. Without it they must be internal centipawns, as `selfplay` writes them
    #[arg(long)]
    shown: bool,
    /// Passes over the first plies of each game
    #[arg(long, value_name = "N", default_value_t = 4)]
    skip_plies: usize,
    /// Only positions whose score is smaller than this, in internal centipawns: real games are drawn more often at large
    /// scores than a logistic curve can say, and what counts most is the middle of it
    #[arg(long, value_name = "CP", default_value_t = 400, value_parser = clap::value_parser!(u32).range(100..=30_000))]
    max_score: u32,
    /// Passes over broken games and lines
    #[arg(long)]
    skip_errors: bool,
    /// Write the summary as JSON to stdout
    #[arg(long)]
    json: bool,
}

/// What the fit begins with: numbers of common sense, which stood here before there were games to fit to.
pub(crate) const GUESSED: WdlModel = WdlModel { half_won: [190.0, 0.0, 0.0, 0.0], spread: [85.0, 0.0, 0.0, 0.0] };

/// Runs the command.
///
/// # Errors
/// With a message that names what is wrong; nothing is written then.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let Some(data) = data::load(&args, interrupt)? else { return Ok(interrupted()) };
    let fitted = data.all.within(args.max_score);
    let [won, drawn, lost] = fitted.results();
    ensure!(
        won > 0 && drawn > 0 && lost > 0,
        "nothing to fit to: the side that was ahead won {won}, drew {drawn} and lost {lost} of the positions taken"
    );
    let fit = fit_wdl(&fitted, GUESSED);
    ensure!(fit.converged, "the fit found no end after {} steps", fit.steps);
    let summary = Summary::new(&args, &data, &fit);
    // An interruption meanwhile means that these are not wanted.
    if interrupt.is_set() {
        return Ok(interrupted());
    }
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let text = serde_json::to_string_pretty(&summary)? + "\n";
        crate::files::replace(&folder.join("fit.json"), text.as_bytes())?;
        if args.plot {
            crate::files::replace(
                &folder.join("fit.svg"),
                plot::chart(&data.all, &summary.model()).to_string().as_bytes(),
            )?;
        }
    }
    if let Some(file) = &args.source {
        crate::files::replace(file, summary.model().source().as_bytes())?;
    }
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        print!("{summary}");
    }
    Ok(ExitCode::SUCCESS)
}

fn interrupted() -> ExitCode {
    eprintln!("interrupted: nothing was written");
    ExitCode::from(130)
}
