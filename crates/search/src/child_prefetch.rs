//! Prefetching of table entries ahead of the search.

use crate::picker::MovePicker;
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::Position;
use bartizan_types::{Key, Move};

/// Prefetches the table's buckets of the positions after the moves of a node.
///
/// Between choosing a move and probing the position after it, there is too little work to hide the memory latency. So
/// while a move is searched, the bucket of the next one is fetched as well.
pub(crate) struct ChildPrefetch {
    after_null: Key,
    /// The move whose bucket was prefetched last.
    fetched: Option<Move>,
}

impl ChildPrefetch {
    #[inline]
    pub(crate) fn new(position: &Position) -> Self {
        Self { after_null: position.key_after_null(), fetched: None }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Prefetches for `mv`, the current move, and for the move that `picker` will probably return next.
    #[inline]
    pub(crate) fn prefetch(&self, ahead: &mut ChildPrefetch, position: &Position, mv: Move, picker: &mut MovePicker) {
        let fetch = |mv| self.prefetch_table(position.key_after_step(ahead.after_null, mv));
        if ahead.fetched != Some(mv) {
            fetch(mv);
        }
        ahead.fetched = picker.peek();
        if let Some(mv) = ahead.fetched {
            fetch(mv);
        }
    }
}
