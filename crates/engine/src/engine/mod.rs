//! The session: options, game and search.

use crate::book::{OpeningBook, other_moves, random_seed};
use crate::error::{EngineError, SetPositionError};
use crate::hash_table;
use crate::node_clock::NodeClock;
use crate::notice::Notice;
use crate::observer::{SearchObserver, SearchStart};
use crate::options::{self, Action, EvaluationKind, OptionError, Options, Retry};
use crate::pace::{self, Choice};
use crate::tables::Tables;
use bartizan_book::{Book, BookError, BookMove};
use bartizan_dtm::DtmTables;
use bartizan_levels::{Plan, Player};
use bartizan_network::{AnyEvaluator, EvaluationModel, Network};
use bartizan_position::{Game, IllegalMove, IllegalSetup, Position, PositionError, Setup, Tolerance};
use bartizan_search::{
    EvalNoise, Limits, PoolError, Search, SearchControl, SearchEvent, SearchHandle, SearchResult, Searcher, Stopwatch,
    ThreadPool, TranspositionTable,
};
use bartizan_tablebase::Tablebases;
use bartizan_types::{Move, SplitMix64, UciMove, Value, Variant};
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

/// An engine with its options and its game.
///
/// The first search, or [`Engine::prepare`], creates the threads and the hash table, so creating an engine is cheap.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    game: Game,
    pool: Option<ThreadPool>,
    /// For searches on the caller's thread.
    searcher: Option<Searcher<AnyEvaluator>>,
    table: Option<Arc<TranspositionTable>>,
    /// Whether searches report their time management.
    trace: bool,
    /// Where the next search writes its tree.
    #[cfg(feature = "trace")]
    tree: Option<bartizan_search::TreeTrace>,
    /// Our rating minus the opponent's, if both are known.
    rating_lead: i32,
    /// The minimum of [`Engine::move_overhead`].
    least_overhead: Duration,
    node_clock: NodeClock,
    opening: OpeningBook,
    /// The network of [`Options::eval_file`].
    network: Option<Arc<Network>>,
    /// For [`Engine::book_choice`].
    choice: Option<BookMove>,
    tables: Tables,
    /// The evaluation errors of the last search.
    eval_noise: Option<EvalNoise>,
    /// The limited player of this game.
    player: Option<Player>,
    /// Determines the choices in this game, unless the options do: see [`Engine::seed`].
    game_seed: u64,
    /// For [`Engine::take_notices`].
    notices: Vec<Notice>,
}

impl Engine {
    /// An engine at the starting position, with the default options.
    pub fn new() -> Self {
        Self { game_seed: random_seed(), ..Self::default() }
    }

    /// An engine at the starting position, with options.
    ///
    /// # Errors
    /// As [`Engine::set_options`].
    pub fn with_options(options: Options) -> Result<Self, EngineError> {
        let mut engine = Self::new();
        engine.set_options(options)?;
        Ok(engine)
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes some options: see [`Engine::set_options`].
    ///
    /// # Errors
    /// As [`Engine::set_options`].
    pub fn configure(&mut self, change: impl FnOnce(&mut Options)) -> Result<(), EngineError> {
        let mut options = self.options.clone();
        change(&mut options);
        self.set_options(options)
    }

    /// Sets an option by name, with a value in the client's notation: see
    /// [`OptionRow::parse`](options::OptionRow::parse). Setting the current value again retries what has failed before,
    /// such as opening a file. Do not call during a search.
    ///
    /// # Errors
    /// [`OptionError`]; the old value stays.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let row = options::find(name)?;
        let value = row.parse(value)?;
        if let Some(action) = row.button_action() {
            self.press(action);
            return Ok(());
        }
        let retry = row.retry().filter(|_| row.value(&self.options).as_ref() == Some(&value));
        let mut options = self.options.clone();
        row.set(&mut options, value)?;
        let done = self.set_options(options).and_then(|()| retry.map_or(Ok(()), |retry| self.retry(retry)));
        done.map_err(|error| OptionError::Failed { name: row.name(), source: error.into() })
    }

