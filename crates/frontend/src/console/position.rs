//! `board`, `eval`, `flip`, `perft`: commands about the position on the board.

use super::{ConsoleError, parse};
use crate::terminal::board::{self, View};
use crate::{FrontEnd, Style};
use bartizan_advisor::{Advice, Tables};
use bartizan_book::eco;
use bartizan_engine::{Material, shown};
use bartizan_eval::{evaluate, explain};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Value};
use std::path::Path;

pub(super) fn show_board<F: FrontEnd>(front: &mut F, _: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let text = describe(session.engine.game(), session.output.style());
    session.output.line(text);
    Ok(())
}

/// The board, and what it does not show.
fn describe(game: &Game, style: Style) -> String {
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

/// `eval` for the position on the board, `eval FILE` for those of a file.
pub(super) fn eval<F: FrontEnd>(front: &mut F, file: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    if file.is_empty() {
        if let Some(value) = session.engine.network_value() {
            let text = network_value(session.engine.position(), value);
            session.output.line(text);
        }
        let text = evaluation(session.engine.position(), session.output.style());
        session.output.line(text);
        return Ok(());
    }
    for line in evaluate_file(Path::new(file))? {
        session.output.line(line);
    }
    Ok(())
}

/// The static evaluation of a position: the value as scores are displayed and in internal centipawns, then its reasons,
/// a table of its terms and a board with the worth of each piece.
fn evaluation(position: &Position, style: Style) -> String {
    if position.in_check() {
        return "Static evaluation: none (the side to move is in check)".to_owned();
    }
    let explanation = explain(position);
    let value = explanation.white;
    let shown = f64::from(shown(value, Material::of(position))) / 100.0;
    let table = if style.colors { explanation.colored().to_string() } else { explanation.to_string() };
    format!(
        "Static evaluation: {shown:+.2} (White's view, in pawns as scores are shown; internally {:+} centipawns)\n\n{}",
        value.0,
        table.trim_end()
    )
}

/// The value of a position by the network that searches use, for the side to move.
fn network_value(position: &Position, value: Value) -> String {
    if position.in_check() {
        return "Network: no value (the side to move is in check)".to_owned();
    }
    let value = if position.turn().is_white() { value } else { -value };
    let shown = f64::from(shown(value, Material::of(position))) / 100.0;
    format!("Network: {shown:+.2} (White's view; internally {:+} centipawns). Searches use this value.", value.0)
}

/// `advise`: explains the ending on the board; `advise FILE` also writes a page.
pub(super) fn advise<F: FrontEnd>(front: &mut F, file: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let engine = &session.engine;
    let tables = Tables { distances: engine.mate_tables(), syzygy: engine.syzygy() };
    if tables.distances.is_none() && tables.syzygy.is_none() {
        return Err(ConsoleError::NoTables);
    }
    let advice = Advice::new(engine.position(), tables)?;
    if !file.is_empty() {
        let path = Path::new(file);
        bartizan_files::replace(path, advice.to_html().as_bytes())
            .map_err(|source| ConsoleError::Write { path: path.to_owned(), source })?;
    }
    session.output.line(advice.to_string().trim_end());
    Ok(())
}

/// One line for each position of an EPD or FEN file: its static evaluation for the side to move in internal centipawns,
/// and that of the mirror image with colours swapped, which must be the same. A line that is not a position is reported
/// in its place.
fn evaluate_file(path: &Path) -> Result<Vec<String>, ConsoleError> {
    let bytes = std::fs::read(path).map_err(|source| ConsoleError::Io { path: path.to_owned(), source })?;
    let value = |position: &Position| {
        if position.in_check() { "in check".to_owned() } else { evaluate(position).0.to_string() }
    };
    Ok(list::records(&list::decode(&bytes))
        .map(|(number, line)| match Epd::parse(line) {
            Ok(epd) => {
                let (here, flipped) = (value(&epd.position), value(&epd.position.flipped()));
                let mark = if here == flipped { "" } else { "  DIFFERENT" };
                format!("{here:>8} {flipped:>8}  {}{mark}", epd.position.to_fen())
            }
            Err(error) => format!("{}: line {number}: {error}", path.display()),
        })
        .collect())
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
