//! The current task of the engine.

use crate::suite::Suite;
use bartizan_engine::{SearchControl, SearchEvent, SearchInfo, StopFlag};
use bartizan_types::{Bound, Move};
use std::time::Instant;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The engine is to move.
    Think,
    /// The opponent is to move, and is expected to play a move that the protocol may not name.
    Ponder(Option<Move>),
    /// The client analyses a position.
    Analyse,
}

/// The current task of the engine.
#[derive(Debug)]
pub enum Task {
    /// Nothing.
    Idle,
    /// A search for the client.
    Searching(Searching),
    /// A perft.
    Counting(StopFlag),
    /// A suite of test positions, one search each.
    Testing(Box<Suite>, SearchControl),
    /// A review of a game.
    Reviewing(StopFlag),
}

/// A search in progress.
#[derive(Debug)]
pub struct Searching {
    /// Stops the search.
    pub control: SearchControl,
    /// The purpose of the search.
    pub purpose: Purpose,
    /// Whether its limits end it, unless it ponders.
    pub is_limited: bool,
    /// When the side to move's clock started.
    pub started: Instant,
    /// The search's reports so far.
    pub progress: SearchProgress,
}

/// A search's reports so far.
#[derive(Clone, Debug, Default)]
pub struct SearchProgress {
    /// The last exact best line.
    pub best: Option<SearchInfo>,
    /// The root move being searched and its number, from 1.
    pub current: Option<(Move, u32)>,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The factor that time management last applied to its target, in thousandths.
    pub time_factor: Option<u32>,
}

impl SearchProgress {
    /// Handles a search event.
    pub(crate) fn update(&mut self, event: &SearchEvent) {
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
            SearchEvent::Weighed { factor, .. } => self.time_factor = Some(*factor),
            _ => {}
        }
    }
}

impl Task {
    /// Whether there is no task.
    pub fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// Whether only the client can end the task: it has no limit, or it ponders.
    pub fn is_endless(&self) -> bool {
        self.search().is_some_and(|search| !search.is_limited || matches!(search.purpose, Purpose::Ponder(_)))
    }

    /// Whether the task was asked to stop and will end soon.
    pub fn is_stopping(&self) -> bool {
        match self {
            Self::Idle => false,
            Self::Searching(search) => search.control.is_stopped(),
            Self::Counting(perft) => perft.is_stopped(),
            Self::Testing(_, control) => control.is_stopped(),
            Self::Reviewing(review) => review.is_stopped(),
        }
    }

    /// The search for the client, if there is one.
    pub fn search(&self) -> Option<&Searching> {
        match self {
            Self::Searching(search) => Some(search),
            _ => None,
        }
    }

    /// The purpose of the search for the client, if there is one.
    pub fn purpose(&self) -> Option<Purpose> {
        self.search().map(|search| search.purpose)
    }

    /// Asks the task to end. A search still reports its result, a suite the current problem, a review nothing.
    pub fn stop(&mut self) {
        match self {
            Self::Idle => {}
            Self::Searching(search) => search.control.stop(),
            Self::Counting(perft) => perft.stop(),
            Self::Testing(suite, control) => {
                suite.cut_short();
                control.stop();
            }
            Self::Reviewing(review) => review.stop(),
        }
    }
}
