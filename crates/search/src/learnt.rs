//! Positions whose deep results are known from earlier searches: see [`Search::learnt`](crate::Search::learnt).
//!
//! A result guides every search that is less deep. At the root its move is the only one to be searched, until an
//! iteration as deep may contradict it. On the principal variation its value bounds that of the node. Off the principal
//! variation its entry in the transposition table is enough: a bound that is much less deep does not replace it there.

use crate::cutoff::is_exempt;
use crate::known;
use crate::root;
use crate::table::{TableEntry, TranspositionTable};
use crate::worker::Worker;
use bartizan_eval::Evaluator;
use bartizan_position::{Game, Position};
use bartizan_types::{Bound, Depth, Key, Move, Ply, Value};
use std::collections::HashMap;

/// The greatest halfmove clock of a root, in plies, at which a result from another game holds.
const LATEST_CLOCK: u16 = 20;

/// The rank of the learnt move among the root moves; the others have 0.
const LEARNT_RANK: i32 = 1;

/// Results of earlier searches by the keys of their positions.
///
/// ```
/// use bartizan_eval::HandCrafted;
/// use bartizan_position::Game;
/// use bartizan_search::{Limits, LearntPositions, Search, TableEntry, ThreadPool, TranspositionTable};
/// use bartizan_types::{Bound, Depth, Value};
/// use std::sync::Arc;
///
/// let game = Game::default();
/// let mv = game.position().parse_uci("g2g4")?;
/// let entry =
///     TableEntry { mv: Some(mv), value: Value(90), eval: None, depth: Depth(20), bound: Bound::Exact, is_pv: false };
/// let learnt: LearntPositions = [(game.position().key(), entry)].into_iter().collect();
/// let mut search = Search::new(game, Limits::depth(6));
/// search.learnt = Some(Arc::new(learnt));
/// let result = ThreadPool::new(1, HandCrafted::new)?.search(search, Arc::new(TranspositionTable::new(1)?));
/// assert_eq!((result.best, result.value), (Some(mv), Value(90)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LearntPositions(HashMap<Key, TableEntry>);

/// Of several results of a position the deepest counts, and the last of equally deep ones.
impl FromIterator<(Key, TableEntry)> for LearntPositions {
    fn from_iter<I: IntoIterator<Item = (Key, TableEntry)>>(results: I) -> Self {
        let mut positions: HashMap<Key, TableEntry> = HashMap::new();
        for (key, entry) in results {
            let kept = positions.entry(key).or_insert(entry);
            if entry.depth >= kept.depth {
                *kept = entry;
            }
        }
        Self(positions)
    }
}

impl LearntPositions {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The result for the position with a key, with mates counted from that position.
    pub fn get(&self, key: Key) -> Option<&TableEntry> {
        self.0.get(&key)
    }

    /// Stores the results in the table, except where it has an entry that is at least as deep. This is repeated for
    /// every search, because entries that are not yet needed get overwritten.
    pub(crate) fn store_in(&self, table: &TranspositionTable) {
        for (&key, &entry) in &self.0 {
            if table.probe(key).is_none_or(|old| old.depth < entry.depth || is_same(old, entry)) {
                table.store(key, entry);
            }
        }
    }

    /// The result that guides a search of this game's last position, unless the clock or the repetitions of the game
    /// may invalidate it.
    pub(crate) fn of_root(&self, game: &Game) -> Option<TableEntry> {
        let root = game.position();
        let entry = *self.get(root.key())?;
        let is_new = |mv: Move| {
            let next = root.play(mv).ok().map(|position| position.key());
            next.is_some() && game.positions().all(|position| Some(position.key()) != next)
        };
        let clock = root.halfmove_clock();
        let holds = clock <= LATEST_CLOCK && !game.keys().has_repetition(clock) && entry.mv.is_some_and(is_new);
        (holds && entry.bound != Bound::Upper).then_some(entry)
    }
}

/// Whether two entries have the same content, so that storing one in place of the other only refreshes its age.
fn is_same(old: TableEntry, new: TableEntry) -> bool {
    (old.depth, old.value, old.bound) == (new.depth, new.value, new.bound)
}

