//! The session.

use crate::game_log::{GameLog, Players};
use crate::hash_file::{self, HashFileError};
use crate::learning::Learner;
use crate::options::{
    self, CHESS960, CLEAR_HASH, CONTEMPT, DRAWS, GAME_LOG, HASH, LEARNING, LEARNING_DEPTH, LEARNING_FILE,
    LEARNING_READ_ONLY, LEARNING_THRESHOLD, MOVE_OVERHEAD, MULTIPV, OptionError, OptionSpec, Options, PONDER, RESIGN,
    RESIGN_MOVES, RESIGN_SCORE, SHOW_WDL, STRENGTH, THREADS,
};
use bartizan_eval::HandCrafted;
use bartizan_notation::pgn::GameResult;
use bartizan_position::{Game, IllegalMove, Position, Tolerance};
use bartizan_search::{
    Limits, PoolError, Search, SearchControl, SearchEvent, SearchHandle, TableError, ThreadPool, TranspositionTable,
};
use bartizan_types::{Move, UciMove, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why a position was not set up. The old one stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The FEN is wrong or no legal position.
    #[error(transparent)]
    Fen(#[from] bartizan_position::PositionError),
    /// A move of the game is not legal.
    #[error("move {number}: {source}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// The move.
        source: IllegalMove,
    },
}

/// Why a search could not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No memory for the hash table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No threads.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// Why a hash table was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadHashError {
    /// There is no table to load it into.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] HashFileError),
}

/// An engine with its options and the game it is in.
///
/// Threads and hash table are made when they are first needed ([`Engine::prepare`]), so that an engine which is only asked
/// for its name starts at once.
#[derive(Debug, Default)]
pub struct Engine {
    options: Options,
    game: Game,
    pool: Option<ThreadPool>,
    table: Option<Arc<TranspositionTable>>,
    /// Whether searches tell what becomes of their time.
    trace: bool,
    /// Our rating minus the opponent's, where both are known.
    rating_lead: i32,
    /// What is lost with every move at least, whatever the option says.
    least_overhead: Duration,
    learner: Learner,
    log: Option<GameLog>,
    /// What there is to say for a trace.
    notes: Vec<String>,
}

