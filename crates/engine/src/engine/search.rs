//! The searches of a session: the book first, then a limited player's plan, then the threads or the caller's thread.

use super::Engine;
use crate::book::other_moves;
use crate::error::EngineError;
use crate::notice::Notice;
use crate::observer::{SearchObserver, SearchStart};
use crate::pace::{self, Choice};
use bartizan_book::BookMove;
use bartizan_levels::{Plan, Player};
use bartizan_network::AnyEvaluator;
use bartizan_position::{Game, Position};
use bartizan_search::{
    EvalNoise, Limits, Search, SearchControl, SearchEvent, SearchHandle, SearchResult, Searcher, Stopwatch, ThreadPool,
    TranspositionTable,
};
use bartizan_types::{SplitMix64, Value};
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

/// What the caller of [`Engine::search_here`] gives to the search.
pub struct Caller<'a> {
    /// Measures the time since the clock started.
    pub stopwatch: Stopwatch,
    /// Whether the search continues one that was interrupted: the hash table's entries do not grow older.
    pub continues: bool,
    /// Called about once in a thousand nodes after the first iteration; returns whether to stop.
    pub is_stopped: &'a dyn Fn() -> bool,
    /// Gets the events as they occur, the last one with the result.
    pub on_event: &'a mut dyn FnMut(SearchEvent),
}

impl Engine {
    /// What determines the choices in this game.
    fn seed(&self) -> u64 {
        match self.options.seed {
            0 => self.game_seed,
            seed => SplitMix64::new(seed.into()).next_u64(),
        }
    }

    /// The numbers that determine the choices in a position of this game.
    fn choices_in(&self, position: &Position) -> SplitMix64 {
        SplitMix64::stream(self.seed(), position.key().0)
    }

    /// How a limited player finds its move; `None` at full strength.
    fn plan(&mut self, game: &Game, limits: &Limits, stopwatch: &Stopwatch) -> Option<Plan> {
        let (level, seed) = (self.options.level(), self.seed());
        let is_current = |player: &Player| Some(player.rating().elo()) == level.rating() && player.seed() == seed;
        if !self.player.as_ref().is_some_and(is_current) {
            self.player = level.player(seed);
        }
        let player = self.player.as_ref()?;
        if limits.search_moves.is_empty() && limits.mate.is_none() {
            let longest = pace::calculation_time(limits, game.position().turn(), self.move_overhead());
            player.plan(game, &|| longest.is_some_and(|longest| stopwatch.elapsed() >= longest))
        } else {
            Some(player.search_among(limits.search_moves.clone()))
        }
    }

    /// The least time that a limited player takes for a move: see [`Options::human_time`](crate::Options::human_time).
    pub(super) fn least_time(&self, game: &Game, limits: &Limits, difficulty: f64) -> Option<Duration> {
        if !self.options.human_time {
            return None;
        }
        let is_book = self.choice.is_some_and(|choice| limits.search_moves == [choice.mv]);
        let choice = if is_book { Choice::Book } else { Choice::Searched { difficulty } };
        let position = game.position();
        pace::least_time(limits, position.turn(), self.move_overhead(), choice, &mut self.choices_in(position))
    }

    /// The book move to which the last call of [`Engine::with_book`] has limited a search.
    pub fn book_choice(&self) -> Option<BookMove> {
        self.choice
    }

