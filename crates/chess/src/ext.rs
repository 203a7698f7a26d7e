//! SAN as methods of positions and games.

use bartizan_notation::san::{San, SanError, parse_san};
use bartizan_position::{Game, Position};
use bartizan_types::Move;

/// SAN for [`Position`].
pub trait PositionExt {
    /// All legal moves in SAN.
    fn legal_moves_san(&self) -> impl Iterator<Item = San>;

    /// Returns the position after a move in SAN or a similar notation; see [`parse_san()`].
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, or matches no legal move or several.
    fn play_san(&self, text: &str) -> Result<Position, SanError>;
}

impl PositionExt for Position {
    fn legal_moves_san(&self) -> impl Iterator<Item = San> {
        self.legal_moves().into_iter().map(|mv| San::new(self, mv))
    }

    fn play_san(&self, text: &str) -> Result<Position, SanError> {
        parse_san(self, text).map(|mv| self.play_unchecked(mv))
    }
}

/// SAN for [`Game`].
pub trait GameExt {
    /// Plays a move in SAN or a similar notation and returns it; see [`parse_san()`].
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, or matches no legal move or several. The game is then unchanged.
    fn push_san(&mut self, text: &str) -> Result<Move, SanError>;

    /// Like [`GameExt::push_san`], but returns the game, so that calls can be chained.
    ///
    /// ```
    /// use bartizan_chess::prelude::*;
    ///
    /// let mut game = Game::default();
    /// game.play("f3")?.play("e5")?.play("g4")?.play("Qh4")?;
    /// assert_eq!(game.outcome().map(|outcome| outcome.to_string()), Some("Black wins by checkmate".to_owned()));
    /// # Ok::<(), bartizan_chess::san::SanError>(())
    /// ```
    ///
    /// # Errors
    /// [`SanError`] if the text is not a move, or matches no legal move or several. The game is then unchanged.
    fn play(&mut self, text: &str) -> Result<&mut Self, SanError>;

    /// The moves played, in SAN.
    fn moves_san(&self) -> impl Iterator<Item = San>;
}

impl GameExt for Game {
    fn push_san(&mut self, text: &str) -> Result<Move, SanError> {
        let mv = parse_san(self.position(), text)?;
        self.push(mv).map_err(|_| SanError::Illegal { text: text.to_owned() })?;
        Ok(mv)
    }

    fn play(&mut self, text: &str) -> Result<&mut Self, SanError> {
        self.push_san(text)?;
        Ok(self)
    }

    fn moves_san(&self) -> impl Iterator<Item = San> {
        let mut position = self.start().clone();
        self.moves().map(move |mv| {
            let san = San::new(&position, mv);
            position = position.play_unchecked(mv);
            san
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Outcome;
    use bartizan_types::Color;

    #[test]
    fn games_are_played_in_san() -> Result<(), SanError> {
        let mut game = Game::default();
        for text in ["f3", "e5", "g2-g4", "Qh4"] {
            game.push_san(text)?;
        }
        assert_eq!(game.outcome(), Some(Outcome::Checkmate(Color::Black)));
        assert_eq!(game.moves_san().map(|san| san.to_string()).collect::<Vec<_>>(), ["f3", "e5", "g4", "Qh4#"]);
        Ok(())
    }

    #[test]
    fn illegal_moves_leave_the_game_unchanged() {
        let mut game = Game::default();
        assert!(game.push_san("Nd4").is_err());
        assert!(game.push_san("hello").is_err());
        assert_eq!(game, Game::default());
        assert!(Position::startpos().play_san("e5").is_err());
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap_or_default();
        assert_eq!(mate.legal_moves_san().count(), 0);
    }
}
