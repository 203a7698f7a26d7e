//! Analysis of positions.

use bartizan_eval::{Evaluator, Material, shown};
use bartizan_network::{Evaluation, EvaluationModel};
use bartizan_position::{Game, Position};
use bartizan_protocol::Score;
use bartizan_search::{Limits, PoolError, Search, SearchEvent, SearchInfo, TableError, ThreadPool, TranspositionTable};
use bartizan_types::{Bound, Move, Value};
use std::sync::Arc;
use std::time::Duration;

/// The size of the hash table of [`analyse`], in MiB.
const HASH_MIB: usize = 64;

/// A line that an analysis has found, with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysis {
    /// The position that was analysed.
    pub position: Position,
    /// The first move of the line: the best one, unless several lines were asked for. `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// Whether the score is exact. It is a lower bound if the limits ended the search while it searched a new best move
    /// again that had failed high.
    pub bound: Bound,
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
    /// The limits do not end the search: see [`Limits::is_endless`].
    #[error("the analysis would not end: its limits need a depth, a time or a number of nodes, and no pondering")]
    Endless,
    /// The search ended without a result, because the evaluator panicked.
    #[error("the search failed: the evaluator panicked")]
    Failed,
}

/// Analyses positions one after another. It keeps its threads and its hash table, so that a call costs no more than the
/// search, and what one has found helps the next: the positions of a game are analysed in less time one after another.
///
/// An analysis depends on those before it, unless [`Analyser::clear`] comes between them.
///
/// ```
/// use bartizan_chess::{Analyser, Limits, Position, Score};
///
/// let mut analyser = Analyser::new(1, 16)?;
/// let position = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1")?;
/// let lines = analyser.analyse_lines(&position, Limits::depth(6), 2)?;
/// assert_eq!(lines[0].pv_san(), ["Ra8#"]);
/// assert_eq!([lines[0].score, lines[1].score], [Score::Mate(1), Score::Mate(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Analyser {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
    /// Centipawns from a value of the evaluator that is no mate, and the material on the board.
    centipawns: fn(Value, Material) -> i32,
}

impl Analyser {
    /// Starts threads, at least one, and allocates a hash table of a size in MiB, at least one. The evaluation is the
    /// engine's own, and centipawns are those of [`analyse`].
    ///
    /// Each thread takes about 7 MiB. If the system does not provide all of them, there are fewer: see
    /// [`Analyser::threads`]. With more than one, two analyses of a position may differ.
    ///
    /// # Errors
    /// [`AnalysisError`] if the system provides not even one thread, or refuses the memory for the table.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Self, AnalysisError> {
        let model = EvaluationModel::built_in();
        let analyser = Self::with_evaluator(threads, hash_mib, move || Evaluation::new(&model))?;
        Ok(Self { centipawns: shown, ..analyser })
    }

    /// As [`Analyser::new`], with an evaluation of your own. `evaluator` creates the evaluator of a search thread.
    /// Scores are in the evaluator's centipawns, within the ranges that [`Evaluator::evaluate`] describes.
    ///
    /// # Errors
    /// As [`Analyser::new`].
    pub fn with_evaluator<E: Evaluator + 'static>(
        threads: usize,
        hash_mib: usize,
        evaluator: impl Fn() -> E + Send + Sync + 'static,
    ) -> Result<Self, AnalysisError> {
        let pool = ThreadPool::new(threads, evaluator)?;
        let table = Arc::new(TranspositionTable::new(hash_mib)?);
        Ok(Self { pool, table, centipawns: |value, _| value.0 })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Analyses a [`Position`], or the current position of a [`Game`], whose earlier positions count as repetitions.
    /// Waits for the search to end.
    ///
    /// # Errors
    /// [`AnalysisError`] if the limits do not end the search, if they have moves to consider and none is legal, or if
    /// an evaluator of your own panics.
    pub fn analyse(&mut self, game: impl Into<Game>, limits: Limits) -> Result<Analysis, AnalysisError> {
        self.analyse_lines(game, limits, 1)?.into_iter().next().ok_or(AnalysisError::Failed)
    }

    /// As [`Analyser::analyse`], for the best lines that begin with different moves (MultiPV): `count` of them, at
    /// least one, or as many as there are legal moves. The best comes first. Each further line takes about as long as
    /// the first.
    ///
    /// If the time or the number of nodes ends the search, the later lines may be from an iteration before, with a
    /// lesser [`Analysis::depth`]; their scores do not compare with those of the first lines.
    ///
    /// # Errors
    /// As [`Analyser::analyse`].
    pub fn analyse_lines(
        &mut self,
        game: impl Into<Game>,
        limits: Limits,
        count: usize,
    ) -> Result<Vec<Analysis>, AnalysisError> {
        let game = game.into();
        check(game.position(), &limits)?;
        let position = game.position().clone();
        let events = self.pool.go(Search::new(game, limits).with_multipv(count), self.table.clone());
        // The latest report of each line; all of an iteration come together.
        let mut lines: Vec<SearchInfo> = Vec::new();
        for event in events {
            match event {
                SearchEvent::Info(info) => match lines.get_mut(info.multipv as usize - 1) {
                    Some(line) => *line = info,
                    None => lines.push(info),
                },
                SearchEvent::Finished(result) => {
                    let analysis = |mut line: SearchInfo| {
                        (line.nodes, line.time) = (result.nodes, result.time);
                        self.analysis(&position, line)
                    };
                    return Ok(lines.into_iter().map(analysis).collect());
                }
                _ => {}
            }
        }
        Err(AnalysisError::Failed)
    }

    fn analysis(&self, position: &Position, line: SearchInfo) -> Analysis {
        let SearchInfo { value, bound, pv, depth, nodes, time, .. } = line;
        let centipawns = || Score::Cp((self.centipawns)(value, Material::of(position)));
        let score = value.mate_in_moves().map_or_else(centipawns, Score::Mate);
        Analysis { position: position.clone(), best_move: pv.first().copied(), score, bound, pv, depth, nodes, time }
    }

    /// Forgets what the analyses before have found, as for a new game: the next one is as the first of a new
    /// `Analyser`.
    pub fn clear(&mut self) {
        self.pool.settle();
        self.table.clear_parallel(self.pool.threads());
        self.pool.clear();
    }
}

