//! A game in memory.

use super::GameResult;
use super::tags::is_derived;
use bartizan_position::{Game, IllegalMove, Position};
use bartizan_types::Move;

/// A move and what was said about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// The comment behind it; several are joined by spaces.
    pub comment: Option<String>,
}

impl From<Move> for PgnMove {
    fn from(mv: Move) -> Self {
        Self { mv, comment: None }
    }
}

/// A game: tags, the position it began with, the moves of the main line, the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags, name and value, in their order. `Result`, `SetUp`, `FEN` and `Variant` are not among them: the fields
    /// below say the same, and those tags are written from there.
    pub tags: Vec<(String, String)>,
    /// The position the game began with.
    pub start: Position,
    /// Whether the game is Chess960.
    pub chess960: bool,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<PgnMove>,
    /// How the game ended.
    pub result: GameResult,
}

impl PgnGame {
    /// A game without moves and tags.
    pub fn new(start: Position) -> Self {
        Self { tags: Vec::new(), start, chess960: false, comment: None, moves: Vec::new(), result: GameResult::Unknown }
    }

    /// The value of a tag of [`PgnGame::tags`].
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there, else at the end. `Result`, `SetUp`, `FEN` and `Variant` are ignored:
    /// set the fields instead.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        if is_derived(name) {
            return;
        }
        match self.tags.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The game played through, for its positions and its repetitions.
    ///
    /// # Errors
    /// [`IllegalMove`] when a move is not legal; none that was read is.
    pub fn to_game(&self) -> Result<Game, IllegalMove> {
        let mut game = Game::new(self.start.clone());
        self.moves.iter().try_for_each(|played| game.push(played.mv))?;
        Ok(game)
    }
}

impl Default for PgnGame {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

/// The moves, and the result if the game is over on the board.
impl From<&Game> for PgnGame {
    fn from(game: &Game) -> Self {
        let mut pgn = Self::new(game.start().clone());
        pgn.moves = game.moves().map(PgnMove::from).collect();
        pgn.result = game.outcome().map_or(GameResult::Unknown, GameResult::from);
        pgn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_replaced_in_place() {
        let mut game = PgnGame::default();
        game.set_tag("White", "a");
        game.set_tag("Black", "b");
        game.set_tag("White", "c");
        game.set_tag("Result", "1-0");
        assert_eq!(game.tags, [("White".into(), "c".into()), ("Black".into(), "b".into())]);
    }

    #[test]
    fn games_of_the_rules_become_games_of_the_file() {
        let mut game = Game::default();
        for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            game.push(game.position().parse_uci(mv).unwrap()).unwrap();
        }
        let pgn = PgnGame::from(&game);
        assert_eq!((pgn.moves.len(), pgn.result), (4, GameResult::BlackWins));
        assert_eq!(pgn.to_game(), Ok(game));
    }
}
