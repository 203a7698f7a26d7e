//! `report`: pages that explain games.

use crate::files::{NewFile, cannot_write, refuse_compressed, replace};
use crate::interrupt::Interrupt;
use crate::output::note;
use crate::progress;
use crate::review::{Ended, Review, ReviewArgs, ReviewPlan, Reviewed, USUAL_NODES};
use anyhow::{Context, ensure};
use bartizan_analysis::DetailOptions;
use bartizan_review::page::{self, GameReport, ReportData};
use bartizan_types::Escaped;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLE: &str = "\
The page is one file, which needs no network and works without scripts, too. Of
several games, its first part has totals. Each move is judged by an engine: see
`pgn annotate`. With scripts, one can play through the games and the lines, and
is asked for a better move at the critical moments.

Without --st, the same games and options give the same page, whatever
--concurrency is. Without a limit, each position is searched with 100000 nodes.

Examples:
  bartizan-tools report mygame.pgn --out report.html
  bartizan-tools report games.pgn --folder reports
  bartizan-tools report games.pgn --nodes 1000000 --journal run.jsonl \\
      --out report.html";

/// The arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(flatten)]
    review: ReviewArgs,
    /// HTML output file with all games
    #[arg(short, long, value_name = "FILE", required_unless_present = "folder")]
    out: Option<PathBuf>,
    /// Output folder for a page with totals, index.html, and a page for each game
    #[arg(long, value_name = "FOLDER", conflicts_with = "out")]
    folder: Option<PathBuf>,
    /// Title of the page [default: the players]
    #[arg(long, default_value = "", hide_default_value = true)]
    title: String,
    /// Do not look for the reasons of mistakes
    #[arg(long)]
    no_reasons: bool,
}

/// Reviews the games and writes the pages.
///
/// # Errors
/// Names the file or the argument, and the problem.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    if let Some(out) = &args.out {
        refuse_compressed(out)?;
    }
    let plan = ReviewPlan {
        journal: ("report", "a journal of report"),
        usual_nodes: USUAL_NODES,
        skipped: 0,
        only_moves: true,
        details: DetailOptions { reasons: !args.no_reasons, ..DetailOptions::default() },
    };
    let outputs: Vec<&PathBuf> = args.out.iter().collect();
    let review = Review::new(&args.review, plan, &outputs, interrupt)?;
    let (engine, budget) = (review.engine_name(), format!("{} per position", review.budget()));
    // A place that cannot be written is told before the games are searched.
    let mut page = args.out.as_deref().map(NewFile::create).transpose()?;
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", shown(folder)))?;
    }
    let mut report = ReportData { title: args.title.clone(), engine, budget, games: Vec::new() };
    let mut broken = 0_u64;
    let Ended { is_complete, error } = review.run(|reviewed| {
        match reviewed {
            Reviewed::Game(_, game, details) => {
                report.games.push(GameReport::new(&game.tree, &game.judge(), &details));
            }
            Reviewed::Other(_, other) => broken += u64::from(other.is_broken),
        }
        Ok(())
    })?;
    error.map_or(Ok(()), Err)?;
    let games = report.games.len();
    ensure!(is_complete, Review::interrupted(&args.review, games as u64));
    ensure!(games > 0, "no game has a move to judge");
    if let Some(mut page) = page.take() {
        page.write_all(page::html(&report).as_bytes()).with_context(|| cannot_write(&page.path))?;
        page.commit()?;
    }
    if let Some(folder) = &args.folder {
        for file in page::pages(&report) {
            replace(&folder.join(file.name), file.html.as_bytes())?;
        }
    }
    if !args.review.quiet {
        let skipped =
            if broken > 0 { format!(", {} left out", progress::counted(broken, "broken game")) } else { String::new() };
        let place = args.out.iter().chain(&args.folder).map(|path| shown(path)).collect::<String>();
        note!("{place}: {}{skipped}", progress::counted(games as u64, "game"));
    }
    Ok(ExitCode::SUCCESS)
}

fn shown(path: &Path) -> String {
    Escaped(path.display()).to_string()
}
