//! `book grow`: extends opening lines into games for a book.

use crate::files;
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::pgn::output::Output;
use crate::progress;
use anyhow::{Context, bail, ensure};
use bartizan_analysis::book::{BookGrower, without_beginnings};
use bartizan_analysis::pawns;
use bartizan_book::eco::{self, Opening};
use bartizan_engine::{EvaluationModel, SingleThreadedEngine};
use bartizan_notation::pgn::{GameTree, Nag, NodeId, PgnErrorKind, PgnGame, PgnMove, TreeReader};
use bartizan_position::Position;
use bartizan_types::{Escaped, GameResult, Move};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "\
A game ends before the first position in which one side is ahead by more than
--worst, or at --max-ply, and counts as a draw. A line in which one side is
already ahead by more is cut there and not extended. Each search starts with an
empty hash table, so the same lines and options give the same games.

Examples:
  bartizan-tools book grow lines.pgn --max-ply 24 --nodes 10000 --out games.pgn
  bartizan-tools book grow --eco --out games.pgn";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Opening lines in PGN; each variation is a line
    #[arg(value_name = "PGN", required_unless_present = "eco")]
    lines: Vec<PathBuf>,
    /// Also extend the lines of the openings table
    #[arg(long)]
    eco: bool,
    /// PGN output file, also as .gz, .bz2 or .zst
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Maximum length of a game
    #[arg(long, value_name = "PLIES", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=400))]
    max_ply: u32,
    /// Number of nodes per move
    #[arg(long, value_name = "NODES", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Largest acceptable score for either side, as the engine shows it
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 40, value_parser = clap::value_parser!(i32).range(0..))]
    worst: i32,
}

/// Moves from the starting position.
pub(super) type Line = Vec<Move>;

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    files::refuse_input(&args.out, &args.lines)?;
    let mut lines = read_all(&args.lines, args.eco, interrupt)?;
    let mut seen = HashSet::new();
    lines.iter_mut().for_each(|line| line.truncate(args.max_ply as usize));
    lines.retain(|line| seen.insert(line.clone()));
    ensure!(!lines.is_empty(), "no lines to extend");
    let mut file = Output::new(Some(&args.out))?;
    let (games, searches) = play(args, &lines, interrupt)?;
    let count = games.len();
    for game in games {
        file.write(movetext(game).as_bytes())?;
    }
    file.commit()?;
    say!("{}: {count} games from {} lines, {searches} positions searched", Escaped(args.out.display()), lines.len())?;
    Ok(())
}

/// The lines of files and, if wanted, those of the openings table.
pub(super) fn read_all(paths: &[PathBuf], eco: bool, interrupt: &Interrupt) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for path in paths {
        read(path, &mut lines, interrupt)?;
    }
    if eco {
        lines.extend(eco::openings().iter().map(Opening::line));
    }
    Ok(lines)
}

/// `?` and `??`.
const MISTAKES: [Nag; 2] = [Nag(2), Nag(4)];

/// The lines of a file, each up to the first mistake. Problems are reported, and the moves before them count.
fn read(path: &Path, lines: &mut Vec<Line>, interrupt: &Interrupt) -> anyhow::Result<()> {
    let name = Escaped(path.display());
    let interrupted = || anyhow::Error::new(Interrupted(format!("while reading '{name}'")));
    let file = input::open(path, interrupt).and_then(bartizan_files::decompress);
    if interrupt.is_set() {
        return Err(interrupted());
    }
    let mut reader = TreeReader::new(file.with_context(|| format!("cannot read '{name}'"))?);
    let mut tree = GameTree::default();
    while let Some(read) = reader.read_next(&mut tree) {
        if interrupt.is_set() {
            return Err(interrupted());
        }
        if let Err(error) = read {
            if matches!(error.kind, PgnErrorKind::Io(_)) {
                return Err(anyhow::Error::new(error).context(format!("cannot read '{name}'")));
            }
            note!("warning: '{name}': {error}");
        }
        for problem in tree.problems() {
            note!("warning: '{name}': game {}, {problem}", reader.games());
        }
        if tree.start() != Position::startpos_ref() {
            note!("warning: '{name}': game {} does not begin at the starting position, skipped", reader.games());
            continue;
        }
        let is_end = |&node: &NodeId| tree.children(node).next().is_none();
        for end in tree.descendants(tree.root()).filter(is_end) {
            let good =
                |node: NodeId| tree.mv(node).filter(|_| !tree.nags(node).iter().any(|nag| MISTAKES.contains(nag)));
            lines.push(tree.path(end).into_iter().map_while(good).collect());
        }
    }
    Ok(())
}

/// Extends the lines. Returns the games, and the number of positions searched.
fn play(args: &Args, lines: &[Line], interrupt: &Interrupt) -> anyhow::Result<(Vec<Line>, usize)> {
    let style = "{bar:30} {pos}/{len} lines  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(lines.len() as u64, style, false)?;
    let engine = SingleThreadedEngine::new(1, EvaluationModel::built_in())?;
    let mut grower = BookGrower::new(engine, args.max_ply as usize, args.nodes, args.worst);
    let mut games = Vec::with_capacity(lines.len());
    for line in lines {
        let Some(game) = grower.play_on(line, &interrupt.stop())? else {
            bar.finish_and_clear();
            bail!(Interrupted(format!("after {} lines; no game is written", games.len())));
        };
        games.push(game);
        bar.inc(1);
        bar.set_message(format!("{} positions within {}", grower.positions(), pawns(args.worst)));
    }
    bar.finish_and_clear();
    Ok((without_beginnings(games), grower.positions()))
}

/// A game as movetext only: thousands of games would have the same tags.
fn movetext(game: Line) -> String {
    let mut pgn = PgnGame::default();
    pgn.moves = game.into_iter().map(PgnMove::from).collect();
    pgn.result = GameResult::Draw;
    let text = pgn.to_string();
    text.split_once("\n\n").map_or_else(String::new, |(_, movetext)| movetext.to_owned())
}
