//! The session: options and game; `search` has its searches.

use crate::book::{OpeningBook, random_seed};
use crate::error::{EngineError, SetPositionError};
use crate::hash_table;
use crate::node_clock::NodeClock;
use crate::notice::Notice;
use crate::options::{self, Action, EvaluationKind, OptionError, Options, Retry};
use crate::tables::Tables;
use bartizan_book::{Book, BookError, BookMove};
use bartizan_dtm::DtmTables;
use bartizan_levels::Player;
use bartizan_network::{AnyEvaluator, EvaluationModel, Network};
use bartizan_position::{Game, IllegalMove, IllegalSetup, Position, PositionError, Setup, Tolerance};
use bartizan_search::{EvalNoise, PoolError, Searcher, ThreadPool, TranspositionTable};
use bartizan_tablebase::Tablebases;
use bartizan_types::{Move, UciMove, Value, Variant};
use std::sync::Arc;
use std::time::Duration;

mod search;

pub use search::Caller;

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

    /// Replaces the Syzygy tables, for a program without files; a later change of [`Options::syzygy`] replaces them
    /// again. Do not call during a search.
    pub fn set_syzygy(&mut self, tables: Tablebases) {
        self.tables.set_syzygy(tables);
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

    /// Makes searches report their time management: [`SearchEvent::Planned`](crate::SearchEvent::Planned) and
    /// [`SearchEvent::Weighed`](crate::SearchEvent::Weighed).
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
