//! Observes a search before it begins.

use bartizan_position::Game;
use bartizan_search::LearntPositions;
use bartizan_types::Value;
use std::sync::Arc;

/// A search that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct SearchStart<'a> {
    /// The game whose last position is searched.
    pub game: &'a Game,
    /// The cost of a draw for the side to move, in internal centipawns.
    pub contempt: Value,
    /// Whether the search is at full strength, considers all moves, and does not look for a mate.
    pub is_ordinary: bool,
}

/// Observes the searches of an engine, as position learning does: see
/// [`Engine::search_observed`](crate::Engine::search_observed).
pub trait SearchObserver {
    /// Called before a search begins. Its clock is already running. Returns what was learnt from earlier ones.
    fn before_search(&mut self, start: &SearchStart<'_>) -> Option<Arc<LearntPositions>>;
}

/// Looks at nothing.
impl SearchObserver for () {
    fn before_search(&mut self, _: &SearchStart<'_>) -> Option<Arc<LearntPositions>> {
        None
    }
}
