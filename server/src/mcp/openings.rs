//! The opening of a game: its name, and the moves of the book.

use super::facts::{self, Facts};
use super::games::Record;
use bartizan_book::{Book, eco};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// Of `opening`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Opening {
    /// Position now.
    pub(crate) position: Facts,
    /// Code in the Encyclopaedia of Chess Openings; absent for an unknown opening.
    pub(crate) code: Option<String>,
    /// Name of the opening.
    pub(crate) name: Option<String>,
    /// Moves that define the named line.
    pub(crate) line: Option<String>,
    /// Moves of Bartizan's opening book now, the most frequent one first.
    pub(crate) book: Vec<BookMove>,
}

/// A move of the opening book.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BookMove {
    /// The move with its number.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// How often the book plays it, in percent.
    pub(crate) percent: f64,
}

pub(crate) fn opening(book: Option<&Book>, record: &Record, position: Facts) -> Result<Opening, String> {
    let game = &record.game;
    let known = eco::classify(game);
    let moves = book.map(|book| book.moves(game.position(), game.preceding_move())).transpose();
    let moves = moves.map_err(|error| error.to_string())?.unwrap_or_default();
    let total: f64 = moves.iter().map(|mv| f64::from(mv.weight)).sum();
    let percent = |weight: u16| if total > 0.0 { (1000.0 * f64::from(weight) / total).round() / 10.0 } else { 0.0 };
    let played = moves.iter().filter(|mv| mv.weight > 0);
    let book = played.map(|mv| BookMove { mv: facts::san(game.position(), &[mv.mv]), percent: percent(mv.weight) });
    Ok(Opening {
        position,
        code: known.map(|known| known.code().to_owned()),
        name: known.map(|known| known.name().to_owned()),
        line: known.map(|known| known.moves().to_owned()),
        book: book.collect(),
    })
}

impl Opening {
    /// The opening in words.
    pub(crate) fn words(&self) -> String {
        let name = match (&self.code, &self.name, &self.line) {
            (Some(code), Some(name), Some(line)) => format!("{code} {name}: {line}."),
            _ => "The opening has no name in the table.".to_owned(),
        };
        let book: Vec<String> = self.book.iter().map(|mv| format!("{} ({} %)", mv.mv, mv.percent)).collect();
        let book = if book.is_empty() { "none".to_owned() } else { book.join(", ") };
        format!("{name}\nMoves of the book: {book}.")
    }
}
