//! A search that runs.

use crate::BestMove;
use bartizan_position::Position;
use bartizan_types::Move;
use std::time::{Duration, Instant};

/// A search that was requested and has not ended.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) position: Position,
    /// Just before the request. Earlier lines do not answer it.
    pub(crate) asked_at: Instant,
    /// The start of the engine's own time: the same, or the ponder hit.
    pub(crate) thinks_since: Instant,
    /// The maximum time that the limits allow.
    pub(crate) longest: Option<Duration>,
    pub(crate) stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// On the opponent's time.
    Pondering,
    /// On the engine's own time.
    Thinking,
    /// Told to stop.
    Stopped(Instant),
}

/// On whose time an engine searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    Own,
    Opponent,
}

impl Search {
    pub(crate) fn best_move(
        &self,
        text: String,
        mv: Option<Move>,
        ponder: Option<Move>,
        received_at: Instant,
    ) -> BestMove {
        BestMove { text, mv, ponder, elapsed: self.elapsed(received_at) }
    }

    pub(crate) fn elapsed(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.thinks_since)
    }
}
