//! The data shared by the threads of one search.

use crate::control::Control;
use crate::dispatch::Shared;
use crate::eval_noise::EvalNoise;
use crate::params::CHECK_INTERVAL;
use crate::root_tables::{Root, RootTables};
use crate::steps::ActiveSteps;
use crate::table::TableEntry;
use crate::time_manager::{TimeManager, TimeRules};
use crate::vote::ThreadResults;
use crate::{LearntPositions, Limits, Search, TablebaseProbing, TranspositionTable};
use bartizan_position::{KeyHistory, Position};
use bartizan_types::{Key, Move, Value};
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The salt of mate searches: an arbitrary number by which two keys are unlikely to differ.
const MATE_SALT: Key = Key(0x6d61_7465_2069_6e20);

/// The salt of searches whose endgame tables ignore the 50-move rule: an arbitrary number.
const ENDLESS_SALT: Key = Key(0x6e6f_2072_756c_6520);

/// With a budget of fewer nodes than this for each thread, the main thread searches alone: each count lags by up to an
/// interval, and together the threads would exceed a small budget many times over.
const LEAST_SHARE: u64 = 100 * CHECK_INTERVAL;

/// One search, as all of its threads see it. Only they hold it, and only while they work on it: other owners do not
/// keep the table alive.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) root: Arc<Position>,
    /// The keys of the game that a repetition can still reach, the root's last.
    pub(crate) keys: KeyHistory,
    /// The root moves to search.
    pub(crate) moves: Vec<Move>,
    /// Whether some legal root moves are excluded.
    pub(crate) is_restricted: bool,
    pub(crate) limits: Limits,
    pub(crate) time_manager: TimeManager,
    /// The result is not given out before this time on its clock.
    pub(crate) least_time: Option<Duration>,
    pub(crate) time_rules: TimeRules,
    /// The number of best lines to find, at least one.
    pub(crate) multipv: usize,
    /// What a draw costs the side to move at the root.
    pub(crate) contempt: Value,
    /// Errors of the evaluation.
    pub(crate) eval_noise: Option<EvalNoise>,
    pub(crate) steps: ActiveSteps,
    pub(crate) trace: bool,
    #[cfg(feature = "trace")]
    pub(crate) tree: Option<crate::TreeTrace>,
    pub(crate) control: Arc<Control>,
    pub(crate) table: Arc<TranspositionTable>,
    /// XORed with every key for the table, so that searches of different kinds do not share entries.
    pub(crate) salt: Key,
    pub(crate) nodes: Arc<NodeCounts>,
    /// Endgame tables.
    pub(crate) tables: Option<TablebaseProbing>,
    /// Positions found in the tables.
    pub(crate) table_hits: NodeCounts,
    /// The result of the tables for the root: see [`Job::root_tables`].
    pub(crate) root_tables: OnceLock<RootTables>,
    /// Results of earlier searches.
    pub(crate) learnt: Option<Arc<LearntPositions>>,
    /// That of the root.
    pub(crate) learnt_root: Option<TableEntry>,
    pub(crate) reports: ThreadResults,
}

/// The nodes of each thread, each counter in its own cache line.
#[derive(Debug)]
pub(crate) struct NodeCounts(Vec<CachePadded<AtomicU64>>);

// Relaxed: counts for display and limits. A thread's count may lag by an interval.
impl NodeCounts {
    fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| CachePadded::new(AtomicU64::new(0))).collect())
    }

    pub(crate) fn publish(&self, id: usize, nodes: u64) {
        self.0[id].store(nodes, Relaxed);
    }

    /// Nodes of all threads.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|count| count.load(Relaxed)).sum()
    }
}