impl<E: Evaluator> Worker<'_, E> {
    /// Ranks the learnt move of the root above all others, unless it is excluded or endgame tables rank the moves.
    pub(crate) fn prefer_learnt_move(&mut self) {
        let learnt = self.job.learnt_root.filter(|_| self.roots.iter().all(|root| root.table_value.is_none()));
        let Some(entry) = learnt else { return };
        if let Some(root) = self.roots.iter_mut().find(|root| Some(root.mv) == entry.mv) {
            root.rank = LEARNT_RANK;
            self.learnt_root = Some(entry);
            root::sort(&mut self.roots);
        }
    }

    /// Treats the root moves alike again if an iteration is as deep as what was learnt about them, or if the last one
    /// has proven that the learnt move loses.
    pub(crate) fn review_learnt_move(&mut self, depth: Depth) {
        let Some(entry) = self.learnt_root else { return };
        let is_refuted =
            self.completed_depth > Depth::ZERO && self.roots.first().is_some_and(|root| root.value.is_lost());
        if depth >= entry.depth || is_refuted {
            self.learnt_root = None;
            self.roots.iter_mut().for_each(|root| root.rank = 0);
        }
    }

    /// The value of a root move: if it is the learnt one, its bound is kept, except against a proven result.
    pub(crate) fn root_value(&self, mv: Move, value: Value) -> Value {
        match self.learnt_root {
            Some(entry) if entry.mv == Some(mv) && !value.is_decisive() => {
                let learnt = known::from_table(entry.value, Ply::ZERO);
                if entry.bound == Bound::Exact { learnt } else { learnt.max(value) }
            }
            _ => value,
        }
    }

    /// What was learnt about a node on the principal variation, if it is as deep as the node and deeper than the
    /// table's entry.
    pub(crate) fn learnt(
        &self,
        position: &Position,
        entry: Option<&TableEntry>,
        depth: Depth,
        ply: Ply,
    ) -> Option<TableEntry> {
        let learnt = *self.job.learnt.as_ref()?.get(position.key())?;
        let is_deepest = entry.is_none_or(|&entry| entry.depth < learnt.depth || is_same(entry, learnt));
        let value = known::from_table(learnt.value, ply);
        let holds = learnt.depth >= depth && is_deepest && !is_exempt(position, value, ply);
        holds.then_some(TableEntry { value, ..learnt })
    }

    /// Sets the line of a node that ends with a learnt result.
    pub(crate) fn set_learnt_line(&mut self, position: &Position, mv: Option<Move>, ply: Ply) {
        self.frame(ply).pv.extend(mv.filter(|&mv| position.is_legal(mv)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: i32, bound: Bound) -> TableEntry {
        TableEntry { mv: None, value: Value(value), eval: None, depth: Depth(depth), bound, is_pv: false }
    }

    #[test]
    fn the_deepest_result_counts() {
        let key = Key(7);
        let results = [(12, 1), (14, 2), (14, 3), (13, 4)];
        let learnt: LearntPositions =
            results.into_iter().map(|(depth, value)| (key, entry(value, depth, Bound::Exact))).collect();
        assert_eq!((learnt.len(), learnt.get(key)), (1, Some(&entry(3, 14, Bound::Exact))));
    }

    #[test]
    fn results_replace_only_what_is_less_deep() {
        let key = Position::startpos().key();
        let taught = entry(300, 12, Bound::Exact);
        let learnt: LearntPositions = [(key, taught)].into_iter().collect();
        let table = TranspositionTable::new(1).unwrap();
        learnt.store_in(&table);
        assert_eq!(table.probe(key), Some(taught));
        for (depth, bound, stays) in [(11, Bound::Exact, false), (12, Bound::Lower, true), (20, Bound::Upper, true)] {
            let found = entry(-7, depth, bound);
            table.clear();
            table.store(key, found);
            learnt.store_in(&table);
            assert_eq!(table.probe(key), Some(if stays { found } else { taught }), "{depth}");
        }
    }
}
