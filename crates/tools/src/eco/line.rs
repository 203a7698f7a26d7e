//! `eco lookup`: the opening of a position, or of a line of moves.

use super::to_json;
use crate::files::shown;
use crate::output::{note, say};
use anyhow::Context;
use bartizan_book::eco::{self, Opening};
use bartizan_notation::san::{parse_san, split_moves};
use bartizan_position::{Game, Position, Tolerance};
use std::process::ExitCode;

const EXAMPLE: &str = "\
Examples:
  bartizan-tools eco lookup 1. Nf3 c5 2. e4
  bartizan-tools eco lookup g1f3 c7c5 e2e4 --json
  bartizan-tools eco lookup \\
      'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'";

/// The arguments of `eco lookup`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// FEN, or moves from the starting position
    #[arg(value_name = "FEN|MOVES", required = true, num_args = 1..)]
    line: Vec<String>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = args.line.join(" ");
    let found = find(text.trim())?;
    match found {
        Some(opening) if args.json => say!("{}", to_json(opening))?,
        None if args.json => say!("null")?,
        Some(opening) => say!("{opening}\n{}", opening.moves())?,
        None => note!("no opening found"),
    }
    // As with grep, the exit status tells a script that there is none.
    Ok(if found.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The opening of a FEN, or of the last position in a line of moves that is on a line of the table.
fn find(text: &str) -> anyhow::Result<Option<&'static Opening>> {
    // Only a FEN's piece placement has seven slashes; moves have none.
    if text.matches('/').count() >= 7 {
        let fen = || format!("invalid FEN '{}'", shown(text));
        return Ok(eco::lookup(&Position::from_fen_with(text, Tolerance::ALL).with_context(fen)?));
    }
    let mut game = Game::default();
    for san in split_moves(text) {
        let mv = parse_san(game.position(), san).with_context(|| format!("move {}", game.moves().len() / 2 + 1))?;
        game.push(mv)?;
    }
    Ok(eco::classify(&game))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        match find(text) {
            Ok(found) => found.map_or_else(|| "none".to_owned(), ToString::to_string),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn positions_and_moves() {
        let sicilian = "B27 Sicilian Defence";
        for text in ["1. Nf3 c5 2. e4", "1.Nf3 c5 2.e4", "g1f3 c7c5 e2e4"] {
            assert_eq!(name(text), sicilian, "{text}");
        }
        assert_eq!(name("Nf3 c5 e4 Qa5"), "B27 Sicilian Defence: Mongoose Variation");
        assert_eq!(name("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"), sicilian);
        assert_eq!(name("1. e4 e5 2. Bc4 Bc5 3. O-O"), "move 3: illegal move 'O-O'");
        let empty = "8/8/8/8/8/8/8/8 w - - 0 1";
        let error = format!("invalid FEN '{empty}': illegal position: white has no king; black has no king");
        assert_eq!(name(empty), error);
        assert_eq!(name("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "none");
    }

    /// Between two lines of the table, a FEN has the opening of the moves, whatever their order.
    #[test]
    fn positions_on_the_way_to_a_line() {
        let averbakh = "A42 Modern Defence: Averbakh System";
        for text in ["1. e4 g6 2. d4 Bg7 3. c4 c5 4. Nc3 d6", "1. c4 g6 2. e4 Bg7 3. d4 d6 4. Nc3 c5"] {
            assert_eq!(name(text), averbakh, "{text}");
        }
        assert_eq!(name("rnbqk1nr/pp2ppbp/3p2p1/2p5/2PPP3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 5"), averbakh);
    }
}
