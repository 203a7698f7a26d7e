//! The request for a search.

use crate::{EvalNoise, LearntPositions, Limits, Stopwatch, TablebaseProbing};
#[cfg(feature = "tuning")]
use crate::{Steps, TimeRules};
use bartizan_position::Game;
use bartizan_types::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search to run with [`ThreadPool::go`](crate::ThreadPool::go) or
/// [`Searcher::search`](crate::Searcher::search).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Search {
    /// The position to search, with the game that led to it for repetitions.
    pub game: Game,
    /// When to stop.
    pub limits: Limits,
    /// The number of best lines to find, at least one.
    pub multipv: usize,
    /// The cost of a draw for the side to move: above zero it avoids draws, below zero it seeks them.
    pub contempt: Value,
    /// Errors of the evaluation; none at full strength.
    pub eval_noise: Option<EvalNoise>,
    /// Endgame tables. A search for a mate does not use them.
    pub tables: Option<TablebaseProbing>,
    /// Results of earlier searches, which guide this one where it is less deep. A search for a mate, with errors of the
    /// evaluation, or with endgame tables that ignore the 50-move rule does not use them.
    pub learnt: Option<Arc<LearntPositions>>,
    /// Whether to report [`SearchEvent::Planned`](crate::SearchEvent::Planned) and
    /// [`SearchEvent::Weighed`](crate::SearchEvent::Weighed).
    pub trace: bool,
    /// Where to write the tree. Such a search uses one thread.
    #[cfg(feature = "trace")]
    pub tree: Option<crate::TreeTrace>,
    /// The time lost with each move between the clock and the engine.
    pub move_overhead: Duration,
    /// The least time on the clock before a [`ThreadPool`](crate::ThreadPool) gives out the result, for a player that
    /// should not answer at once. It counts from the start of the clock, or from the ponder hit, in real time; a stop
    /// ends it. No thread searches while a finished search waits. Without effect if the limits count time in nodes.
    pub least_time: Option<Duration>,
    /// The time since the clock started.
    pub stopwatch: Stopwatch,
    /// Whether this search continues one that was interrupted: the hash table's entries do not grow older.
    pub continues: bool,
    /// The steps of the search; a search for a mate replaces them with [`Steps::FULL_WIDTH`].
    #[cfg(feature = "tuning")]
    pub steps: Steps,
    /// The rules of the time plan.
    #[cfg(feature = "tuning")]
    pub time_rules: TimeRules,
}

impl Search {
    /// A search for the best line, whose clock starts now.
    ///
    /// ```
    /// use bartizan_position::Game;
    /// use bartizan_search::{Limits, Search};
    /// use std::time::Duration;
    ///
    /// let mut search = Search::new(Game::default(), Limits::move_time(Duration::from_secs(1)).with_depth(20));
    /// search.move_overhead = Duration::from_millis(30);
    /// ```
    pub fn new(game: Game, limits: Limits) -> Self {
        Self {
            game,
            limits,
            multipv: 1,
            contempt: Value::ZERO,
            eval_noise: None,
            tables: None,
            learnt: None,
            trace: false,
            #[cfg(feature = "trace")]
            tree: None,
            move_overhead: Duration::ZERO,
            least_time: None,
            stopwatch: Stopwatch::start(),
            continues: false,
            #[cfg(feature = "tuning")]
            steps: Steps::DEFAULT,
            #[cfg(feature = "tuning")]
            time_rules: TimeRules::ALL,
        }
    }

    /// Sets the number of best lines to find, at least one.
    ///
    /// ```
    /// # use bartizan_eval::HandCrafted;
    /// # use bartizan_position::Game;
    /// # use bartizan_search::{Limits, Search, SearchEvent, ThreadPool, TranspositionTable};
    /// # let mut pool = ThreadPool::new(1, HandCrafted::new)?;
    /// # let table = std::sync::Arc::new(TranspositionTable::new(1)?);
    /// let search = Search::new(Game::default(), Limits::depth(4)).with_multipv(3);
    /// let mut first_moves = [None; 3];
    /// for event in pool.go(search, table) {
    ///     if let SearchEvent::Info(info) = event {
    ///         first_moves[info.multipv as usize - 1] = info.pv.first().copied();
    ///     }
    /// }
    /// assert!(first_moves.iter().all(Option::is_some));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_multipv(self, lines: usize) -> Self {
        Self { multipv: lines, ..self }
    }

    /// Sets the endgame tables.
    #[must_use]
    pub fn with_tables(self, tables: TablebaseProbing) -> Self {
        Self { tables: Some(tables), ..self }
    }

    /// Sets when the clock started.
    #[must_use]
    pub fn started_at(self, started: Instant) -> Self {
        self.with_stopwatch(started.into())
    }

    /// Sets the source of the time since the clock started.
    #[must_use]
    pub fn with_stopwatch(self, stopwatch: Stopwatch) -> Self {
        Self { stopwatch, ..self }
    }
}
