//! Games: a start position, the moves played, and the result.

use crate::{IllegalMove, KeyHistory, Position};
use alloc::vec::Vec;
use bartizan_types::{Color, GameResult, Move};
use core::fmt;

/// The reason for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Draw {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the material to give checkmate.
    InsufficientMaterial,
    /// The position has occurred three times; a player may claim it.
    ThreefoldRepetition,
    /// The position has occurred five times; it ends the game.
    FivefoldRepetition,
    /// 50 moves by each side without a capture or pawn move; a player may claim it.
    FiftyMoves,
    /// 75 moves by each side without a capture or pawn move; it ends the game.
    SeventyFiveMoves,
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::ThreefoldRepetition => "threefold repetition",
            Self::FivefoldRepetition => "fivefold repetition",
            Self::FiftyMoves => "50-move rule",
            Self::SeventyFiveMoves => "75-move rule",
        })
    }
}

/// How a game ended by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This side has given checkmate.
    Checkmate(Color),
    /// The game is drawn.
    Draw(Draw),
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate(winner) => Self::won_by(winner),
            Outcome::Draw(_) => Self::Draw,
        }
    }
}

/// A game: its start position and the moves played.
///
/// ```
/// use bartizan_position::{Draw, Game, Outcome, Position};
///
/// let mut game = Game::new(Position::startpos());
/// for _ in 0..2 {
///     for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///         game.push(game.position().parse_uci(mv).unwrap()).unwrap();
///     }
/// }
/// assert_eq!(game.claimable_draw(), Some(Draw::ThreefoldRepetition));
/// assert_eq!(game.outcome(), None);
/// game.pop();
/// assert_eq!(game.claimable_draw(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    line: Vec<(Move, Position)>,
    keys: KeyHistory,
}

impl Game {
    /// Creates a game from its start position.
    pub fn new(start: Position) -> Self {
        let keys = core::iter::once(start.key()).collect();
        Self { start, line: Vec::new(), keys }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.line.last().map_or(&self.start, |(_, position)| position)
    }

    /// The moves played, oldest first.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.line.iter().map(|&(mv, _)| mv)
    }

    /// The keys of all positions from the start to the current one.
    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] if the move is not legal. The game is then unchanged.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.keys.push(next.key());
        self.line.push((mv, next));
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn pop(&mut self) -> Option<Move> {
        let (mv, _) = self.line.pop()?;
        self.keys.pop();
        Some(mv)
    }

    /// How often the current position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        self.keys.repetitions(self.position().halfmove_clock()) + 1
    }

    /// The result that holds without a claim: checkmate, stalemate, insufficient material, fivefold repetition or the
    /// 75-move rule. `None` while the game continues.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate(!position.turn())
            } else {
                Outcome::Draw(Draw::Stalemate)
            });
        }
        if position.is_insufficient_material() {
            Some(Outcome::Draw(Draw::InsufficientMaterial))
        } else if position.halfmove_clock() >= 150 {
            Some(Outcome::Draw(Draw::SeventyFiveMoves))
        } else if self.occurrences() >= 5 {
            Some(Outcome::Draw(Draw::FivefoldRepetition))
        } else {
            None
        }
    }

    /// The draw that the side to move may claim. Threefold repetition takes precedence over the 50-move rule.
    pub fn claimable_draw(&self) -> Option<Draw> {
        if self.occurrences() >= 3 {
            Some(Draw::ThreefoldRepetition)
        } else if self.position().halfmove_clock() >= 100 && !self.position().is_checkmate() {
            Some(Draw::FiftyMoves)
        } else {
            None
        }
    }
}

impl Default for Game {
    /// A game from the starting position.
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}
