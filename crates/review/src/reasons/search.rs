//! The searches that confirm claims. The crate does not search itself: a program lends it an engine.

use super::claim::Verdict;
use bartizan_position::Position;
use bartizan_protocol::Score;
use bartizan_types::{Color, Key, Move};
use std::collections::HashMap;

/// The nodes of a search that confirms a claim.
pub const NODES: u64 = 300_000;

/// The score of a mate, and the limit of all scores, in centipawns.
pub(super) const LIMIT: i32 = 1_500;

/// Something that searches positions, each time from an empty table so that the result depends on nothing else.
pub trait Searcher {
    /// Searches a position that has legal moves with about this number of nodes: the score for the side to move and the
    /// best line. `None` if the search failed or was stopped.
    fn search(&mut self, position: &Position, nodes: u64) -> Option<(Score, Vec<Move>)>;

    /// The result of a position for the side to move by endgame tables, if they know it.
    fn table(&mut self, _position: &Position) -> Option<Verdict> {
        None
    }
}

/// What a search found, if it found anything.
type Found = Option<(Score, Vec<Move>)>;

/// A searcher that remembers its results.
pub(super) struct Remembering<'a> {
    inner: &'a mut dyn Searcher,
    results: HashMap<(Key, u64), Found>,
}

impl<'a> Remembering<'a> {
    pub(super) fn new(inner: &'a mut dyn Searcher) -> Self {
        Self { inner, results: HashMap::new() }
    }
}

impl Searcher for Remembering<'_> {
    fn search(&mut self, position: &Position, nodes: u64) -> Option<(Score, Vec<Move>)> {
        let inner = &mut self.inner;
        self.results.entry((position.key(), nodes)).or_insert_with(|| inner.search(position, nodes)).clone()
    }

    fn table(&mut self, position: &Position) -> Option<Verdict> {
        self.inner.table(position)
    }
}

/// The score of a position for one side, at most [`LIMIT`]; by the rules alone if the game is over there.
pub(super) fn score(searcher: &mut dyn Searcher, position: &Position, side: Color) -> Option<i32> {
    score_with(searcher, position, side, NODES)
}

/// The same by a search of this number of nodes.
pub(super) fn score_with(searcher: &mut dyn Searcher, position: &Position, side: Color, nodes: u64) -> Option<i32> {
    let for_mover = if position.is_checkmate() {
        -LIMIT
    } else if !position.has_legal_move() || position.is_insufficient_material() {
        0
    } else {
        searcher.search(position, nodes)?.0.centipawns().clamp(-LIMIT, LIMIT)
    };
    Some(if position.turn() == side { for_mover } else { -for_mover })
}
