//! A game: where it began, the moves played, and whether it is over.

use crate::{IllegalMove, KeyHistory, Position};
use alloc::vec::Vec;
use bartizan_types::{Color, GameResult, Move};
use core::fmt;

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Draw {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate any more.
    InsufficientMaterial,
    /// The position stands on the board for the third time; a player may claim it.
    ThreefoldRepetition,
    /// The position stands on the board for the fifth time.
    FivefoldRepetition,
    /// 50 moves of each side without capture or pawn move; a player may claim it.
    FiftyMoves,
    /// 75 moves of each side without capture or pawn move.
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

/// How a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This side has mated.
    Checkmate(Color),
    /// Nobody won.
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

/// A game from its first position on.
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
    /// A game that begins with a position.
    pub fn new(start: Position) -> Self {
        let keys = core::iter::once(start.key()).collect();
        Self { start, line: Vec::new(), keys }
    }

    /// The first position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position now on the board.
    pub fn position(&self) -> &Position {
        self.line.last().map_or(&self.start, |(_, position)| position)
    }

    /// The moves played.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.line.iter().map(|&(mv, _)| mv)
    }

    /// The keys of all positions, the first and the present one included.
    pub fn keys(&self) -> &KeyHistory {
        &self.keys
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game stays as it was.
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(mv)?;
        self.keys.push(next.key());
        self.line.push((mv, next));
        Ok(())
    }

    /// Takes back the last move.
    pub fn pop(&mut self) -> Option<Move> {
        let (mv, _) = self.line.pop()?;
        self.keys.pop();
        Some(mv)
    }

    /// How often the present position has stood on the board, this time included.
    pub fn occurrences(&self) -> usize {
        self.keys.repetitions(self.position().halfmove_clock()) + 1
    }

    /// How the game has ended without anyone's claim: mate, stalemate, insufficient material, fivefold repetition, 75
    /// moves. `None` while it goes on.
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

    /// The draw that the side to move may claim now, threefold repetition before 50 moves.
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