impl Job {
    pub(crate) fn new(search: Search, table: Arc<TranspositionTable>, threads: usize) -> Self {
        let (steps, time_rules) = switches(&search);
        #[cfg(feature = "trace")]
        let tree = search.tree.clone();
        let Search {
            game,
            mut limits,
            multipv,
            contempt,
            eval_noise,
            tables,
            learnt,
            trace,
            move_overhead,
            least_time,
            stopwatch,
            ..
        } = search;
        let root = game.position().clone();
        let mut moves = root.legal_moves().to_vec();
        let legal = moves.len();
        if !limits.search_moves.is_empty() {
            moves.retain(|mv| limits.search_moves.contains(mv));
        }
        if let Some(moves) = limits.mate {
            let plies = moves.saturating_mul(2).saturating_sub(1).max(1);
            limits.depth = Some(limits.depth.map_or(plies, |depth| depth.min(plies)));
        }
        // In a mate search, a table win would cut off lines that lead to mate.
        let tables = tables.filter(|_| limits.mate.is_none());
        let salt = eval_noise.map_or(Key(0), EvalNoise::salt)
            ^ match &tables {
                _ if limits.mate.is_some() => MATE_SALT,
                Some(probing) if !probing.fifty_moves => ENDLESS_SALT,
                _ => Key(0),
            };
        let learnt = learnt.filter(|_| salt == Key(0));
        if let Some(learnt) = &learnt {
            learnt.store_in(&table);
        }
        Self {
            keys: game.keys().recent(root.halfmove_clock()),
            time_manager: TimeManager::new(&limits, root.turn(), move_overhead, time_rules),
            control: Arc::new(Control::new(&limits, stopwatch)),
            nodes: Arc::new(NodeCounts::new(threads)),
            table_hits: NodeCounts::new(if tables.is_some() { threads } else { 0 }),
            root_tables: OnceLock::new(),
            reports: ThreadResults::new(threads),
            least_time: least_time.filter(|_| limits.node_rate.is_none()),
            is_restricted: moves.len() < legal,
            salt,
            tables,
            learnt_root: learnt.as_ref().and_then(|learnt| learnt.of_root(&game)),
            learnt,
            multipv: multipv.max(1),
            root: Arc::new(root),
            moves,
            limits,
            time_rules,
            contempt,
            eval_noise,
            steps,
            trace,
            #[cfg(feature = "trace")]
            tree,
            table,
        }
    }

    /// Whether helpers may join the main thread.
    pub(crate) fn is_shared(&self) -> bool {
        #[cfg(feature = "trace")]
        if self.tree.is_some() {
            return false;
        }
        let least = LEAST_SHARE.saturating_mul(self.nodes.0.len() as u64);
        self.limits.node_budget.is_none_or(|budget| budget >= least)
    }

    /// Whether only a stop or ponder hit may end the search now.
    pub(crate) fn awaits_signal(&self) -> bool {
        self.limits.infinite || self.control.is_pondering()
    }

    /// Whether the time for the move is over.
    pub(crate) fn is_out_of_time(&self) -> bool {
        // In this order: while pondering, `clock_spent` includes the time before the ponder hit.
        self.time_manager
            .hard
            .is_some_and(|hard| !self.awaits_signal() && self.control.clock_spent(self.nodes.total()) >= hard)
    }

    /// The root moves with their table results. The first call, on the main thread, reads the tables, so the caller
    /// that starts a search does not wait for a disk.
    pub(crate) fn root_tables(&self) -> &RootTables {
        self.root_tables.get_or_init(|| match &self.tables {
            Some(probing) => Root { position: &self.root, moves: &self.moves, keys: &self.keys, probing }.rank(),
            None => RootTables::unranked(&self.moves),
        })
    }
}

impl Shared for Arc<Job> {
    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

/// The steps and clock rules of a search. A mate search must not miss a line, so its steps are fixed.
#[cfg(feature = "tuning")]
fn switches(search: &Search) -> (ActiveSteps, TimeRules) {
    (if search.limits.mate.is_some() { ActiveSteps::FULL_WIDTH } else { search.steps }, search.time_rules)
}

/// The steps and clock rules of a search. A mate search must not miss a line.
#[cfg(not(feature = "tuning"))]
fn switches(search: &Search) -> (ActiveSteps, TimeRules) {
    (if search.limits.mate.is_some() { ActiveSteps::FULL_WIDTH } else { ActiveSteps::DEFAULT }, TimeRules::ALL)
}
