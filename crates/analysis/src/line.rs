//! The results of an analysis.

use bartizan_client::Score;
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::{Bound, Limits, Move};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A line that an engine reports during a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchLine {
    /// The rank among the best lines, from 1.
    pub rank: usize,
    /// The depth, in plies.
    pub depth: u32,
    /// The greatest ply searched, if the engine reports it.
    pub seldepth: Option<u32>,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The time since the beginning of the search.
    pub time: Duration,
    /// The nodes searched so far.
    pub nodes: u64,
    /// The moves of the line, at least one.
    #[serde(deserialize_with = "some_moves")]
    pub pv: Vec<Move>,
}

fn some_moves<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Move>, D::Error> {
    let moves: Vec<Move> = Vec::deserialize(deserializer)?;
    if moves.is_empty() { Err(D::Error::custom("a line needs a move")) } else { Ok(moves) }
}

impl SearchLine {
    /// The first move.
    pub fn best(&self) -> Move {
        self.pv[0]
    }

    /// Moves to mate, positive if the side to move mates.
    pub fn mate(&self) -> Option<i32> {
        match self.score {
            Score::Mate(moves) => Some(moves),
            Score::Cp(_) => None,
        }
    }

    /// Whether this is the best line, with an exact score.
    pub fn is_main(&self) -> bool {
        self.rank == 1 && self.bound == Bound::Exact
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisResult {
    /// The best move; `None` if there is no legal move, or if an external engine answered with an illegal one.
    pub best: Option<Move>,
    /// The score of this move for the side to move, if known.
    pub score: Option<Score>,
    /// The duration of the search.
    pub time: Duration,
    /// The nodes searched.
    pub nodes: u64,
}

impl AnalysisResult {
    /// Moves to mate by the best move, if the engine announced one; positive if the side to move mates.
    pub fn mate(&self) -> Option<i32> {
        match self.score {
            Some(Score::Mate(moves)) => Some(moves),
            _ => None,
        }
    }
}

/// A line found by an analysis, with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Analysis {
    /// The position that was analysed.
    pub position: Position,
    /// The first move of the line: the best one, unless several lines were requested. `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The score from the side to move's point of view.
    pub score: Score,
    /// Whether the score is exact. It is a lower bound if the limits ended the search while it re-searched a new best
    /// move that had failed high.
    pub bound: Bound,
    /// The principal variation: the best line for both sides.
    pub pv: Vec<Move>,
    /// The depth reached, in plies.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The duration of the search.
    pub time: Duration,
}

impl Analysis {
    /// The principal variation in SAN. It ends before a move that is not legal.
    pub fn pv_san(&self) -> Vec<String> {
        let mut position = self.position.clone();
        let san = |&mv| {
            let next = position.play(mv).ok()?;
            Some(San::new(&std::mem::replace(&mut position, next), mv).to_string())
        };
        self.pv.iter().map_while(san).collect()
    }
}

/// The limits of an analysis in words, as in `1 s, depth 20, 5000 nodes`.
pub fn describe(limits: &Limits) -> String {
    let parts = [
        limits.move_time.map(|time| format!("{} s", time.as_secs_f64())),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Centipawns in pawns, with a sign.
pub fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_analysis_returns_round_trips() {
        let position = Position::startpos();
        let pv: Vec<Move> = ["e2e4", "d2d4"].map(|text| position.parse_uci(text).unwrap()).to_vec();
        let (score, bound, time) = (Score::Mate(-3), Bound::Lower, Duration::from_millis(1_500));
        let line = SearchLine { rank: 1, depth: 9, seldepth: None, score, bound, time, nodes: 7, pv: pv.clone() };
        let json = serde_json::to_string(&line).unwrap();
        assert_eq!(serde_json::from_str::<SearchLine>(&json).unwrap(), line);
        let empty = serde_json::to_string(&SearchLine { pv: Vec::new(), ..line }).unwrap();
        assert!(serde_json::from_str::<SearchLine>(&empty).is_err());
        let result = AnalysisResult { best: Some(pv[0]), score: Some(score), time, nodes: 7 };
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<AnalysisResult>(&json).unwrap(), result);
        let analysis = Analysis { position, best_move: None, score, bound, pv, depth: 9, nodes: 7, time };
        let json = serde_json::to_string(&analysis).unwrap();
        let read: Analysis = serde_json::from_str(&json).unwrap();
        assert_eq!(read, analysis);
        // The second move is White's as well.
        assert_eq!(read.pv_san(), ["e4"]);
    }
}