    /// Sets all options, or none of them if one fails. Do not call during a search, which keeps the threads and the
    /// table that it began with.
    ///
    /// # Errors
    /// [`EngineError`] when a value is out of range, memory is not available, or a file cannot be read. Missing threads
    /// are not an error: see [`Engine::take_notices`].
    pub fn set_options(&mut self, options: Options) -> Result<(), EngineError> {
        options.validate()?;
        let book_changes = options.book.file != self.options.book.file;
        let book = if book_changes { options.book.open()? } else { None };
        let network_changes =
            options.eval_file != self.options.eval_file || options.evaluation != self.options.evaluation;
        let network = if network_changes { open_network(&options)? } else { None };
        if options.hash_mib != self.options.hash_mib {
            self.resize_table(options.hash_mib)?;
        }
        #[cfg(feature = "tuning")]
        options.tuning.apply(&self.options.tuning)?;
        // Nothing below can fail.
        if book_changes {
            self.opening.set(book);
        }
        if options.syzygy.folders != self.options.syzygy.folders {
            self.tables.open_syzygy(&options.syzygy.folders, &mut self.notices);
        }
        if options.table_folders != self.options.table_folders {
            self.tables.open_mates(&options.table_folders, &mut self.notices);
        }
        if options.node_time != self.options.node_time {
            self.node_clock = NodeClock::default();
        }
        let threads_change = options.threads != self.options.threads;
        self.options = options;
        if network_changes {
            self.network = network;
            // The scores in the hash table come from the previous evaluation.
            self.clear();
        }
        if network_changes {
            self.searcher = None;
        }
        if threads_change || network_changes {
            self.restart_threads();
        }
        Ok(())
    }

