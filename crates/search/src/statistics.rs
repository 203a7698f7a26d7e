//! Counts of events in the tree, to see where depth is gained and where it is lost.
//!
//! With the feature `statistics`, the main thread counts and reports
//! [`SearchEvent::Counted`](crate::SearchEvent::Counted). Without it, nothing is counted, and counting compiles to
//! nothing.

#[cfg(feature = "statistics")]
pub use counts::Statistics;

macro_rules! counters {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// What is counted, by depth.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Counter {
            $($(#[$meta])* $name,)*
        }

        impl Counter {
            /// All counters.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

counters! {
    /// A node of the main search, by its depth on entry.
    Node,
    /// A node on the principal variation.
    PvNode,
    /// A node of the search for alternatives to a table move.
    ExcludedNode,
    /// A draw, or the maximum ply, ended a node before any search.
    Terminal,
    /// Bounds known in advance ended the node: a mate closer to the root, or a repetition that can be forced.
    KnownBounds,
    /// The endgame tables ended the node.
    EndgameTable,
    /// The node had no move: checkmate, stalemate, or no alternative to an excluded move.
    NoMove,
    /// The table was probed in the main search.
    Probe,
    /// The table had an entry.
    Hit,
    /// The entry had a move.
    HitMove,
    /// The entry ended the node.
    TableCutoff,
    /// The table was probed in quiescence.
    QuiescenceProbe,
    /// It had an entry.
    QuiescenceHit,
    /// The entry ended the node.
    QuiescenceCutoff,
    /// Quiescence ended by standing pat.
    StandPat,
    /// Razoring ended the node.
    Razored,
    /// Reverse futility ended the node.
    ReverseFutility,
    /// A null move was searched.
    NullMove,
    /// It ended the node.
    NullMoveCutoff,
    /// It failed high, but the verification did not.
    NullMoveRefuted,
    /// ProbCut searched a capture.
    ProbCut,
    /// It ended the node.
    ProbCutCutoff,
    /// The table's ProbCut ended the node.
    TableProbCut,
    /// A node without a table move was reduced by a ply.
    InternalReduction,
    /// Hindsight added a ply.
    HindsightDeeper,
    /// Hindsight removed a ply.
    HindsightShallower,
    /// A node began to search its moves.
    Expanded,
    /// A move was searched.
    Move,
    /// The remaining quiet moves were skipped by late move pruning.
    LateMovesPruned,
    /// A move was pruned by futility.
    FutilityPruned,
    /// A move was pruned by history.
    HistoryPruned,
    /// A move was pruned by static exchange.
    SeePruned,
    /// The alternatives to a table move were searched.
    Singular,
    /// The table move was extended by a ply.
    SingleExtension,
    /// It was extended by two plies.
    DoubleExtension,
    /// An alternative failed high as well.
    MultiCut,
    /// A move was searched at reduced depth.
    Reduced,
    /// The plies of these reductions.
    ReducedPlies,
    /// A reduced move was searched again.
    Researched,
    /// The second search failed high as well.
    ResearchedHigh,
    /// A move was searched again with the full window.
    FullWindow,
    /// A node failed high by a move.
    Cutoff,
    /// It was the first move.
    FirstMoveCutoff,
    /// It was the second or third move.
    EarlyCutoff,
    /// All moves of a node failed low.
    FailLow,
    /// A window around the value of the last iteration failed low; by the depth of the iteration.
    WindowLow,
    /// A window around the value of the last iteration failed high; by the depth of the iteration.
    WindowHigh,
    /// An iteration was completed.
    Iteration,
    /// An entry replaced an older one of another position, by the depth of the old entry.
    Replaced,
    /// Such an entry was from an earlier search.
    ReplacedAged,
}

#[cfg(feature = "statistics")]
mod counts {
    use super::Counter;
    use bartizan_types::Ply;

    /// Depths that have their own row; greater ones count in the last.
    const DEPTHS: usize = 48;

    /// Plies that can occur.
    const PLIES: usize = Ply::MAX.0 as usize + 1;

    /// The counts of one search, or of several that were added up.
    #[derive(Clone, PartialEq, Eq)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct Statistics {
        /// A row of counters for each depth.
        by_depth: Vec<u64>,
        nodes_by_ply: Vec<u64>,
        quiescence_by_ply: Vec<u64>,
    }

    impl std::fmt::Debug for Statistics {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let mut map = f.debug_map();
            for &counter in Counter::ALL {
                map.entry(&counter, &self.total(counter));
            }
            map.finish()
        }
    }

    impl Default for Statistics {
        fn default() -> Self {
            Self {
                by_depth: vec![0; Counter::ALL.len() * DEPTHS],
                nodes_by_ply: vec![0; PLIES],
                quiescence_by_ply: vec![0; PLIES],
            }
        }
    }

    fn index(counter: Counter, depth: usize) -> usize {
        depth.min(DEPTHS - 1) * Counter::ALL.len() + counter as usize
    }

    impl Statistics {
        /// The maximum depth with its own counts, in plies. Greater ones are counted with it.
        pub const MAX_DEPTH: usize = DEPTHS - 1;

        /// A count at one depth, in plies.
        pub fn at(&self, counter: Counter, depth: usize) -> u64 {
            self.by_depth.get(index(counter, depth)).copied().unwrap_or(0)
        }

        /// A count at all depths.
        pub fn total(&self, counter: Counter) -> u64 {
            (0..DEPTHS).map(|depth| self.at(counter, depth)).sum()
        }

        /// Nodes of the main search at a ply, the root at 0.
        pub fn nodes_at_ply(&self, ply: usize) -> u64 {
            self.nodes_by_ply.get(ply).copied().unwrap_or(0)
        }

        /// Nodes of quiescence at a ply.
        pub fn quiescence_at_ply(&self, ply: usize) -> u64 {
            self.quiescence_by_ply.get(ply).copied().unwrap_or(0)
        }

        /// Nodes of quiescence.
        pub fn quiescence_nodes(&self) -> u64 {
            self.quiescence_by_ply.iter().sum()
        }

        /// Adds the counts of another search.
        pub fn add(&mut self, other: &Self) {
            let add = |mine: &mut [u64], theirs: &[u64]| {
                mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
            };
            add(&mut self.by_depth, &other.by_depth);
            add(&mut self.nodes_by_ply, &other.nodes_by_ply);
            add(&mut self.quiescence_by_ply, &other.quiescence_by_ply);
        }

        pub(crate) fn count(&mut self, counter: Counter, depth: i32, number: u64) {
            self.by_depth[index(counter, depth.max(0) as usize)] += number;
        }

        pub(crate) fn count_node(&mut self, ply: Ply) {
            self.nodes_by_ply[ply.index()] += 1;
        }

        pub(crate) fn count_quiescence(&mut self, ply: Ply) {
            self.quiescence_by_ply[ply.index()] += 1;
        }
    }
}

/// Replaces the counts: no data and no code.
#[cfg(not(feature = "statistics"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics(());

#[cfg(not(feature = "statistics"))]
impl Statistics {
    #[inline(always)]
    pub(crate) fn count(&mut self, _counter: Counter, _depth: i32, _number: u64) {}

    #[inline(always)]
    pub(crate) fn count_node(&mut self, _ply: bartizan_types::Ply) {}

    #[inline(always)]
    pub(crate) fn count_quiescence(&mut self, _ply: bartizan_types::Ply) {}
}

#[cfg(all(test, feature = "statistics"))]
mod tests {
    use super::*;
    use crate::{Limits, Search, SearchEvent, ThreadPool, TranspositionTable};
    use bartizan_position::Game;
    use bartizan_types::Ply;
    use std::sync::Arc;

    #[test]
    #[allow(clippy::unwrap_used)] // In a test a panic is the report.
    fn every_node_is_counted_once() {
        let mut pool = ThreadPool::new(1, bartizan_eval::HandCrafted::new).unwrap();
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let (mut counted, mut nodes) = (Statistics::default(), 0);
        for event in pool.go(Search::new(Game::default(), Limits::nodes(20_000)), table) {
            match event {
                SearchEvent::Counted(counts) => counted.add(&counts),
                SearchEvent::Finished(result) => nodes = result.nodes,
                _ => {}
            }
        }
        assert_eq!(counted.total(Counter::Node) + counted.quiescence_nodes(), nodes);
        let at_plies: u64 = (0..=Ply::MAX.index()).map(|ply| counted.nodes_at_ply(ply)).sum();
        assert_eq!(at_plies, counted.total(Counter::Node));
        assert!(counted.total(Counter::FirstMoveCutoff) <= counted.total(Counter::Cutoff));
        assert!(counted.total(Counter::Hit) <= counted.total(Counter::Probe));
        assert!(counted.total(Counter::Iteration) > 0);
    }
}