impl Engine {
    /// An engine at the starting position, with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The options there are.
    pub fn option_specs() -> &'static [OptionSpec] {
        options::all()
    }

    /// More options, for front ends whose protocol has words for resignation and draws.
    pub fn manners_specs() -> &'static [OptionSpec] {
        &options::MANNERS
    }

    /// The values now in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// By how much our rating exceeds the opponent's, in Elo; 0 if one of them is not known. The search then plays for a win
    /// against the weaker and for a draw against the stronger: see [`Engine::contempt`].
    pub fn set_rating_lead(&mut self, elo: i32) {
        self.rating_lead = elo;
    }

    /// What a draw costs the engine in a game, in internal centipawns: the option `Contempt`, and one for every 10 Elo of rating
    /// lead, up to 50 either way.
    pub fn contempt(&self) -> i32 {
        self.options.contempt + (self.rating_lead / 10).clamp(-50, 50)
    }

    /// What is lost between the clock and the engine with every move, at the least: for a clock that is far away. A larger
    /// option `Move Overhead` counts instead.
    pub fn set_least_overhead(&mut self, least: Duration) {
        self.least_overhead = least;
    }

    /// What searches take to be lost between the clock and the engine with every move: the option `Move Overhead`, or what
    /// [`Engine::set_least_overhead`] has set if that is more.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.options.move_overhead).max(self.least_overhead)
    }

    /// Sets an option by name; case and extra blanks in the name do not count. Not while a search runs: a search keeps the
    /// threads and the table that it began with.
    ///
    /// # Errors
    /// [`OptionError`]; the old value stays.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let spec = options::find(name)?;
        if spec == THREADS {
            self.set_threads(spec.parse_spin(value)? as usize)?;
        } else if spec == HASH {
            self.set_hash(spec.parse_spin(value)? as usize)?;
        } else if spec == CLEAR_HASH {
            self.forget();
        } else if spec == MULTIPV {
            self.options.multipv = spec.parse_spin(value)? as usize;
        } else if spec == MOVE_OVERHEAD {
            self.options.move_overhead = spec.parse_spin(value)? as u64;
        } else if spec == PONDER {
            self.options.ponder = spec.parse_check(value)?;
        } else if spec == CHESS960 {
            self.options.chess960 = spec.parse_check(value)?;
        } else if spec == SHOW_WDL {
            self.options.show_wdl = spec.parse_check(value)?;
        } else if spec == CONTEMPT {
            self.options.contempt = spec.parse_spin(value)? as i32;
        } else if spec == STRENGTH {
            self.options.strength = spec.parse_spin(value)? as u32;
        } else if self.set_learning(spec, value)? || self.set_manners(spec, value)? {
            // Done.
        } else if spec == GAME_LOG {
            self.set_game_log(spec, value)?;
        } else {
            #[cfg(feature = "tuning")]
            self.set_tuning(spec, value)?;
        }
        Ok(())
    }

    /// A number or a step of the search, or weights. Numbers and weights are those of the whole process.
    #[cfg(feature = "tuning")]
    fn set_tuning(&mut self, spec: OptionSpec, value: Option<&str>) -> Result<(), OptionError> {
        use bartizan_search::{Step, TimeRule, params};
        if spec == crate::options::WEIGHTS {
            crate::weights::read(std::path::Path::new(&spec.parse_file(value)))?;
        } else if let Some(group) = spec.name.strip_prefix(crate::options::TERMS) {
            crate::weights::set_group(group, spec.parse_check(value)?)?;
        } else if let Some(&step) = Step::ALL.iter().find(|step| step.name() == spec.name) {
            let steps = self.options.steps;
            self.options.steps = if spec.parse_check(value)? { steps.with(step) } else { steps.without(step) };
        } else if let Some(&rule) = TimeRule::ALL.iter().find(|rule| rule.name() == spec.name) {
            let rules = self.options.time_rules;
            self.options.time_rules = if spec.parse_check(value)? { rules.with(rule) } else { rules.without(rule) };
        } else {
            params::set(spec.name, spec.parse_spin(value)? as i32);
        }
        Ok(())
    }

    fn set_learning(&mut self, spec: OptionSpec, value: Option<&str>) -> Result<bool, OptionError> {
        let learning = &mut self.options.learning;
        if spec == LEARNING {
            learning.on = spec.parse_check(value)?;
        } else if spec == LEARNING_FILE {
            learning.file = spec.parse_file(value);
        } else if spec == LEARNING_THRESHOLD {
            learning.threshold = spec.parse_spin(value)? as i32;
        } else if spec == LEARNING_DEPTH {
            learning.depth = spec.parse_spin(value)? as u32;
        } else if spec == LEARNING_READ_ONLY {
            learning.read_only = spec.parse_check(value)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn set_manners(&mut self, spec: OptionSpec, value: Option<&str>) -> Result<bool, OptionError> {
        let manners = &mut self.options.manners;
        if spec == RESIGN {
            manners.resign = spec.parse_check(value)?;
        } else if spec == RESIGN_SCORE {
            manners.resign_score = spec.parse_spin(value)? as i32;
        } else if spec == RESIGN_MOVES {
            manners.resign_moves = spec.parse_spin(value)? as u32;
        } else if spec == DRAWS {
            manners.draws = spec.parse_check(value)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn set_game_log(&mut self, spec: OptionSpec, value: Option<&str>) -> Result<(), OptionError> {
        let path = spec.parse_file(value);
        if self.options.game_log == path {
            return Ok(());
        }
        let failed =
            |error: std::io::Error| OptionError::Failed { name: spec.name, reason: format!("{path}: {error}") };
        let log = if path.is_empty() { None } else { Some(GameLog::open(&path).map_err(failed)?) };
        // The old log ends the game that it has.
        self.log = log;
        self.options.game_log = path;
        Ok(())
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), OptionError> {
        if self.pool.as_ref().is_some_and(|pool| pool.threads() != threads) {
            let pool = ThreadPool::new(threads, HandCrafted::new);
            let failed = |error: PoolError| OptionError::Failed { name: THREADS.name, reason: error.to_string() };
            self.pool = Some(pool.map_err(failed)?);
        }
        self.options.threads = threads;
        Ok(())
    }

    fn set_hash(&mut self, megabytes: usize) -> Result<(), OptionError> {
        if self.table.as_ref().is_some_and(|table| table.megabytes() == megabytes) {
            return Ok(());
        }
        // The old table makes room first: both together may be more than there is.
        let had_table = self.table.take().is_some();
        match new_table(megabytes) {
            Ok(table) => {
                self.table = Some(table);
                self.options.hash = megabytes;
                Ok(())
            }
            Err(error) => {
                if had_table {
                    self.table = new_table(self.options.hash).ok();
                }
                Err(OptionError::Failed { name: HASH.name, reason: error.to_string() })
            }
        }
    }

    /// Makes the threads and the table, if they are not there yet.
    ///
    /// # Errors
    /// [`EngineError`] when the system does not give them.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        if self.table.is_none() {
            self.table = Some(new_table(self.options.hash)?);
        }
        if self.pool.is_none() {
            self.pool = Some(ThreadPool::new(self.options.threads, HandCrafted::new)?);
        }
        Ok(())
    }

    /// A new game: what was learnt from the old one is forgotten. The position stays.
    pub fn new_game(&mut self) {
        self.forget();
        self.learner.new_game();
        self.end_log(GameResult::Unknown, "");
    }

    fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear_parallel(processors());
        }
        if let Some(pool) = &self.pool {
            pool.clear();
        }
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The game from its first position on.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Sets up a position by FEN (X-FEN, Shredder-FEN) and plays moves in it. Whatever can be searched is accepted:
    /// impossible castling or en passant rights are dropped.
    ///
    /// # Errors
    /// [`PositionError`] says what is wrong and where; the old position stays.
    pub fn set_position(&mut self, fen: &str, moves: &[UciMove]) -> Result<(), PositionError> {
        let start = Position::from_fen_with(fen, Tolerance::ALL)?;
        self.set_game(start, moves)
    }

    /// As [`Engine::set_position`], from the starting position of chess.
    ///
    /// # Errors
    /// [`PositionError::Move`]; the old position stays.
    pub fn set_startpos(&mut self, moves: &[UciMove]) -> Result<(), PositionError> {
        self.set_game(Position::startpos(), moves)
    }

    fn set_game(&mut self, start: Position, moves: &[UciMove]) -> Result<(), PositionError> {
        let mut game = Game::new(start);
        for (index, &mv) in moves.iter().enumerate() {
            let illegal = |source| PositionError::Move { number: index + 1, source };
            let mv = game.position().resolve_uci(mv).map_err(illegal)?;
            game.push(mv).map_err(illegal)?;
        }
        self.game = game;
        Ok(())
    }

    /// Takes over a game. What the search knows of other positions stays.
    pub fn set_game_to(&mut self, game: Game) {
        self.game = game;
    }

    /// Plays a move on the board.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.push(mv)
    }

    /// Takes back the last move, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        self.game.pop()
    }

    /// Turns the board round: colours swapped and mirrored. The moves before are forgotten.
    pub fn flip(&mut self) {
        self.game = Game::new(self.position().flipped());
    }

    /// Begins a search of the present position. One search at a time: stop the one before.
    ///
    /// # Errors
    /// [`EngineError`] when threads or table cannot be had.
    pub fn go(&mut self, limits: Limits) -> Result<SearchHandle, EngineError> {
        self.search(self.game.clone(), limits, self.options.multipv)
    }

    /// Begins a search of any game's last position, whatever is on the board, with so many best lines.
    ///
    /// # Errors
    /// [`EngineError`] when threads or table cannot be had.
    pub fn search(&mut self, game: Game, limits: Limits, multipv: usize) -> Result<SearchHandle, EngineError> {
        self.start(game, limits, multipv, ThreadPool::go)
    }

    /// Starts a search as [`Engine::search`] does, but passes its events to `listener`: see [`ThreadPool::go_with`].
    ///
    /// # Errors
    /// [`EngineError`] when threads or table cannot be had.
    pub fn search_with(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        listener: impl FnMut(SearchEvent) + Send + 'static,
    ) -> Result<SearchControl, EngineError> {
        self.start(game, limits, multipv, |pool, search, table| pool.go_with(search, table, listener))
    }

    fn start<T>(
        &mut self,
        game: Game,
        mut limits: Limits,
        multipv: usize,
        go: impl FnOnce(&mut ThreadPool, Search, Arc<TranspositionTable>) -> T,
    ) -> Result<T, EngineError> {
        let started = Instant::now();
        self.prepare()?;
        if self.trace {
            self.notes.push(crate::trace::entered(&limits, game.position()));
        }
        if let Some(budget) = strength_nodes(self.options.strength) {
            limits.nodes = Some(limits.nodes.map_or(budget, |nodes| nodes.min(budget)));
        }
        // An analysis takes no side.
        let contempt = if limits.infinite { 0 } else { self.contempt() };
        let move_overhead = self.move_overhead();
        let (Some(pool), Some(table)) = (&mut self.pool, &self.table) else {
            unreachable!("prepare() made both or failed")
        };
        self.learner.teach(&self.options.learning, table, &mut self.notes);
        self.learner.watch(&game, limits.search_moves.is_empty() && limits.mate.is_none());
        let mut search = Search::new(game, limits)
            .with_multipv(multipv)
            .with_contempt(Value(contempt))
            .with_move_overhead(move_overhead)
            .started_at(started);
        search.trace = self.trace;
        #[cfg(feature = "tuning")]
        {
            search.steps = self.options.steps;
            search.time_rules = self.options.time_rules;
        }
        Ok(go(pool, search, table.clone()))
    }

    /// Learns from what a search of [`Engine::go`] says. Pass it every event of a search that is played to its end; one
    /// that is broken off teaches nothing.
    pub fn note(&mut self, event: &SearchEvent) {
        self.learner.hear(event, &self.options.learning, &mut self.notes);
    }

    /// Whether something was learnt about the present position, or one that a move leads to, and the search knows it.
    pub fn has_learnt(&self) -> bool {
        self.options.learning.on && self.learner.knows(self.position())
    }

    /// Whether there is a game log.
    pub fn logs_games(&self) -> bool {
        self.log.is_some()
    }

    /// Whether searches tell more, and notes are kept of them for [`Engine::take_notes`].
    pub fn set_trace(&mut self, on: bool) {
        self.trace = on;
    }

    /// What has happened since the last call, in words, for a trace: searches begun, positions learnt, files that could not
    /// be written.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The move that the table knows for the present position.
    pub fn table_move(&self) -> Option<Move> {
        let mv = self.table.as_ref()?.probe(self.position().key())?.mv?;
        self.position().is_legal(mv).then_some(mv)
    }

    /// Notes a game as it now stands in the game log, if there is one. Call it after each move.
    pub fn log_game(&mut self, game: &Game, players: &Players) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.note(game, self.options.chess960, players)
        {
            self.notes.push(format!("game log: {}: {error}", log.path().display()));
        }
    }

    /// Ends the game in the game log.
    pub fn end_log(&mut self, result: GameResult, reason: &str) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.end(result, reason)
        {
            self.notes.push(format!("game log: {}: {error}", log.path().display()));
        }
    }

    /// Writes the hash table to a file, for [`Engine::load_hash`]. Gives the number of positions. Not while a search runs.
    ///
    /// # Errors
    /// [`HashFileError`]; a file that was there before stays.
    pub fn save_hash(&self, path: &str) -> Result<u64, HashFileError> {
        let entries = self.table.iter().flat_map(|table| table.entries());
        hash_file::save(path.as_ref(), self.options.hash, entries)
    }

    /// Reads a file of [`Engine::save_hash`] into the hash table, which must be as large as the one that was saved; what is in
    /// the table stays unless its place is needed. Gives the number of positions. Not while a search runs.
    ///
    /// # Errors
    /// [`EngineError`] when there is no memory for the table, [`HashFileError`] when the file is damaged, of another version
    /// or of a table of another size: then the table stays as it was.
    pub fn load_hash(&mut self, path: &str) -> Result<u64, LoadHashError> {
        self.prepare()?;
        let Some(table) = &self.table else { return Ok(0) };
        Ok(hash_file::load(path.as_ref(), self.options.hash, |key, entry| table.store(key, entry))?)
    }

    /// The static evaluation of the present position for the side to move, in internal centipawns; `None` in check.
    pub fn evaluate(&self) -> Option<Value> {
        (!self.position().in_check()).then(|| bartizan_eval::evaluate(self.position()))
    }
}

