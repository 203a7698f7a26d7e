//! What may look at a search before it begins.

use bartizan_position::Game;
use bartizan_search::TranspositionTable;
use bartizan_types::Value;

/// A search that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct SearchStart<'a> {
    /// The game whose last position is searched.
    pub game: &'a Game,
    /// The hash table. What is stored in it now, the search knows.
    pub table: &'a TranspositionTable,
    /// What a draw costs the side to move, in internal centipawns.
    pub contempt: Value,
    /// Whether the search is at full strength, of all moves, and not for a mate.
    pub is_ordinary: bool,
}

/// Looks at the searches of an engine, as position learning does: see
/// [`Engine::search_observed`](crate::Engine::search_observed).
pub trait SearchObserver {
    /// Called before a search begins. Its clock runs already.
    fn before_search(&mut self, start: &SearchStart<'_>);
}

/// Looks at nothing.
impl SearchObserver for () {
    fn before_search(&mut self, _: &SearchStart<'_>) {}
}