/// Whether a search by these limits ends with a move.
fn check(position: &Position, limits: &Limits) -> Result<(), AnalysisError> {
    let search_moves = &limits.search_moves;
    if !search_moves.is_empty() && !search_moves.iter().any(|&mv| position.is_legal(mv)) {
        return Err(AnalysisError::NoSearchMove);
    }
    if limits.is_endless() { Err(AnalysisError::Endless) } else { Ok(()) }
}

/// Analyses a [`Position`], or the current position of a [`Game`], on one thread, with the engine's own evaluation: the
/// mean of its network and its hand-written terms.
///
/// Centipawns are normalised: with a score of 100, the side that is ahead wins half of its games.
///
/// Each call starts a thread and allocates a hash table of 64 MiB. An [`Analyser`] does so once, for any number of
/// positions; it also uses several threads, and finds several lines. Both wait for the search to end. The module
/// [`search`](crate::search) has searches that report events, and can be stopped.
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
/// [`AnalysisError`] if the system refuses a thread or memory, if the limits do not end the search, or if they have
/// moves to consider and none is legal.
pub fn analyse(game: impl Into<Game>, limits: Limits) -> Result<Analysis, AnalysisError> {
    analyse_once(game.into(), limits, || Analyser::new(1, HASH_MIB))
}

/// As [`analyse`], with an evaluation of your own.
///
/// `evaluator` creates the evaluator of the search thread. Scores are in the evaluator's centipawns, within the ranges
/// that [`Evaluator::evaluate`] describes.
///
/// # Errors
/// As [`analyse`], and if the evaluator panics.
pub fn analyse_with<E: Evaluator + 'static>(
    game: impl Into<Game>,
    limits: Limits,
    evaluator: impl Fn() -> E + Send + Sync + 'static,
) -> Result<Analysis, AnalysisError> {
    analyse_once(game.into(), limits, || Analyser::with_evaluator(1, HASH_MIB, evaluator))
}