    /// Asks the opening book for a move at the end of a game. If there is one, returns limits for a one-ply search that
    /// finds this move. If all its moves have weight 0, the limits leave them out, unless no other move is legal.
    /// Otherwise returns the limits unchanged.
    ///
    /// The book is not used for analysis, or for a search for a mate or of given moves. While pondering, the one-ply
    /// search waits for the expected move. If the book can no longer be read, the game continues without it: see
    /// [`Engine::take_notices`].
    #[must_use]
    pub fn with_book(&mut self, game: &Game, limits: Limits) -> Limits {
        self.choice = None;
        let is_special = limits.infinite || limits.mate.is_some() || self.options.analyse;
        if is_special || !limits.search_moves.is_empty() {
            return limits;
        }
        let Some(usage) = self.options.book_use() else { return limits };
        let moves = self.opening.usable_moves(game, usage).unwrap_or_else(|source| {
            let path = self.options.book.file.clone().unwrap_or_default();
            self.notices.push(Notice::BookFailed { path, source });
            self.opening.fail();
            Vec::new()
        });
        let choices = (self.options.seed > 0).then(|| self.choices_in(game.position()));
        self.choice = self.opening.choose(&moves, usage.variety, choices);
        match self.choice {
            Some(choice) => limits.with_depth(1).with_search_moves([choice.mv]),
            None => limits.with_search_moves(other_moves(game.position(), &moves)),
        }
    }

    /// Starts a search of the current position, or plays from the opening book. Stop the previous search first.
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn go(&mut self, limits: Limits) -> Result<SearchHandle, EngineError> {
        let game = self.game.clone();
        let limits = self.with_book(&game, limits);
        self.search(game, limits, self.options.multipv)
    }

