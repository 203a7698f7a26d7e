//! A single-threaded engine whose searches depend only on their limits.

use crate::EngineError;
use bartizan_network::{AnyEvaluator, EvaluationModel};
use bartizan_parallel::StopFlag;
use bartizan_position::Game;
use bartizan_search::{Limits, Search, SearchEvent, SearchResult, Searcher, Stopwatch, TranspositionTable};
use bartizan_types::{Color, Move, Value};
use std::sync::Arc;
use std::time::Duration;

/// Searches on the caller's thread, which needs 3 MiB of stack, with a hash table and without book and endgame tables.
///
/// ```
/// use bartizan_engine::{EvaluationModel, Limits, SingleThreadedEngine, StopFlag};
/// use bartizan_position::Game;
///
/// let mut engine = SingleThreadedEngine::new(1, EvaluationModel::built_in())?;
/// let result = engine.search(&Game::default(), Limits::depth(4), &StopFlag::new()).unwrap();
/// assert!(result.best.is_some());
/// # Ok::<(), bartizan_engine::EngineError>(())
/// ```
#[derive(Debug)]
pub struct SingleThreadedEngine {
    searcher: Searcher<AnyEvaluator>,
    table: Arc<TranspositionTable>,
}

impl SingleThreadedEngine {
    /// An engine with a hash table of a size in MiB, at least one.
    ///
    /// # Errors
    /// [`EngineError`] if the system cannot provide the memory.
    pub fn new(hash_mib: usize, model: EvaluationModel) -> Result<Self, EngineError> {
        let table = Arc::new(TranspositionTable::new(hash_mib)?);
        Ok(Self { searcher: Searcher::new(move || AnyEvaluator::new(&model))?, table })
    }

    /// Forgets all searches, so that the next one does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.searcher.clear();
    }

    /// Searches the last position of a game; `None` if stopped. The result has no move only if the game is over. There
    /// is no clock: time limits are never reached.
    pub fn search(&mut self, game: &Game, limits: Limits, stop: &StopFlag) -> Option<SearchResult> {
        if stop.is_stopped() {
            return None;
        }
        let search = Search::new(game.clone(), limits).with_stopwatch(Stopwatch::of(|| Duration::ZERO));
        let result = self.searcher.search(search, &self.table, &|| stop.is_stopped(), None);
        (!stop.is_stopped()).then_some(result)
    }

    /// Runs any search, as [`Searcher::search`] does.
    pub fn run(
        &mut self,
        search: Search,
        is_stopped: &dyn Fn() -> bool,
        on_event: &mut dyn FnMut(SearchEvent),
    ) -> SearchResult {
        self.searcher.search(search, &self.table, is_stopped, Some(on_event))
    }
}

/// A move that the engine chose, and the result of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchedMove {
    /// The move.
    pub mv: Move,
    /// Score for the side that moves.
    pub value: Value,
    /// Depth in plies. The binary format omits it.
    pub depth: u32,
}

/// How a game ended; the winner is `None` after a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutEnd {
    /// By the rules of chess. Claimable draws are claimed.
    Rules(Option<Color>),
    /// By the judge.
    Adjudicated(Option<Color>),
}

/// Plays a game to its end; `None` if stopped, or if `choose` returns no move. After each move, `judge` sees the game
/// and returns the winner if it ends the game; the rules take precedence.
pub fn play_out(
    mut game: Game,
    stop: &StopFlag,
    mut choose: impl FnMut(&Game) -> Option<SearchedMove>,
    mut judge: impl FnMut(&Game, &[SearchedMove]) -> Option<Option<Color>>,
) -> Option<(Vec<SearchedMove>, PlayoutEnd)> {
    let mut moves: Vec<SearchedMove> = Vec::new();
    loop {
        if stop.is_stopped() {
            return None;
        }
        let ending = match game.outcome() {
            Some(outcome) => Some(PlayoutEnd::Rules(outcome.winner())),
            None if game.claimable_draw().is_some() => Some(PlayoutEnd::Rules(None)),
            None => judge(&game, &moves).map(PlayoutEnd::Adjudicated),
        };
        if let Some(ending) = ending {
            return Some((moves, ending));
        }
        let chosen = choose(&game)?;
        game.push(chosen.mv).ok()?;
        moves.push(chosen);
    }
}