    /// The network that takes part in the evaluation; `None` with the hand-written evaluation. The built-in one is only
    /// unpacked when needed.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match self.options.evaluation {
            EvaluationKind::Combined | EvaluationKind::Network => self.network.as_ref().or_else(|| Network::shared()),
            EvaluationKind::Classical => None,
        }
    }

    /// Which evaluation searches use.
    pub fn evaluation_model(&self) -> EvaluationModel {
        match (self.options.evaluation, self.network()) {
            (EvaluationKind::Combined, Some(network)) => EvaluationModel::Combined(Arc::clone(network)),
            (EvaluationKind::Network, Some(network)) => EvaluationModel::Network(Arc::clone(network)),
            _ => EvaluationModel::HandCrafted,
        }
    }

    /// Replaces the opening book, for a program without files; a later change of [`BookOptions::file`] replaces it
    /// again.
    ///
    /// [`BookOptions::file`]: crate::BookOptions::file
    pub fn set_book(&mut self, book: Book) {
        self.opening.set(Some(book));
    }

    /// Replaces the network, for a program without files; a later change of [`Options::eval_file`] or
    /// [`Options::evaluation`] replaces it again. Clears what searches have learnt. Do not call during a search.
    pub fn set_network(&mut self, network: Network) {
        self.network = Some(Arc::new(network));
        self.clear();
        self.searcher = None;
        self.restart_threads();
    }

    /// The network's value of the current position for the side to move; `None` without a network.
    pub fn network_value(&self) -> Option<Value> {
        Some(self.network()?.value(self.position()))
    }

    /// The value of the current position for the side to move, as searches see it, in internal centipawns; `None` in
    /// check.
    pub fn searched_value(&self) -> Option<Value> {
        (!self.position().in_check()).then(|| self.evaluation_model().value(self.position()))
    }

    /// Performs the action of an option's button. Do not call during a search.
    pub fn press(&mut self, action: Action) {
        match action {
            Action::ClearHash => self.clear(),
        }
    }

    /// Retries what has failed, for a client that sets an option to its current value after fixing the cause;
    /// otherwise, setting it would change nothing. Does nothing if nothing has failed. Do not call during a search.
    ///
    /// # Errors
    /// [`EngineError`] when it fails again; the old table is kept, and the game continues without the book. For threads
    /// and endgame tables, see [`Engine::take_notices`].
    pub fn retry(&mut self, retry: Retry) -> Result<(), EngineError> {
        match retry {
            Retry::Memory => {
                if self.pool.as_ref().is_some_and(|pool| pool.threads() < self.options.threads) {
                    self.restart_threads();
                }
                self.resize_table(self.options.hash_mib)?;
            }
            Retry::Book if self.opening.has_failed() => self.opening.set(self.options.book.open()?),
            Retry::Book => {}
            Retry::Tables => {
                if self.tables.syzygy_has_failed() {
                    self.tables.open_syzygy(&self.options.syzygy.folders, &mut self.notices);
                }
                if self.tables.mates_have_failed() {
                    self.tables.open_mates(&self.options.table_folders, &mut self.notices);
                }
            }
        }
        Ok(())
    }

    /// Starts the threads, or as many as the system can provide.
    fn start_threads(&mut self) -> Result<(), PoolError> {
        let wanted = self.options.threads;
        let model = self.evaluation_model();
        let pool = ThreadPool::new(wanted, move || AnyEvaluator::new(&model))?;
        if let Some(shortage) = pool.shortage() {
            let (reason, threads) = (shortage.to_string(), pool.threads());
            self.notices.push(Notice::FewerThreads { reason, threads, wanted });
        }
        self.pool = Some(pool);
        Ok(())
    }

    /// Replaces the threads, if there are any.
    fn restart_threads(&mut self) {
        if self.pool.take().is_some() {
            // The old threads have freed their memory. If not even one new thread can be started, the next search tries
            // again.
            let started = self.start_threads();
            self.notices.extend(started.err().map(Notice::NoThreads));
        }
    }

    /// Replaces the hash table, if there is one, by one of another size: see [`hash_table::resize`].
    fn resize_table(&mut self, mib: usize) -> Result<(), EngineError> {
        if self.table.as_ref().is_some_and(|table| table.megabytes() != mib) {
            // A helper of the last search may still hold the table.
            self.settle();
            hash_table::resize(&mut self.table, mib)?;
        }
        Ok(())
    }

    /// Waits until no thread of a finished search holds the table.
    fn settle(&self) {
        if let Some(pool) = &self.pool {
            pool.settle();
        }
    }

    /// Sets our rating lead over the opponent, in Elo; 0 if a rating is unknown. The search then plays for a win
    /// against a weaker opponent and for a draw against a stronger one: see [`Engine::contempt`].
    pub fn set_rating_lead(&mut self, elo: i32) {
        self.rating_lead = elo;
    }

    /// The cost of a draw for the engine in a game, in internal centipawns: [`Options::contempt`], plus one for every
    /// 10 Elo of rating lead, up to 50 either way; 0 if [`Options::analyse`] is set.
    pub fn contempt(&self) -> i32 {
        if self.options.analyse {
            return 0;
        }
        self.options.contempt + (self.rating_lead / 10).clamp(-50, 50)
    }

    /// Sets a minimum for the time lost between the clock and the engine with every move, for a clock on a server. A
    /// larger [`Options::move_overhead`] takes precedence.
    pub fn set_least_overhead(&mut self, least: Duration) {
        self.least_overhead = least;
    }

    /// The time that searches reserve for the delay between the clock and the engine: the larger of
    /// [`Options::move_overhead`] and the minimum of [`Engine::set_least_overhead`].
    pub fn move_overhead(&self) -> Duration {
        self.options.move_overhead.max(self.least_overhead)
    }

    /// Starts the threads and allocates the hash table now, so that the first search need not wait for them. If the
    /// system cannot provide everything, the engine continues with what it gets: see [`Engine::take_notices`].
    ///
    /// # Errors
    /// [`EngineError`] when the system cannot provide a single thread or the smallest table.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        // Threads first, because the table's size can be reduced.
        if self.pool.is_none() {
            self.start_threads()?;
        }
        self.allocated_table().map(drop)
    }

    /// The hash table, which this allocates if there is none.
    fn allocated_table(&mut self) -> Result<&Arc<TranspositionTable>, EngineError> {
        let table = match self.table.take() {
            Some(table) => table,
            None => {
                let mib = self.options.hash_mib;
                hash_table::allocate(mib).or_else(|error| {
                    let smaller = Options::default().hash_mib.min(mib / 2);
                    let table = hash_table::allocate_largest(smaller).ok_or(error.clone())?;
                    self.notices.push(Notice::SmallerTable { reason: error, mib: table.megabytes() });
                    Ok::<_, EngineError>(table)
                })?
            }
        };
        Ok(self.table.insert(table))
    }

    /// Starts a new game: clears what the searches of the old one have learnt. The position is kept.
    pub fn new_game(&mut self) {
        self.clear();
        // In the next game the engine makes different errors.
        self.game_seed = random_seed();
        self.node_clock = NodeClock::default();
    }

    /// Clears the hash table and everything else that searches have learnt. Do not call during a search.
    pub fn clear(&mut self) {
        self.settle();
        if let Some(table) = &self.table {
            table.clear_parallel(hash_table::processors());
        }
        self.clear_histories();
    }

    /// Clears what the searches have learnt, except the hash table.
    fn clear_histories(&mut self) {
        if let Some(pool) = &self.pool {
            pool.clear();
        }
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The game: its start position and its moves.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sets up a position from FEN, X-FEN or Shredder-FEN, and plays moves. Drops rights as [`Engine::game_from`] does.
    ///
    /// # Errors
    /// [`SetPositionError`] says what is wrong and where; the old position is kept.
    pub fn set_position(&mut self, fen: &str, moves: &[UciMove]) -> Result<(), SetPositionError> {
        let setup = Setup::from_fen(fen).map_err(PositionError::from)?;
        let game = self.game_from(setup).map_err(PositionError::from)?;
        self.replay(game, moves)
    }

    /// Creates a game from a setup of a user, without setting it up on the board. Drops impossible en passant squares
    /// and castling rights, and unless the variant of the options is Chess960, all castling rights that standard chess
    /// does not have: [`Engine::take_notices`] returns them. A game for [`Engine::set_game`] keeps its rights.
    ///
    /// # Errors
    /// [`IllegalSetup`] if the position cannot be searched.
    pub fn game_from(&mut self, mut setup: Setup) -> Result<Game, IllegalSetup> {
        let (wanted, variant) = (setup.castling, self.options.variant);
        if variant == Variant::Standard {
            setup.drop_nonstandard_castling();
        }
        let game = Game::from_setup(&setup, Tolerance::ALL)?;
        let rights = wanted.without(game.start().castling().rooks());
        if !rights.is_empty() {
            self.notices.push(Notice::CastlingDropped { rights, variant });
        }
        Ok(game)
    }

    /// As [`Engine::set_position`], from the initial position of chess.
    ///
    /// # Errors
    /// [`SetPositionError::Move`]; the old position stays.
    pub fn set_startpos(&mut self, moves: &[UciMove]) -> Result<(), SetPositionError> {
        self.replay(Game::default(), moves)
    }

    fn replay(&mut self, mut game: Game, moves: &[UciMove]) -> Result<(), SetPositionError> {
        for (index, &mv) in moves.iter().enumerate() {
            let illegal = |source| SetPositionError::Move { number: index + 1, source };
            let mv = game.position().resolve_uci(mv).map_err(illegal)?;
            game.push(mv).map_err(illegal)?;
        }
        self.game = game;
        Ok(())
    }

    /// Replaces the game. Keeps what searches have learnt.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// Plays a move on the board.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.push(mv)
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        self.game.pop()
    }

    /// The opening book's moves in the current position, best first, whether or not the book is enabled; `None` if the
    /// book had become unreadable before.
    ///
    /// # Errors
    /// [`BookError`] when the file can no longer be read.
    pub fn book_moves(&self) -> Result<Option<Vec<BookMove>>, BookError> {
        self.opening.exists().then(|| self.opening.moves(&self.game)).transpose()
    }

    /// Sets what determines the choices in this game, unless [`Options::seed`] does, and which book moves are chosen.
    /// The engine takes a random number itself if the platform provides one; WebAssembly outside WASI does not.
    pub fn set_game_seed(&mut self, seed: u64) {
        self.game_seed = seed;
        self.opening.reseed(seed);
    }

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

    /// The least time that a limited player takes for a move: see [`Options::human_time`].
    fn least_time(&self, game: &Game, limits: &Limits, difficulty: f64) -> Option<Duration> {
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
    /// modules. The result is not held back for [`Options::human_time`]. Otherwise as [`Engine::search`].
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

    /// Makes searches report their time management: [`SearchEvent::Planned`] and [`SearchEvent::Weighed`].
    pub fn set_trace(&mut self, on: bool) {
        self.trace = on;
    }

    /// Makes the next search write its tree. It uses one thread, whatever the options say.
    #[cfg(feature = "trace")]
    pub fn trace_tree(&mut self, tree: Option<bartizan_search::TreeTrace>) {
        self.tree = tree;
    }

    /// News since the last call that the owner should know: threads or memory that the system could not provide
    /// although the options ask for them, and endgame tables that were found or are unusable. May be called during a
    /// search, in which a table may turn out to be damaged.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        self.notices.extend(self.tables.take_faults());
        std::mem::take(&mut self.notices)
    }

    /// The Syzygy tables, if there are any.
    pub fn syzygy(&self) -> Option<&Tablebases> {
        self.tables.syzygy()
    }

    /// The distance-to-mate tables, if there are any.
    pub fn mate_tables(&self) -> Option<&DtmTables> {
        self.tables.mates()
    }

    /// The hash move for the current position, if there is one.
    pub fn table_move(&self) -> Option<Move> {
        let mv = self.table.as_ref()?.probe(self.position().key())?.mv?;
        self.position().is_legal(mv).then_some(mv)
    }

    /// The hash table, if a search or [`Engine::prepare`] has created one. Do not call during a search.
    pub fn hash_table(&self) -> Option<&TranspositionTable> {
        self.settle();
        self.table.as_deref()
    }

    /// The hand-written evaluation of the current position for the side to move, in internal centipawns; `None` in
    /// check.
    pub fn evaluate(&self) -> Option<Value> {
        (!self.position().in_check()).then(|| bartizan_eval::evaluate(self.position()))
    }
}

/// The network from the file in these options.
fn open_network(options: &Options) -> Result<Option<Arc<Network>>, EngineError> {
    let Some(path) = &options.eval_file else { return Ok(None) };
    let error = |source| EngineError::Network { path: path.clone(), source };
    Ok(Some(Arc::new(Network::open(path).map_err(error)?)))
}

#[cfg(test)]
mod tests;