/// A table whose pages are all there, so that the first search need not wait for them.
fn new_table(megabytes: usize) -> Result<Arc<TranspositionTable>, TableError> {
    let table = TranspositionTable::new(megabytes)?;
    table.populate(processors());
    Ok(Arc::new(table))
}

/// How many threads can work on a table: all that the machine has, since nothing else goes on meanwhile.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The nodes of a move at a strength in hundredths; `None` at full strength. Seven steps double them: 70 nodes at 1, 8,000
/// at 50, a million at 99.
fn strength_nodes(strength: u32) -> Option<u64> {
    (strength < 100).then(|| 2_f64.powf(6.0 + f64::from(strength) / 7.1) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_position_leaves_the_old_one() {
        let mut engine = Engine::new();
        let before = engine.position().clone();
        assert!(engine.set_position("8/8/8/8/8/8/8/8 w - - 0 1", &[]).is_err());
        let e2e5 = "e2e5".parse().unwrap();
        let error = engine.set_startpos(&["e2e4".parse().unwrap(), e2e5]).unwrap_err();
        assert_eq!(error.to_string(), "move 2: e2e5 is not legal here");
        assert_eq!(engine.position(), &before);
    }

    #[test]
    fn the_larger_overhead_counts() {
        let mut engine = Engine::new();
        assert_eq!(engine.move_overhead(), Duration::from_millis(10));
        engine.set_least_overhead(Duration::from_millis(500));
        assert_eq!(engine.move_overhead(), Duration::from_millis(500));
        engine.set_option("Move Overhead", Some("900")).unwrap();
        assert_eq!(engine.move_overhead(), Duration::from_millis(900));
    }

    #[test]
    fn a_wrong_option_leaves_the_old_value() {
        let mut engine = Engine::new();
        engine.prepare().unwrap();
        assert!(engine.set_option("Hash", Some("33554432")).is_err());
        assert_eq!(engine.options(), &Options::default());
        assert_eq!(engine.set_option("learning", Some("1")), Ok(()));
        assert!(engine.set_option("Learning Depth", Some("0")).is_err());
        assert!(engine.set_option("Game Log", Some("/no/such/\0folder")).is_err());
        assert_eq!(engine.set_option("learning", Some("false")), Ok(()));
        assert_eq!(engine.options(), &Options::default());
        assert_eq!(engine.go(Limits::depth(2)).unwrap().wait().depth, 2);
        engine.set_option("threads", Some("2")).unwrap();
        assert_eq!(engine.go(Limits::depth(3)).unwrap().wait().depth, 3);
    }
}
