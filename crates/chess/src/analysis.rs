//! Analysis of a single position.

use bartizan_eval::{Evaluator, Material, shown};
use bartizan_network::Evaluation;
use bartizan_position::{Game, Position};
use bartizan_protocol::Score;
use bartizan_search::{
    Limits, PoolError, Search, SearchEvent, SearchResult, TableError, ThreadPool, TranspositionTable,
};
use bartizan_types::{Move, Value};
use std::sync::Arc;
use std::time::Duration;

/// The size of the hash table of an analysis, in MiB.
const HASH_MIB: usize = 64;

/// The result of [`analyse`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// The position that was analysed.
    pub position: Position,
    /// The best move; `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// The principal variation: the best line for both sides.
    pub pv: Vec<Move>,
    /// The depth reached, in plies.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The duration of the search.
    pub time: Duration,
}

impl Analysis {
    fn new(position: &Position, result: SearchResult, centipawns: impl Fn(Value) -> i32) -> Self {
        let SearchResult { best, value, pv, depth, nodes, time, .. } = result;
        let score = value.mate_in_moves().map_or_else(|| Score::Cp(centipawns(value)), Score::Mate);
        Self { position: position.clone(), best_move: best, score, pv, depth, nodes, time }
    }

    /// The principal variation in SAN.
    #[cfg(feature = "notation")]
    pub fn pv_san(&self) -> Vec<String> {
        let mut position = self.position.clone();
        let san = |&mv| {
            let san = bartizan_notation::san::San::new(&position, mv).to_string();
            position = position.play_unchecked(mv);
            san
        };
        self.pv.iter().map(san).collect()
    }
}

/// Why a position could not be analysed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The system refused a thread.
    #[error(transparent)]
    Thread(#[from] PoolError),
    /// The system refused memory for the hash table.
    #[error(transparent)]
    Memory(#[from] TableError),
    /// None of [`Limits::search_moves`] is legal.
    #[error("none of the moves to consider is legal")]
    NoSearchMove,
    /// The search ended without a result, because the evaluator panicked.
    #[error("the search failed: the evaluator panicked")]
    Failed,
}

/// Analyses a position on one thread, with the engine's own evaluation: the mean of its network and its
/// hand-written terms.
///
/// Centipawns are normalised: with a score of 100, the side that is ahead wins half of its games.
///
/// Waits for the search to end, so `limits` must have a depth, time or number of nodes. The module
/// [`search`](crate::search) has searches that report events, run on several threads, and can be stopped.
///
/// ```
/// use bartizan_chess::{Limits, Position, Score, analyse};
///
/// let position = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1")?;
/// let analysis = analyse(&position, Limits::depth(8))?;
/// assert_eq!(analysis.score, Score::Mate(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalysisError`] if the system refuses a thread or memory, or if `limits` has moves to consider and none is legal.
pub fn analyse(position: &Position, limits: Limits) -> Result<Analysis, AnalysisError> {
    let material = Material::of(position);
    let result = search(position, limits, Evaluation::built_in)?;
    Ok(Analysis::new(position, result, |value| shown(value, material)))
}

/// Analyses a position on one thread, with an evaluation of your own.
///
/// `evaluator` creates the evaluator of the search thread. Scores are in the evaluator's centipawns, within the ranges
/// that [`Evaluator::evaluate`] describes.
///
/// # Errors
/// As [`analyse`], and if the evaluator panics.
pub fn analyse_with<E: Evaluator + 'static>(
    position: &Position,
    limits: Limits,
    evaluator: impl Fn() -> E + Send + Sync + 'static,
) -> Result<Analysis, AnalysisError> {
    Ok(Analysis::new(position, search(position, limits, evaluator)?, |value| value.0))
}

fn search<E: Evaluator + 'static>(
    position: &Position,
    limits: Limits,
    evaluator: impl Fn() -> E + Send + Sync + 'static,
) -> Result<SearchResult, AnalysisError> {
    let search_moves = &limits.search_moves;
    if !search_moves.is_empty() && !search_moves.iter().any(|&mv| position.is_legal(mv)) {
        return Err(AnalysisError::NoSearchMove);
    }
    let mut pool = ThreadPool::new(1, evaluator)?;
    let table = Arc::new(TranspositionTable::new(HASH_MIB)?);
    let events = pool.go(Search::new(Game::new(position.clone()), limits), table);
    let finished = events.filter_map(|event| match event {
        SearchEvent::Finished(result) => Some(result),
        _ => None,
    });
    finished.last().ok_or(AnalysisError::Failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Square;

    /// Evaluates every position as equal.
    struct Zero;

    impl Evaluator for Zero {
        fn evaluate(&mut self, _: &Position) -> Value {
            Value::ZERO
        }
    }

    /// Panics at the first position.
    struct Broken;

    impl Evaluator for Broken {
        fn evaluate(&mut self, position: &Position) -> Value {
            panic!("no evaluation of {}", position.to_fen());
        }
    }

    #[test]
    fn custom_evaluations_are_used() -> Result<(), AnalysisError> {
        let analysis = analyse_with(&Position::startpos(), Limits::depth(4), || Zero)?;
        assert_eq!(analysis.score, Score::Cp(0));
        assert_eq!(analysis.depth, 4);
        Ok(())
    }

    #[test]
    fn a_panicking_evaluator_is_an_error() {
        let failed = analyse_with(&Position::startpos(), Limits::depth(4), || Broken);
        assert!(matches!(failed, Err(AnalysisError::Failed)), "{failed:?}");
    }

    #[test]
    fn a_move_to_consider_must_be_legal() {
        let limits = Limits::depth(4).with_search_moves([Move::normal(Square::A2, Square::A5)]);
        let failed = analyse(&Position::startpos(), limits);
        assert!(matches!(failed, Err(AnalysisError::NoSearchMove)), "{failed:?}");
    }

    #[test]
    fn a_finished_game_has_no_best_move() -> Result<(), Box<dyn std::error::Error>> {
        let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")?;
        let analysis = analyse(&mate, Limits::depth(4))?;
        assert_eq!((analysis.best_move, analysis.score), (None, Score::Mate(0)));
        Ok(())
    }
}