    /// As [`Engine::go`], but passes the events to `listener`: see [`ThreadPool::go_with`].
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn go_with(
        &mut self,
        limits: Limits,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Result<SearchControl, EngineError> {
        let game = self.game.clone();
        let limits = self.with_book(&game, limits);
        self.search_with(game, limits, self.options.multipv, listener)
    }

    /// Starts a search of the last position of any game, whatever the current position, for `multipv` best lines. Does
    /// not use the opening book.
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn search(&mut self, game: Game, limits: Limits, multipv: usize) -> Result<SearchHandle, EngineError> {
        self.start(game, limits, multipv, &mut (), |pool, search, table| {
            let handle = pool.go(search, table);
            (handle.control(), handle)
        })
    }

    /// As [`Engine::search`], but passes the events to `listener`: see [`ThreadPool::go_with`].
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn search_with(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Result<SearchControl, EngineError> {
        self.search_observed(game, limits, multipv, &mut (), listener)
    }

    /// As [`Engine::search_with`], but shows the search to an observer before it begins.
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn search_observed(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        observer: &mut impl SearchObserver,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Result<SearchControl, EngineError> {
        self.start(game, limits, multipv, observer, |pool, search, table| {
            let control = pool.go_with(search, table, listener);
            (control.clone(), control)
        })
    }

    /// Searches on the caller's thread, which needs 3 MiB of stack, in programs without threads such as WebAssembly
    /// modules. The result is not held back for [`Options::human_time`](crate::Options::human_time). Otherwise as
    /// [`Engine::search`].
    ///
    /// ```
    /// use bartizan_engine::{Caller, Engine, Limits, Stopwatch};
    ///
    /// let mut engine = Engine::new();
    /// let mut events = 0;
    /// let caller = Caller {
    ///     stopwatch: Stopwatch::start(),
    ///     continues: false,
    ///     is_stopped: &|| false,
    ///     on_event: &mut |_| events += 1,
    /// };
    /// let result = engine.search_here(engine.game().clone(), Limits::depth(4), 1, caller)?;
    /// assert_eq!(result.depth, 4);
    /// assert!(events > 4);
    /// # Ok::<(), bartizan_engine::EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError`] when memory is not available.
    pub fn search_here(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        caller: Caller<'_>,
    ) -> Result<SearchResult, EngineError> {
        let table = self.allocated_table()?.clone();
        let (mut search, _) = self.request(game, limits, multipv, &mut (), caller.stopwatch);
        search.continues = caller.continues;
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => {
                let model = self.evaluation_model();
                Searcher::new(move || AnyEvaluator::new(&model))?
            }
        };
        let searcher = self.searcher.insert(searcher);
        Ok(searcher.search(search, &table, caller.is_stopped, Some(caller.on_event)))
    }

    fn start<T>(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        observer: &mut impl SearchObserver,
        go: impl FnOnce(&mut ThreadPool, Search, Arc<TranspositionTable>) -> (SearchControl, T),
    ) -> Result<T, EngineError> {
        let stopwatch = Stopwatch::start();
        self.prepare()?;
        let (search, timed_game) = self.request(game, limits, multipv, observer, stopwatch);
        let (Some(pool), Some(table)) = (&mut self.pool, &self.table) else {
            unreachable!("prepare() made both or failed")
        };
        let (control, search) = go(pool, search, table.clone());
        if let Some(game) = timed_game {
            self.node_clock.started(control, game);
        }
        Ok(search)
    }

    /// What is searched, and the game if its clock counts nodes.
    fn request(
        &mut self,
        game: Game,
        mut limits: Limits,
        multipv: usize,
        observer: &mut impl SearchObserver,
        stopwatch: Stopwatch,
    ) -> (Search, Option<Game>) {
        // An analysis is not weakened.
        let is_analysis = limits.infinite || self.options.analyse;
        let plan = if is_analysis { None } else { self.plan(&game, &limits, &stopwatch) };
        // Errors of size 0 still keep the table's entries apart from those of full strength.
        let std_dev = |plan: &Plan| if let Plan::Search { error, .. } = plan { *error } else { 0 };
        let eval_noise = plan.as_ref().map(|plan| EvalNoise { std_dev: std_dev(plan), seed: self.seed() });
        let is_limited = plan.is_some();
        if eval_noise != self.eval_noise {
            // The histories belong to the previous evaluation. The table distinguishes its entries.
            self.eval_noise = eval_noise;
            self.clear_histories();
        }
        limits.node_budget = None;
        let mut difficulty = 0.0;
        match plan {
            Some(Plan::Play { mv, difficulty: hard }) => {
                difficulty = hard;
                limits = limits.with_depth(1).with_search_moves([mv]);
            }
            Some(Plan::Search { nodes, moves, difficulty: hard, .. }) => {
                difficulty = hard;
                limits.node_budget = Some(nodes);
                limits.search_moves = moves;
            }
            None => {}
        }
        let timed_game = self.count_time_in_nodes(&game, &mut limits);
        // An analysis takes no side.
        let contempt = if limits.infinite { 0 } else { self.contempt() };
        let least_time = if is_limited { self.least_time(&game, &limits, difficulty) } else { None };
        let is_ordinary = limits.search_moves.is_empty() && limits.mate.is_none() && !is_limited;
        let learnt = observer.before_search(&SearchStart { game: &game, contempt: Value(contempt), is_ordinary });
        let mut search = Search::new(game, limits).with_multipv(multipv).with_stopwatch(stopwatch);
        search.contempt = Value(contempt);
        search.move_overhead = self.move_overhead();
        search.least_time = least_time;
        search.eval_noise = eval_noise;
        search.trace = self.trace;
        search.learnt = learnt;
        #[cfg(feature = "trace")]
        {
            search.tree = self.tree.take();
        }
        search.tables = self.tables.for_search(&self.options.syzygy);
        #[cfg(feature = "tuning")]
        {
            search.steps = self.options.steps;
            search.time_rules = self.options.time_rules;
        }
        (search, timed_game)
    }

    /// Turns times into nodes if the options say so. Returns the game if its clock counts nodes.
    fn count_time_in_nodes(&mut self, game: &Game, limits: &mut Limits) -> Option<Game> {
        let rate = NonZeroU64::new(u64::from(self.options.node_time) * 1_000).filter(|_| limits.node_rate.is_none())?;
        limits.node_rate = Some(rate);
        let clock = limits.clock.as_mut().filter(|_| !limits.infinite)?;
        *clock = self.node_clock.show(clock.of(game.position().turn()), game).into();
        Some(game.clone())
    }
}
