//! Finds the mistakes of games.

use crate::searches::{Found, Searches};
use anyhow::Result;
use bartizan_analysis::Score;
use bartizan_notation::pgn::PgnGame;
use bartizan_position::{Game, Outcome, Position};
use bartizan_review::{WhiteEval, judgement};
use bartizan_types::{Color, Move};

/// The nodes of the search of each position.
pub(crate) const NODES: u64 = 100_000;

/// A move that loses 10 points of win % or more.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    /// The number of the game in the file, from 1.
    pub(crate) game: usize,
    /// The position before the move.
    pub(crate) before: Position,
    /// The move of the opponent that led there, with the position before it.
    pub(crate) previous: Option<(Position, Move)>,
    /// The move played.
    pub(crate) played: Move,
    /// The search of the position before the move, for the mover.
    pub(crate) better: Found,
    /// The search of the position after the move, for the opponent.
    pub(crate) refutation: Found,
    /// The loss in points of win %.
    pub(crate) loss: f64,
}

impl Mistake {
    /// Whether the move loses 15 points or more.
    pub(crate) fn is_blunder(&self) -> bool {
        self.loss >= 15.0
    }

    /// The position after the move.
    pub(crate) fn after(&self) -> Position {
        self.before.play_unchecked(self.played)
    }
}

/// The chance to win in per cent, of a score for the same side.
pub(crate) fn win_percent(score: Score) -> f64 {
    judgement::win_percent(WhiteEval::new(score, Color::White))
}

/// The opinion of the last position of a game.
fn opinion(searches: &Searches, number: usize, game: &Game) -> Result<Found> {
    match game.outcome() {
        Some(Outcome::Checkmate(_)) => Ok(Found { score: Score::Mate(0), line: Vec::new() }),
        Some(_) => Ok(Found { score: Score::Cp(0), line: Vec::new() }),
        None => searches.of_game(&format!("game {number}"), game, NODES),
    }
}

/// The mistakes of a game, in order.
pub(crate) fn of_game(searches: &Searches, number: usize, read: &PgnGame) -> Result<Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let mut game = Game::new(read.start.clone());
    let mut better = opinion(searches, number, &game)?;
    for mv in &read.moves {
        let previous = game.last_move().map(|last| {
            let mut earlier = game.clone();
            earlier.pop();
            (earlier.position().clone(), last)
        });
        let before = game.position().clone();
        game.push(mv.mv)?;
        let refutation = opinion(searches, number, &game)?;
        let loss = win_percent(better.score) - (100.0 - win_percent(refutation.score));
        // A search may miss that a move is as good as its own.
        if loss >= 10.0 && better.line.first() != Some(&mv.mv) {
            let (better, refutation) = (better.clone(), refutation.clone());
            mistakes.push(Mistake { game: number, before, previous, played: mv.mv, better, refutation, loss });
        }
        better = refutation;
    }
    Ok(mistakes)
}
