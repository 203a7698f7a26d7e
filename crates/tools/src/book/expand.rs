//! `book expand`: makes a book from opening lines by searching every position.

use super::scores::{Head, Limit, Scores};
use super::{Output, grow};
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use crate::threads::parse_threads;
use anyhow::{bail, ensure};
use bartizan_analysis::book::{BookTree, candidates, search_all};
use bartizan_engine::{EvaluationModel, SingleThreadedEngine};
use bartizan_position::Position;
use bartizan_types::Escaped;
use sha2::{Digest, Sha256};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
The book grows ply by ply. When it has enough moves, only the lines continue. A
position enters it if neither side is ahead by more than --worst. The book
plays the moves of the lines, the best move, and the second best if it is at
most --margin worse. Each search starts with an empty hash table, so the same
lines and options give the same book, and 'book check' with the same nodes
finds nothing beyond --worst.

Example:
  bartizan-tools book expand --eco lines.pgn --moves 200000 \\
      --journal scores.jsonl --out large.bin";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Opening lines in PGN; each variation is a line
    #[arg(value_name = "PGN", required_unless_present = "eco")]
    lines: Vec<PathBuf>,
    /// Also use the lines of the openings table
    #[arg(long)]
    eco: bool,
    /// Output file for the book, in Polyglot format
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Journal of the searches, from which an interrupted run continues, and which `book check` can use [default: none]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Minimum number of moves in the book
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    moves: usize,
    /// Number of nodes per search; a quarter of them for the second best move
    #[arg(long, value_name = "NODES", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Largest acceptable score for either side, as the engine shows it
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    worst: i32,
    /// How much worse a second move may be
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 15, value_parser = clap::value_parser!(i32).range(0..))]
    margin: i32,
    /// Maximum length of a line
    #[arg(long, value_name = "PLIES", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=400))]
    max_ply: u32,
    /// Hash table size per search
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Number of concurrent searches; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    for path in [&args.out].into_iter().chain(&args.journal) {
        files::refuse_input(path, &args.lines)?;
    }
    let lines = grow::read_all(&args.lines, args.eco, interrupt)?;
    ensure!(lines.iter().any(|line| !line.is_empty()), "no lines to extend");
    let mut output = Output::create(&args.out)?;
    let mut scores = Scores::open(args.journal.as_deref(), &Head::new(Limit::Nodes(args.nodes), args.hash))?;
    let mut tree = BookTree::new(&lines, args.worst, args.margin)?;
    while !tree.frontier().is_empty() && tree.plies() <= args.max_ply as usize {
        search(args, &tree, &mut scores, interrupt)?;
        let (plies, positions) = (tree.plies(), tree.frontier().len());
        tree.advance(|position| scores.candidates(position));
        let moves = tree.moves();
        note!("ply {plies}: {positions} positions, {moves} moves");
        if moves >= args.moves {
            tree.only_lines();
        }
    }
    if tree.moves() < args.moves {
        note!("warning: the book has fewer moves than --moves {}", args.moves);
    }
    let mut hash = Sha256::new();
    for entry in tree.entries() {
        hash.update(entry.to_bytes());
        output.write(entry)?;
    }
    output.commit()?;
    let (name, moves) = (Escaped(args.out.display()), tree.moves());
    say!("{name}: {moves} moves, {} nodes, SHA-256 {}", args.nodes, files::hex(&hash.finalize()))?;
    Ok(())
}

/// Searches the positions of the frontier that are not in the journal.
fn search(args: &Args, tree: &BookTree, scores: &mut Scores, interrupt: &Interrupt) -> anyhow::Result<()> {
    let is_known =
        |position: &Position| scores.candidates(position).is_some_and(|found| found.is_complete(position, args.worst));
    let positions = tree.frontier();
    let todo: Vec<&Position> = positions.iter().filter(|position| !is_known(position)).collect();
    let style = "{bar:30} ply {msg}, {pos}/{len} positions  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(positions.len() as u64, style, false)?;
    bar.set_message(tree.plies().to_string());
    bar.set_position((positions.len() - todo.len()) as u64);
    bar.reset_eta();
    let engines = (0..args.threads.get()).map(|_| SingleThreadedEngine::new(args.hash, EvaluationModel::built_in()));
    let engines = engines.collect::<Result<Vec<_>, _>>()?;
    let stop = interrupt.stop();
    let search = |engine: &mut SingleThreadedEngine, position: &Position| {
        candidates(engine, position, args.nodes, args.worst, &stop)
    };
    search_all(engines, todo.into_iter(), search, |position, found| {
        bar.inc(1);
        scores.insert(position, found)
    })?;
    let (done, all) = (bar.position(), positions.len());
    bar.finish_and_clear();
    if interrupt.is_set() {
        let hint = if args.journal.is_some() { "; run again to continue" } else { "" };
        bail!(Interrupted(format!("after {done} of {all} positions of ply {}{hint}", tree.plies())));
    }
    Ok(())
}
