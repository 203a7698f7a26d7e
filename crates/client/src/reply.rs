//! How a search ended.

use crate::{Info, ResultClaim};
use bartizan_types::Move;
use std::time::Duration;

/// How a search ended. See [`Client::play`](crate::Client::play) and [`RunningAnalysis`](crate::RunningAnalysis).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Reply {
    /// What the engine does.
    pub action: Action,
    /// The reply that the engine expects, if legal.
    pub ponder: Option<Move>,
    /// The last info of each best line, best first, with the latest counts of nodes and time. More than one with the
    /// option `MultiPV`; none if the engine reported no score.
    pub lines: Vec<Info>,
    /// Whether the engine has offered a draw. Xboard only.
    pub draw_offered: bool,
    /// The time from just before the start of the search (or the ponder hit) until the reply arrived.
    pub elapsed: Duration,
}

/// An engine's action at the end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Action {
    /// Plays a legal move.
    Move(Move),
    /// Does not move, because the game is over by checkmate or stalemate.
    NoLegalMove,
    /// Resigns. Xboard only.
    Resign,
    /// Claims that the game is over. Xboard only.
    ClaimResult(ResultClaim),
}

impl Reply {
    /// The move, if the engine plays one.
    pub fn best_move(&self) -> Option<Move> {
        match self.action {
            Action::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The last info of the best line.
    pub fn info(&self) -> Option<&Info> {
        self.lines.first()
    }
}

/// An engine's reports so far in a search.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) lines: Vec<Info>,
    pub(crate) draw_offered: bool,
}

impl Progress {
    /// There cannot be more lines than legal moves.
    const MAX_LINES: usize = 256;

    pub(crate) fn add(&mut self, info: &Info) {
        if info.score.is_none() {
            if let Some(best) = self.lines.first_mut() {
                best.update_counts(info);
            }
            return;
        }
        let rank = |info: &Info| info.multipv.unwrap_or(1).max(1);
        match self.lines.binary_search_by_key(&rank(info), rank) {
            Ok(index) => self.lines[index] = info.clone(),
            Err(index) if self.lines.len() < Self::MAX_LINES => self.lines.insert(index, info.clone()),
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Score;

    #[test]
    fn the_last_info_of_each_line_is_kept() {
        let info = |multipv, depth, score: Option<i32>| Info {
            multipv,
            depth: Some(depth),
            score: score.map(Score::Cp),
            ..Info::default()
        };
        let mut progress = Progress::default();
        progress.add(&Info { nodes: Some(1), ..Info::default() });
        progress.add(&info(Some(2), 1, Some(-5)));
        progress.add(&info(Some(1), 1, Some(3)));
        progress.add(&info(Some(1), 2, Some(4)));
        progress.add(&Info { nodes: Some(9), ..Info::default() });
        progress.add(&info(Some(u32::MAX), 1, Some(-7)));
        let lines: Vec<_> = progress.lines.iter().map(|info| (info.depth, info.nodes, info.score)).collect();
        let score = |centipawns| Some(Score::Cp(centipawns));
        assert_eq!(lines, [(Some(2), Some(9), score(4)), (Some(1), None, score(-5)), (Some(1), None, score(-7))]);
        progress.add(&info(None, 3, Some(5)));
        assert_eq!((progress.lines.len(), progress.lines[0].score), (3, score(5)));
    }
}
