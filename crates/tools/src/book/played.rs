//! `book played`: checks games of engines that played from a book.

use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use crate::searcher::{Engine, pawns};
use anyhow::{Context, bail, ensure};
use bartizan_book::Book;
use bartizan_match::Termination;
use bartizan_notation::pgn::{PgnGame, PgnReader};
use bartizan_notation::san::SanExt as _;
use bartizan_position::{Game, Position};
use bartizan_types::Move;
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Checks:
  - every game begins in the starting position, its moves are legal, and it was not lost by a fault of a program, such
    as an illegal move or exceeded time (tag Termination)
  - as long as the book has a move with a weight above zero, one of these is played
  - the score of the position in which the book ends, by a search, is not beyond the limit for either side
  - no two games have the same moves
  The exit status is 1 if a check fails.

Example:
  bartizan-tools match --engine \"cmd=bartizan name=a\" --engine \"cmd=bartizan name=b\" --each option.OwnBook=true \\
      --tc 2+0.02 --rounds 20 --pgn games.pgn
  bartizan-tools book played games.pgn";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Games in PGN
    games: PathBuf,
    /// Book of both players [default: the one that is built into the engine]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Number of plies in which the book is used: the players' option `Book Depth`
    #[arg(long, value_name = "PLIES", default_value_t = 100)]
    book_depth: usize,
    /// Depth of the searches
    #[arg(long, value_name = "PLIES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Greatest score of either side where the book ends, as the engine shows it: with 100, half of the games are won
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..))]
    worst: i32,
    /// Hash table
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the games have in common.
#[derive(Default)]
struct Played {
    games: usize,
    /// The games by their moves; the value is the number of the first one.
    by_moves: HashMap<Vec<Move>, usize>,
    lines: HashMap<Vec<Move>, usize>,
    /// The plies from the book in each game.
    plies: Vec<usize>,
    /// Scores where the book ends, for White, with the number of the game.
    scores: Vec<(i32, usize)>,
    /// The number of games with a move that the book does not play where it has one.
    strays: usize,
    problems: Vec<String>,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let name = args.games.display();
    let book = match &args.book {
        Some(path) => super::open(path)?,
        None => Book::built_in().context("cannot read the built-in book")?,
    };
    let input = input::open(&args.games, interrupt).and_then(bartizan_files::decompress);
    let interrupted = |games: usize| Interrupted(format!("after {games} games"));
    if interrupt.is_set() {
        bail!(interrupted(0));
    }
    let input = input.with_context(|| format!("cannot read '{name}'"))?;
    let mut engine = Engine::new(args.hash)?;
    let bar = progress::bar(None, "{pos} games  {elapsed}", args.json)?;
    let mut played = Played::default();
    for game in PgnReader::new(input) {
        if interrupt.is_set() {
            bar.finish_and_clear();
            bail!(interrupted(played.games));
        }
        let game = game.with_context(|| format!("'{name}'"))?;
        played.games += 1;
        let number = played.games;
        if let Some(end) = played.add(args, &book, &game)? {
            let Some(score) = engine.score(&end, args.depth, interrupt)? else {
                bar.finish_and_clear();
                bail!(interrupted(number - 1));
            };
            played.scores.push((score, number));
            if score.abs() > args.worst {
                let fen = end.to_fen();
                played.problems.push(format!("game {number}: the book ends at {} in {fen}", pawns(score)));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    ensure!(played.games > 0, "'{name}' has no games");
    report(args, &played)?;
    Ok(if played.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Played {
    /// Adds a game. Returns the position in which the book ends; `None` if it did not begin in the starting position.
    fn add(&mut self, args: &Args, book: &Book, game: &PgnGame) -> anyhow::Result<Option<Position>> {
        let number = self.games;
        let mut problem = |text: String| self.problems.push(format!("game {number}: {text}"));
        let ending = game.tag("Termination").unwrap_or_default();
        let mut faults = Termination::ALL.into_iter().filter(|end| end.is_fault());
        // By the words of the standard, an abandoned game may also be one without a result.
        let is_decided = game.result.winner().is_some();
        if faults.any(|fault| ending.starts_with(&fault.to_string()) || is_decided && ending == fault.pgn()) {
            problem(format!("it ended by a fault: {ending}"));
        }
        let moves: Vec<Move> = game.moves.iter().map(|played| played.mv).collect();
        if let Some(first) = self.by_moves.get(&moves) {
            problem(format!("it has the moves of game {first}"));
        }
        if game.start != Position::startpos() {
            problem("it does not begin in the starting position".to_owned());
            return Ok(None);
        }
        let mut line = Game::new(game.start.clone());
        for &mv in moves.iter().take(args.book_depth) {
            let known = book.moves(line.position(), line.moves().last()).context("cannot read the book")?;
            let mut known = known.iter().filter(|known| known.weight > 0).peekable();
            if known.peek().is_none() {
                break;
            }
            if !known.any(|known| known.mv == mv) {
                let (san, ply) = (line.position().san(mv), line.moves().len() + 1);
                problem(format!("ply {ply}, {san}, is not a move that the book plays"));
                self.strays += 1;
                break;
            }
            line.push(mv).with_context(|| format!("game {number}"))?;
        }
        let from_book: Vec<Move> = moves.iter().copied().take(line.moves().len()).collect();
        if from_book.is_empty() {
            problem("it has no move of the book".to_owned());
        }
        self.plies.push(from_book.len());
        self.lines.entry(from_book).or_insert(number);
        self.by_moves.entry(moves).or_insert(number);
        Ok(Some(line.position().clone()))
    }
}

fn report(args: &Args, played: &Played) -> anyhow::Result<()> {
    let Played { games, by_moves, lines, plies, scores, strays, problems } = played;
    let (different, lines) = (by_moves.len(), lines.len());
    let mean = plies.iter().sum::<usize>() as f64 / plies.len().max(1) as f64;
    let (least, most) = (plies.iter().min().copied().unwrap_or(0), plies.iter().max().copied().unwrap_or(0));
    let worst = scores.iter().max_by_key(|(score, _)| score.abs());
    if args.json {
        let worst = worst.map(|&(score, game)| json!({ "score": score, "game": game }));
        let all = json!({
            "games": games, "different": different, "book_lines": lines, "book_plies": plies, "depth": args.depth,
            "limit": args.worst, "worst": worst, "problems": problems,
        });
        say!("{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    for problem in problems {
        note!("error: {problem}");
    }
    say!("{games} games, {different} different, with {lines} different lines of the book")?;
    let all = if *strays == 0 { "; all are moves that the book plays" } else { "" };
    say!("{mean:.1} plies from the book, {least} to {most}{all}")?;
    if let Some((score, game)) = worst {
        say!("greatest score where the book ends, depth {}: {} for White (game {game})", args.depth, pawns(*score))?;
    }
    say!("{} problems", problems.len())?;
    Ok(())
}