/// Checks the limits before there is a thread.
fn analyse_once(
    game: Game,
    limits: Limits,
    analyser: impl FnOnce() -> Result<Analyser, AnalysisError>,
) -> Result<Analysis, AnalysisError> {
    check(game.position(), &limits)?;
    analyser()?.analyse(game, limits)
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
        let analysis = analyse_with(Position::startpos(), Limits::depth(4), || Zero)?;
        assert_eq!(analysis.score, Score::Cp(0));
        assert_eq!(analysis.depth, 4);
        Ok(())
    }

    #[test]
    fn a_panicking_evaluator_is_an_error() {
        let failed = analyse_with(Position::startpos(), Limits::depth(4), || Broken);
        assert!(matches!(failed, Err(AnalysisError::Failed)), "{failed:?}");
    }

    #[test]
    fn a_move_to_consider_must_be_legal() {
        let limits = Limits::depth(4).with_search_moves([Move::normal(Square::A2, Square::A5)]);
        let failed = analyse(Position::startpos(), limits);
        assert!(matches!(failed, Err(AnalysisError::NoSearchMove)), "{failed:?}");
    }

    #[test]
    fn limits_must_end_the_search() -> Result<(), AnalysisError> {
        let mut analyser = Analyser::with_evaluator(1, 1, || Zero)?;
        for limits in [Limits::default(), Limits::infinite(), Limits::depth(3).pondering()] {
            let failed = analyser.analyse(Position::startpos(), limits.clone());
            assert!(matches!(failed, Err(AnalysisError::Endless)), "{failed:?}");
            let failed = analyse_with(Position::startpos(), limits, || Zero);
            assert!(matches!(failed, Err(AnalysisError::Endless)), "{failed:?}");
        }
        Ok(())
    }

    #[test]
    fn an_analyser_keeps_what_it_has_found_until_it_is_cleared() -> Result<(), AnalysisError> {
        let mut analyser = Analyser::with_evaluator(1, 1, || Zero)?;
        let mut nodes = || analyser.analyse(Position::startpos(), Limits::depth(6)).map(|found| found.nodes);
        let (first, second) = (nodes()?, nodes()?);
        assert!(second < first, "{second} nodes after {first}");
        analyser.clear();
        assert_eq!(analyser.analyse(Position::startpos(), Limits::depth(6))?.nodes, first);
        Ok(())
    }

    /// White is lost but for the repetition, which a position alone does not know of.
    #[test]
    fn the_moves_of_a_game_count() -> Result<(), Box<dyn std::error::Error>> {
        let mut game = Game::new(Position::from_fen("7k/8/8/8/8/q7/8/K7 w - - 0 1")?);
        for mv in ["a1b1", "a3b3", "b1a1", "b3a3", "a1b1", "a3b3", "b1a1", "b3a3"] {
            game.push(game.position().parse_uci(mv)?)?;
        }
        let mut analyser = Analyser::new(1, 1)?;
        let drawn = analyser.analyse(&game, Limits::depth(2))?;
        analyser.clear();
        let lost = analyser.analyse(game.position(), Limits::depth(2))?;
        assert!(drawn.score == Score::Cp(0) && lost.score != Score::Cp(0), "{drawn:?} {lost:?}");
        Ok(())
    }

    #[test]
    fn lines_begin_with_different_moves() -> Result<(), Box<dyn std::error::Error>> {
        let mut analyser = Analyser::with_evaluator(1, 1, || Zero)?;
        // Black has a single move in the second position.
        let single = Position::from_fen("7k/8/6K1/8/8/8/8/1R6 b - - 0 1")?;
        for (position, count, expected) in [(Position::startpos(), 3, 3), (single, 3, 1), (Position::startpos(), 0, 1)]
        {
            let lines = analyser.analyse_lines(&position, Limits::depth(3), count)?;
            let firsts: std::collections::HashSet<_> = lines.iter().map(|line| line.best_move).collect();
            assert_eq!((lines.len(), firsts.len()), (expected, expected));
            assert!(lines.iter().all(|line| line.depth == 3 && line.nodes == lines[0].nodes));
        }
        Ok(())
    }

    /// A search that the limits end may know no more.
    #[test]
    fn a_score_may_be_a_bound() -> Result<(), AnalysisError> {
        let mut analyser = Analyser::with_evaluator(1, 1, || Zero)?;
        let mut line = SearchInfo::new(3, Value(20), Vec::new());
        line.bound = Bound::Lower;
        assert_eq!(analyser.analysis(Position::startpos_ref(), line).bound, Bound::Lower);
        assert_eq!(analyser.analyse(Position::startpos(), Limits::depth(2))?.bound, Bound::Exact);
        Ok(())
    }

    #[test]
    fn a_finished_game_has_no_best_move() -> Result<(), Box<dyn std::error::Error>> {
        let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")?;
        let analysis = analyse(&mate, Limits::depth(4))?;
        assert_eq!((analysis.best_move, analysis.score), (None, Score::Mate(0)));
        Ok(())
    }
}
