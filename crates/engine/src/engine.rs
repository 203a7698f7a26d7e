//! The session.

use crate::options::{
    self, CHESS960, CLEAR_HASH, CONTEMPT, HASH, MOVE_OVERHEAD, MULTIPV, OptionError, OptionSpec, Options, PONDER,
    SHOW_WDL, THREADS,
};
use bartizan_eval::HandCrafted;
use bartizan_position::{Game, IllegalMove, Position, Tolerance};
use bartizan_search::{Limits, PoolError, Search, SearchHandle, TableError, ThreadPool, TranspositionTable};
use bartizan_types::{UciMove, Value};
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

    /// The values now in force.
    pub fn options(&self) -> &Options {
        &self.options
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
        } else {
            #[cfg(feature = "tuning")]
            self.set_tuning(spec, value)?;
        }
        Ok(())
    }

    /// A number or a step of the search. The numbers are those of the whole process.
    #[cfg(feature = "tuning")]
    fn set_tuning(&mut self, spec: OptionSpec, value: Option<&str>) -> Result<(), OptionError> {
        use bartizan_search::{Step, params};
        if let Some(&step) = Step::ALL.iter().find(|step| step.name() == spec.name) {
            let steps = self.options.steps;
            self.options.steps = if spec.parse_check(value)? { steps.with(step) } else { steps.without(step) };
        } else {
            params::set(spec.name, spec.parse_spin(value)? as i32);
        }
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
        match TranspositionTable::new(megabytes) {
            Ok(table) => {
                self.table = Some(Arc::new(table));
                self.options.hash = megabytes;
                Ok(())
            }
            Err(error) => {
                if had_table {
                    self.table = TranspositionTable::new(self.options.hash).ok().map(Arc::new);
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
            self.table = Some(Arc::new(TranspositionTable::new(self.options.hash)?));
        }
        if self.pool.is_none() {
            self.pool = Some(ThreadPool::new(self.options.threads, HandCrafted::new)?);
        }
        Ok(())
    }

    /// A new game: what was learnt from the old one is forgotten. The position stays.
    pub fn new_game(&mut self) {
        self.forget();
    }

    fn forget(&mut self) {
        if let Some(table) = &self.table {
            table.clear_parallel(self.options.threads);
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

    /// Turns the board round: colours swapped and mirrored. The moves before are forgotten.
    pub fn flip(&mut self) {
        self.game = Game::new(self.position().flipped());
    }

    /// Begins a search of the present position. One search at a time: stop the one before.
    ///
    /// # Errors
    /// [`EngineError`] when threads or table cannot be had.
    pub fn go(&mut self, limits: Limits) -> Result<SearchHandle, EngineError> {
        let started = Instant::now();
        self.prepare()?;
        let search = Search {
            game: self.game.clone(),
            limits,
            multipv: self.options.multipv,
            contempt: self.options.contempt,
            steps: self.options.steps,
            trace: false,
            move_overhead: Duration::from_millis(self.options.move_overhead),
            started,
        };
        match (&mut self.pool, &self.table) {
            (Some(pool), Some(table)) => Ok(pool.go(search, table.clone())),
            _ => unreachable!("prepare() made both or failed"),
        }
    }

    /// The static evaluation of the present position for the side to move, in internal centipawns; `None` in check.
    pub fn evaluate(&self) -> Option<Value> {
        (!self.position().in_check()).then(|| bartizan_eval::evaluate(self.position()))
    }
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
    fn a_wrong_option_leaves_the_old_value() {
        let mut engine = Engine::new();
        engine.prepare().unwrap();
        assert!(engine.set_option("Hash", Some("33554432")).is_err());
        assert_eq!(engine.options(), &Options::default());
        assert_eq!(engine.go(Limits::depth(2)).unwrap().wait().depth, 2);
        engine.set_option("threads", Some("2")).unwrap();
        assert_eq!(engine.go(Limits::depth(3)).unwrap().wait().depth, 3);
    }
}
