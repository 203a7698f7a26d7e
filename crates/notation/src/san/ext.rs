//! SAN as methods of positions and games.

use super::{Lan, San, SanError, parse_san, parse_san_strict};
use bartizan_position::{Game, Position};
use bartizan_types::Move;

/// SAN as methods of [`Position`] and [`Game`].
///
/// ```
/// use bartizan_notation::san::SanExt;
/// use bartizan_position::Game;
///
/// let mut game = Game::default();
/// for text in ["e4", "c5", "Nf3"] {
///     game.push(game.parse_san(text)?)?;
/// }
/// let replies: Vec<String> = game.position().legal_moves().iter().map(|&mv| game.san(mv).to_string()).collect();
/// assert!(replies.contains(&"d6".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SanExt {
    /// Reads a move in SAN or a similar notation; see [`parse_san()`].
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, matches no legal move, or matches several.
    fn parse_san(&self, text: &str) -> Result<Move, SanError>;

    /// Reads a move that is written exactly as the standard says; see [`parse_san_strict()`].
    ///
    /// # Errors
    /// [`SanError`] as [`SanExt::parse_san`], and if the text is another spelling of a legal move.
    fn parse_san_strict(&self, text: &str) -> Result<Move, SanError>;

    /// Writes a move in SAN; see [`San::new`].
    fn san(&self, mv: Move) -> San;

    /// Writes a move in long algebraic notation; see [`Lan::new`].
    fn lan(&self, mv: Move) -> Lan;
}

impl SanExt for Position {
    fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        parse_san(self, text)
    }

    fn parse_san_strict(&self, text: &str) -> Result<Move, SanError> {
        parse_san_strict(self, text)
    }

    fn san(&self, mv: Move) -> San {
        San::new(self, mv)
    }

    fn lan(&self, mv: Move) -> Lan {
        Lan::new(self, mv)
    }
}

/// Moves of the current position.
impl SanExt for Game {
    fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        parse_san(self.position(), text)
    }

    fn parse_san_strict(&self, text: &str) -> Result<Move, SanError> {
        parse_san_strict(self.position(), text)
    }

    fn san(&self, mv: Move) -> San {
        San::new(self.position(), mv)
    }

    fn lan(&self, mv: Move) -> Lan {
        Lan::new(self.position(), mv)
    }
}
