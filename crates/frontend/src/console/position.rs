//! `board`, `advise`, `new`, `undo`, `flip`, `perft`: commands for the current position.

use super::{ConsoleError, parse, replace_file, require_position};
use crate::terminal::board::{self, View};
use crate::words::unquoted;
use crate::{FrontEnd, TerminalStyle};
use bartizan_book::eco;
use bartizan_dtm::advice::{Advice, AdviceTables};
use bartizan_position::Game;
use bartizan_types::Color;
use std::path::Path;

pub(super) fn show_board<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let text = describe(session.engine.game(), session.output.style());
    session.output.line(text);
    Ok(())
}

/// The board, and the state that it does not show.
fn describe(game: &Game, style: TerminalStyle) -> String {
    let position = game.position();
    let board = if style.is_terminal {
        board::draw(position, View { bottom: Color::White, last_move: game.moves().last(), style }) + "\n"
    } else {
        position.diagram().to_string()
    };
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let (fen, key) = (position.to_fen(), position.key());
    let opening = eco::classify(game).map_or_else(String::new, |opening| format!("\nOpening: {opening}"));
    let checkers = format!("Checkers: {}", checkers.join(" "));
    format!("\n{board}\nFen: {fen}\nKey: {key}\n{}{opening}", checkers.trim_end())
}

/// `advise`: explains the ending on the board; `advise FILE` also writes a page.
pub(super) fn advise<F: FrontEnd>(front: &mut F, file: &str) -> Result<(), ConsoleError> {
    require_position(front, "advise")?;
    let session = front.session();
    let engine = &session.engine;
    let tables = AdviceTables { distances: engine.mate_tables(), syzygy: engine.syzygy() };
    if tables.distances.is_none() && tables.syzygy.is_none() {
        return Err(ConsoleError::NoTables);
    }
    let advice = Advice::new(engine.position(), tables)?;
    if !file.is_empty() {
        replace_file(Path::new(unquoted(file)), "an HTML page", "<!DOCTYPE html", &advice.to_html())?;
    }
    session.output.line(advice.to_string().trim_end());
    Ok(())
}

pub(super) fn new_game<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    front.session().new_game();
    front.set_game(Game::default());
    show_board(front, "")
}

pub(super) fn undo<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    let mut game = front.session().engine.game().clone();
    game.pop().ok_or(ConsoleError::NothingToUndo)?;
    front.set_game(game);
    show_board(front, "")
}

pub(super) fn flip<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    let flipped = front.session().engine.position().flipped();
    front.set_game(Game::new(flipped));
    Ok(())
}

pub(super) fn perft<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let depth = parse("perft", arguments.split_whitespace().next(), "a depth in plies")?;
    let depth = depth.ok_or(ConsoleError::Missing { command: "perft", expected: "the depth in plies" })?;
    Ok(front.session().start_perft(depth)?)
}
