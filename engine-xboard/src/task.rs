//! What the engine is busy with.

use bartizan_engine::suite::Suite;
use bartizan_engine::{Perft, PerftEvent, SearchControl, SearchEvent, SearchInfo};
use bartizan_protocol::xboard::Status;
use bartizan_types::{Bound, Move};
use crossbeam::channel::{Receiver, never};
use std::time::Instant;

/// What a search is for.
pub(crate) enum Purpose {
    /// The engine is to move.
    Think,
    /// The opponent is, and is expected to play this.
    Ponder(Move),
    /// Nobody plays.
    Analyse,
    /// A console user has asked.
    Test(Box<Suite>),
}

/// A search under way.
pub(crate) struct Running {
    pub(crate) control: SearchControl,
    pub(crate) events: Receiver<SearchEvent>,
    pub(crate) purpose: Purpose,
    pub(crate) started: Instant,
    pub(crate) progress: Progress,
}

/// What a search has said so far.
#[derive(Default)]
pub(crate) struct Progress {
    pub(crate) best: Option<SearchInfo>,
    current: Option<(Move, u32)>,
    depth: u32,
    /// What the last word about time made of its target, in thousandths.
    pub(crate) factor: Option<u32>,
}

impl Progress {
    pub(crate) fn note(&mut self, event: &SearchEvent) {
        match event {
            SearchEvent::Info(info) => {
                self.depth = info.depth;
                if info.multipv == 1 && info.bound == Bound::Exact && !info.pv.is_empty() {
                    self.best = Some(info.clone());
                }
            }
            SearchEvent::CurrentMove { depth, mv, number } => {
                self.depth = *depth;
                self.current = Some((*mv, *number));
            }
            SearchEvent::Weighed { factor, .. } => self.factor = Some(*factor),
            _ => {}
        }
    }
}

impl Running {
    /// The answer to `.`; `moves` is how many there are at the root.
    pub(crate) fn status(&self, moves: u32, name: impl Fn(Move) -> String) -> Status {
        let Progress { best, current, depth, .. } = &self.progress;
        let nodes = best.as_ref().map_or(0, |info| info.nodes);
        let searched = current.map_or(moves, |(_, number)| number);
        let mv = current.map(|(mv, _)| mv).or_else(|| best.as_ref()?.pv.first().copied());
        Status {
            time: (self.started.elapsed().as_millis() / 10) as u64,
            nodes,
            ply: *depth,
            moves_left: moves.saturating_sub(searched),
            moves,
            current: mv.map(name).unwrap_or_default(),
        }
    }
}

/// What the engine is busy with.
pub(crate) enum Task {
    Idle,
    Search(Box<Running>),
    Perft(Perft),
}

impl Task {
    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self, Self::Search(running) if matches!(running.purpose, Purpose::Think))
    }

    pub(crate) fn search(&self) -> Option<&Running> {
        match self {
            Self::Search(running) => Some(running),
            _ => None,
        }
    }

    /// What it says.
    pub(crate) fn events(&self) -> (Receiver<SearchEvent>, Receiver<PerftEvent>) {
        match self {
            Self::Idle => (never(), never()),
            Self::Search(running) => (running.events.clone(), never()),
            Self::Perft(perft) => (never(), perft.events.clone()),
        }
    }
}
