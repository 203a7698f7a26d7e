//! `book check`: searches every position that a book reaches.

use super::scores::{Head, Limit, Scores};
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::pgn::output::write_text;
use crate::progress;
use crate::threads::parse_threads;
use anyhow::{Context, bail, ensure};
use bartizan_analysis::book::{self, Candidates, four_fields};
use bartizan_analysis::pawns;
use bartizan_book::BookWalk;
use bartizan_engine::{EvaluationModel, SingleThreadedEngine};
use bartizan_position::Position;
use serde_json::json;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Checks every position that moves with a weight above zero reach from the
starting position, including the ends of the lines. Each search starts with an
empty hash table, so its score does not depend on the other searches and is the
one that the engine shows for the position. A line ends at its first position
beyond the limit. The exit status is 1 if there is such a position.

Examples:
  bartizan-tools book check openings.bin --worst 50 --journal scores.jsonl
  bartizan-tools book check --depth 10
  bartizan-tools book check openings.bin --journal scores.jsonl --list bad.epd
  bartizan-tools book build games.pgn --avoid bad.epd --out openings.bin";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Book [default: the built-in book]
    book: Option<PathBuf>,
    /// Depth of the searches
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Number of nodes of the searches, instead of a depth [default: none]
    #[arg(long, value_name = "NODES", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Largest acceptable score for either side, as the engine shows it
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    worst: i32,
    /// Journal of the scores, from which an interrupted check continues; other books reuse its scores [default: none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// EPD output file for the positions beyond the limit, also as .gz, .bz2 or .zst [default: none]
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Number of positions to print, largest scores first
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,
    /// Hash table size per search
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Number of concurrent searches; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn limit(&self) -> Limit {
        self.nodes.map_or(Limit::Depth(self.depth), Limit::Nodes)
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let book = super::open_or_built_in(args.book.as_ref())?;
    for path in args.list.iter().chain(&args.journal) {
        files::refuse_input(path, &args.book)?;
    }
    let mut scores = Scores::open(args.journal.as_deref(), &Head::new(args.limit(), args.hash))?;
    let walk = |scores: &Scores| {
        let is_beyond = |position: &Position| scores.get(position).is_some_and(|score| score.abs() > args.worst);
        BookWalk::new(&book, is_beyond).context("cannot read the book")
    };
    let all = walk(&scores)?;
    ensure!(all.moves > 0, "the book has no move in the starting position");
    search(args, &all, &mut scores, interrupt)?;
    let walk = walk(&scores)?;

    let score_of = |place: usize| scores.get(&walk.places[place].position).unwrap_or_default();
    let mut by_score: Vec<(usize, i32)> = (0..walk.places.len()).map(|place| (place, score_of(place))).collect();
    by_score.sort_by_key(|&(_, score)| Reverse(score.abs()));
    let beyond = by_score.iter().take_while(|(_, score)| score.abs() > args.worst).count();
    if let Some(path) = &args.list {
        let searched = args.nodes.map_or_else(|| format!("acd {}", args.depth), |nodes| format!("acn {nodes}"));
        let mut text = String::new();
        for &(place, score) in &by_score[..beyond] {
            let position = &walk.places[place].position;
            let for_mover = if position.turn().is_white() { score } else { -score };
            let _ = writeln!(text, "{} {searched}; ce {for_mover};", four_fields(position));
        }
        write_text(path, &text)?;
    }
    report(args, &walk, &by_score, beyond)?;
    Ok(if beyond == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Searches the positions that are not in the journal.
fn search(args: &Args, walk: &BookWalk, scores: &mut Scores, interrupt: &Interrupt) -> anyhow::Result<()> {
    let positions = walk.places.iter().map(|place| &place.position);
    let todo: Vec<&Position> = positions.filter(|position| scores.get(position).is_none()).collect();
    let style = "{bar:30} {pos}/{len} positions  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(walk.places.len() as u64, style, args.json)?;
    bar.set_position((walk.places.len() - todo.len()) as u64);
    bar.reset_eta();
    let mut beyond = 0;
    let engines = (0..args.threads.get()).map(|_| SingleThreadedEngine::new(args.hash, EvaluationModel::built_in()));
    let engines = engines.collect::<Result<Vec<_>, _>>()?;
    let (limits, stop) = (args.limit().limits(), interrupt.stop());
    let search =
        |engine: &mut SingleThreadedEngine, position: &Position| book::score(engine, position, limits.clone(), &stop);
    book::search_all(engines, todo.into_iter(), search, |position, score| {
        scores.insert(position, Candidates { score, moves: Vec::new() })?;
        beyond += usize::from(score.abs() > args.worst);
        bar.inc(1);
        bar.set_message(format!("{beyond} beyond {}", pawns(args.worst)));
        anyhow::Ok(())
    })?;
    let (done, all) = (bar.position(), walk.places.len());
    bar.finish_and_clear();
    if interrupt.is_set() {
        let hint = if args.journal.is_some() { "; run again to continue" } else { "" };
        bail!(Interrupted(format!("after {done} of {all} positions{hint}")));
    }
    Ok(())
}

fn report(args: &Args, walk: &BookWalk, by_score: &[(usize, i32)], beyond: usize) -> anyhow::Result<()> {
    let (positions, moves) = (walk.places.len(), walk.moves);
    let shown = by_score.iter().take(args.show);
    let name =
        args.book.as_ref().map_or_else(|| "built-in book".to_owned(), |path| path.to_string_lossy().into_owned());
    if args.json {
        let worst: Vec<_> = shown
            .map(|&(place, score)| {
                let fen = walk.places[place].position.to_fen();
                json!({ "score": score, "fen": fen, "line": walk.line(place) })
            })
            .collect();
        let all = json!({
            "book": name, "engine": bartizan_engine::NAME, "limit": args.worst, "nodes": args.nodes,
            "depth": args.nodes.is_none().then_some(args.depth),
            "positions": positions, "moves": moves, "beyond": beyond, "worst": worst,
        });
        return Ok(say!("{all:#}")?);
    }
    say!("{name}: {positions} positions, {moves} moves, {}", args.limit())?;
    let limit = f64::from(args.worst) / 100.0;
    say!("{beyond} positions beyond {limit:.2} for either side; the greatest scores, for White:")?;
    for &(place, score) in shown {
        say!("{:>7}  {}", pawns(score), walk.line(place))?;
    }
    Ok(())
}
