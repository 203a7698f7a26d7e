//! What both engines' consoles can do for people, as text.

use bartizan_eval::{Material, evaluate, shown};
use bartizan_notation::epd::Epd;
use bartizan_notation::pgn::{PgnError, PgnReader};
use bartizan_notation::san::San;
use bartizan_position::{Game, Position};
use bartizan_types::{Move, Value};
use std::io::{self, BufReader};

/// Why a console command was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// The game in it is wrong.
    #[error("{file}: {source}")]
    Pgn {
        /// The file.
        file: String,
        /// What is wrong and where.
        source: PgnError,
    },
    /// There is no such game.
    #[error("{file}: there is no game {number}")]
    NoGame {
        /// The file.
        file: String,
        /// Its number, from 1.
        number: usize,
    },
}

/// The board with what a FEN does not show.
pub fn board(position: &Position) -> String {
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let (diagram, fen, key) = (position.diagram(), position.to_fen(), position.key());
    format!("\n{diagram}\nFen: {fen}\nKey: {key}\nCheckers: {}", checkers.join(" ")).trim_end().to_owned()
}

/// The static evaluation of a position, in words: as scores are shown, and in internal centipawns.
pub fn evaluation(position: &Position) -> String {
    match white_value(position) {
        None => "Static evaluation: none (the side to move is in check)".to_owned(),
        Some(value) => {
            let shown = f64::from(shown(value, Material::of(position))) / 100.0;
            format!(
                "Static evaluation: {shown:+.2} (white's view, in pawns as scores are shown; internally {:+} centipawns)",
                value.0
            )
        }
    }
}

fn white_value(position: &Position) -> Option<Value> {
    if position.in_check() {
        return None;
    }
    let value = evaluate(position);
    Some(if position.turn().is_white() { value } else { -value })
}

/// The static evaluation of each position of an EPD or FEN file for its side to move in internal centipawns, and behind it that of the position
/// with colours changed, which must be the same: a line each.
///
/// # Errors
/// [`FileError::Io`]. A line that is no position is named in its place.
pub fn evaluate_file(file: &str) -> Result<Vec<String>, FileError> {
    let bytes = std::fs::read(file).map_err(|source| FileError::Io { file: file.to_owned(), source })?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let value = |position: &Position| {
        if position.in_check() { "in check".to_owned() } else { evaluate(position).0.to_string() }
    };
    Ok(lines
        .map(|(index, line)| match Epd::parse(line) {
            Ok(epd) => {
                let (here, flipped) = (value(&epd.position), value(&epd.position.flipped()));
                let mark = if here == flipped { "" } else { "  DIFFERENT" };
                format!("{here:>8} {flipped:>8}  {}{mark}", epd.position.to_fen())
            }
            Err(error) => format!("{file}: line {}: {error}", index + 1),
        })
        .collect())
}

/// A game of a PGN file, counted from 1.
///
/// # Errors
/// [`FileError`] with what is wrong.
pub fn load_game(file: &str, number: usize) -> Result<Game, FileError> {
    let io_error = |source| FileError::Io { file: file.to_owned(), source };
    let reader = BufReader::new(std::fs::File::open(file).map_err(io_error)?);
    let game = PgnReader::new(reader).nth(number.saturating_sub(1));
    let game = game.ok_or_else(|| FileError::NoGame { file: file.to_owned(), number })?;
    let pgn_error = |source| FileError::Pgn { file: file.to_owned(), source };
    let game = game.map_err(pgn_error)?;
    // The reader lets nothing pass that could not be played.
    Ok(game.to_game().unwrap_or_else(|_| Game::new(game.start.clone())))
}

/// A line of moves in standard algebraic notation; it ends where a move is not legal.
pub fn san_line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        let Ok(next) = position.play(mv) else { break };
        words.push(San::new(&position, mv).to_string());
        position = next;
    }
    words.join(" ")
}
