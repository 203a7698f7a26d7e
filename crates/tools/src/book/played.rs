//! `book played`: checks games of engines that played from a book.

use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, bail, ensure};
use bartizan_analysis::book::{BookGames, score};
use bartizan_analysis::pawns;
use bartizan_engine::{EvaluationModel, SingleThreadedEngine};
use bartizan_notation::pgn::{PgnReader, Strictness};
use bartizan_types::{Escaped, Limits};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Checks:
  - Every game begins in the starting position, its moves are legal, and no
    program's fault, such as an illegal move or exceeded time (tag Termination),
    lost it.
  - While the book has a move with a weight above zero, one of these is played.
  - The search score where the book ends is within the limit for both sides.
  - No two games have the same moves.
  The exit status is 1 if a check fails.

Example:
  bartizan-tools match --engine \"cmd=bartizan name=a\" \\
      --engine \"cmd=bartizan name=b\" --each option.OwnBook=true \\
      --tc 2+0.02 --rounds 20 --pgn games.pgn
  bartizan-tools book played games.pgn";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Games in PGN
    games: PathBuf,
    /// Book of both players [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Number of plies played from the book, as the players' option `Book Depth`
    #[arg(long, value_name = "PLIES", default_value_t = 100)]
    book_depth: usize,
    /// Depth of the searches
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Largest acceptable score for either side at the end of the book, as the engine shows it; at 100, half of the
    /// games are won
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    worst: i32,
    /// Hash table size
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let name = Escaped(args.games.display());
    let book = super::open_or_built_in(args.book.as_ref())?;
    let input = input::open(&args.games, interrupt).and_then(bartizan_files::decompress);
    let interrupted = |games: u64| Interrupted(format!("after {games} games"));
    if interrupt.is_set() {
        bail!(interrupted(0));
    }
    let input = input.with_context(|| format!("cannot read '{name}'"))?;
    let mut engine = SingleThreadedEngine::new(args.hash, EvaluationModel::built_in())?;
    let bar = progress::bar(None, "{pos} games  {elapsed}", args.json)?;
    let mut played = BookGames::default();
    for game in PgnReader::new(input).strictness(Strictness::Moves) {
        // Interrupted reads fail.
        if interrupt.is_set() {
            break;
        }
        let game = game.with_context(|| format!("'{name}'"))?;
        if let Some(end) = played.add(&book, args.book_depth, &game).context("cannot read the book")? {
            let Some(score) = score(&mut engine, &end, Limits::depth(args.depth), &interrupt.stop()) else { break };
            played.add_score(&end, score, args.worst);
        }
        bar.inc(1);
    }
    let checked = bar.position();
    bar.finish_and_clear();
    if interrupt.is_set() {
        bail!(interrupted(checked));
    }
    ensure!(played.games > 0, "'{name}' has no games");
    report(args, &played)?;
    Ok(if played.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn report(args: &Args, played: &BookGames) -> anyhow::Result<()> {
    let BookGames { games, by_moves, lines, plies, scores, problems } = played;
    let (different, lines) = (by_moves.len(), lines.len());
    let problems: Vec<_> = problems.iter().map(|(number, problem)| format!("game {number}: {problem}")).collect();
    let mean = plies.iter().sum::<usize>() as f64 / plies.len().max(1) as f64;
    let (least, most) = (plies.iter().min().copied().unwrap_or(0), plies.iter().max().copied().unwrap_or(0));
    let worst = scores.iter().max_by_key(|(score, _)| score.abs());
    if args.json {
        let worst = worst.map(|&(score, game)| json!({ "score": score, "game": game }));
        let all = json!({
            "games": games, "different": different, "book_lines": lines, "book_plies": plies, "depth": args.depth,
            "limit": args.worst, "worst": worst, "problems": problems,
        });
        return Ok(say!("{all:#}")?);
    }
    for problem in &problems {
        note!("error: {problem}");
    }
    say!("{games} games, {different} different, with {lines} different lines of the book")?;
    let all = if played.is_by_book() { "; all are book moves" } else { "" };
    say!("{mean:.1} plies from the book, {least} to {most}{all}")?;
    if let Some((score, game)) = worst {
        say!("greatest score where the book ends, depth {}: {} for White (game {game})", args.depth, pawns(*score))?;
    }
    say!("{} problems", problems.len())?;
    Ok(())
}
