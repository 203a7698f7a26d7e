//! What an engine thinks of a position.

use crate::judgement::win_percent;
use bartizan_position::Position;
use bartizan_protocol::Score;
use bartizan_types::{Color, Move};
use serde::{Deserialize, Serialize};

/// An evaluation, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhiteEval {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if Black mates; never 0.
    Mate(i32),
}

/// An engine's opinion of a position: an evaluation and a best line. It can be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionEval {
    /// The evaluation, for White.
    pub eval: WhiteEval,
    /// The best line: moves in coordinate notation, separated by spaces.
    line: String,
    /// The evaluation with the best other move, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<WhiteEval>,
}

impl WhiteEval {
    /// From a score for the side to move.
    pub fn new(score: Score, mover: Color) -> Self {
        let for_white = |number: i32| if mover.is_white() { number } else { number.saturating_neg() };
        match score {
            Score::Cp(centipawns) => Self::Cp(for_white(centipawns)),
            // A side that is mated already.
            Score::Mate(0) => Self::Mate(for_white(-1)),
            Score::Mate(moves) => Self::Mate(for_white(moves)),
        }
    }
}

impl PositionEval {
    /// From a score for the side to move, and a line from the position.
    pub fn new(position: &Position, score: Score, line: &[Move]) -> Self {
        let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
        Self { eval: WhiteEval::new(score, position.turn()), line: moves.join(" "), second: None }
    }

    /// By how much the best other move is worse, in points of win per cent, if it is known.
    pub fn margin(&self) -> Option<f64> {
        // For the mover, the best move is never the worse one.
        Some((win_percent(self.eval) - win_percent(self.second?)).abs())
    }

    /// The best line of the position, at most `length` moves. It ends before a move that is not legal.
    pub fn line(&self, position: &Position, length: usize) -> Vec<Move> {
        let mut position = position.clone();
        let play = |word| {
            let mv = position.parse_uci(word).ok()?;
            position.make_unchecked(mv);
            Some(mv)
        };
        self.line.split(' ').take(length).map_while(play).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opinion_is_for_white_and_can_be_stored() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4p3/4K3 b - - 0 1").unwrap();
        let line: Vec<Move> = ["e8d7"].iter().map(|text| position.parse_uci(text).unwrap()).collect();
        let mut opinion = PositionEval::new(&position, Score::Cp(120), &line);
        assert_eq!((opinion.eval, opinion.line(&position, 4)), (WhiteEval::Cp(-120), line));
        let json = serde_json::to_string(&opinion).unwrap();
        assert_eq!(json, r#"{"eval":{"cp":-120},"line":"e8d7"}"#);
        assert_eq!(serde_json::from_str::<PositionEval>(&json).unwrap(), opinion);
        assert_eq!(opinion.margin(), None);
        opinion.second = Some(WhiteEval::Cp(0));
        assert!((opinion.margin().unwrap() - 10.87).abs() < 0.01);
        assert_eq!(WhiteEval::new(Score::Mate(0), Color::Black), WhiteEval::Mate(1));
        // The line belongs to another position.
        assert_eq!(opinion.line(&Position::startpos(), 4), []);
    }
}
