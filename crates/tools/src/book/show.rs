//! `book show`: the moves of a position.

use super::open;
use crate::files;
use crate::output::say;
use anyhow::{Context, anyhow};
use bartizan_book::{BookMove, PolyglotKey};
use bartizan_frontend::resolve_move;
use bartizan_notation::san::{San, split_moves};
use bartizan_position::{Game, Setup};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools book show openings.bin
  bartizan-tools book show openings.bin e4 c5 Nf3
  bartizan-tools book show openings.bin \\
      \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Book
    book: PathBuf,
    /// FEN, or moves from the starting position such as 'e4 c5' [default: the starting position]
    #[arg(value_name = "FEN|MOVES")]
    position: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let book = open(&args.book)?;
    let game = game(&args.position.join(" "))?;
    let (position, last) = (game.position(), game.preceding_move());
    let moves = book.moves(position, last).with_context(|| files::cannot_read(&args.book))?;
    let total: f64 = moves.iter().map(|mv| f64::from(mv.weight)).sum();
    let percent = |found: &BookMove| 100.0 * f64::from(found.weight) / total.max(1.0);
    let key = PolyglotKey::after(position, last);
    if args.json {
        let moves: Vec<_> = moves.iter().map(|found| {
            let san = San::new(position, found.mv).to_string();
            let uci = found.mv.to_uci(position.variant()).to_string();
            json!({ "move": uci, "san": san, "weight": found.weight, "percent": percent(found), "learn": found.learn })
        }).collect();
        let all = json!({ "fen": position.to_fen(), "key": key.to_string(), "moves": moves });
        return Ok(say!("{all:#}")?);
    }
    say!("{}  key {key}", position.to_fen())?;
    if moves.is_empty() {
        say!("no moves")?;
    }
    for found in &moves {
        let san = San::new(position, found.mv).to_string();
        say!("  {san:<7} {:>6}  {:>5.1} %", found.weight, percent(found))?;
    }
    Ok(())
}

/// The game given by a text: a FEN, or moves with or without their numbers.
fn game(text: &str) -> anyhow::Result<Game> {
    if text.contains('/') {
        let invalid = || format!("invalid FEN '{text}'");
        let setup = Setup::from_fen(text.trim()).with_context(invalid)?;
        return Game::try_from(&setup).with_context(invalid);
    }
    let mut game = Game::default();
    for san in split_moves(text) {
        let mv = resolve_move(game.position(), san);
        let mv = mv.ok_or_else(|| anyhow!("'{san}' is not a legal move after {} plies", game.moves().len()))?;
        game.push(mv)?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_given_by_moves_or_fen() {
        assert_eq!(game("").unwrap().moves().len(), 0);
        for text in ["1. e4 c5 2.Nf3 d7d6", "1 e4 1\u{2026}c5 2 Nf3 d7d6"] {
            assert_eq!(game(text).unwrap().moves().len(), 4, "{text}");
        }
        assert_eq!(game("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap().start().to_fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(game("e4 e4").unwrap_err().to_string(), "'e4' is not a legal move after 1 plies");
        assert!(format!("{:#}", game("8/8 w").unwrap_err()).starts_with("invalid FEN '8/8 w': "));
    }
}
