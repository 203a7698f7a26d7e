//! One analyser for the built-in engine, custom evaluators and external engines.

use crate::{Analysis, AnalysisError, AnalysisResult, SearchLine};
use bartizan_client::{Client, ClientError, EngineSpec, Score};
use bartizan_engine::{Engine, Limits, MaterialCount, Options, SearchEvent, SearchInfo, SingleThreadedEngine, shown};
use bartizan_eval::Evaluator;
use bartizan_network::{AnyEvaluator, EvaluationModel};
use bartizan_parallel::StopFlag;
use bartizan_position::{Game, Position};
use bartizan_search::{Search, SearchControl, ThreadPool, TranspositionTable};
use bartizan_types::{Bound, Value};
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The size of the hash table of [`analyse`], in MiB.
const HASH_MIB: usize = 64;

/// How often a search that reports nothing is polled.
const POLL: Duration = Duration::from_millis(50);

/// Analyses positions one after another, with the built-in engine or any other.
///
/// It keeps its threads and hash table, or the external engine's process, so that a call costs no more than the search
/// and benefits from earlier ones. An analysis therefore depends on those before it, unless [`Analyser::clear`] is
/// called in between.
///
/// ```
/// use bartizan_analysis::{Analyser, Limits, Score};
/// use bartizan_position::Position;
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
    engine: Kind,
    stops: Vec<StopFlag>,
}

#[derive(Debug)]
enum Kind {
    /// The built-in engine with its options.
    BuiltIn(Box<Engine>),
    /// The search with a custom evaluator.
    Pool(Pool),
    /// The built-in search on the caller's thread.
    InPlace(Box<InPlace>),
    /// The process of an external engine.
    External(Box<Client>),
}

#[derive(Debug)]
struct InPlace {
    engine: SingleThreadedEngine,
    /// Called about once in a thousand nodes; returns whether to stop.
    pause: fn() -> bool,
}

#[derive(Debug)]
struct Pool {
    threads: ThreadPool,
    table: Arc<TranspositionTable>,
    /// Converts a non-mate value of the evaluator to centipawns, given the material on the board.
    centipawns: fn(Value, MaterialCount) -> i32,
}

impl Kind {
    fn into_analyser(self) -> Analyser {
        Analyser { engine: self, stops: Vec::new() }
    }
}

impl Analyser {
    /// The built-in engine with its default options, as it plays games.
    ///
    /// # Errors
    /// [`AnalysisError::Engine`] if the system cannot provide a thread or the memory for the hash table.
    pub fn built_in() -> Result<Self, AnalysisError> {
        Self::with_options(Options::default())
    }

    /// The built-in engine with options.
    ///
    /// # Errors
    /// As [`Analyser::built_in`], and if an option is invalid.
    pub fn with_options(options: Options) -> Result<Self, AnalysisError> {
        let mut engine = Engine::with_options(options)?;
        engine.prepare()?;
        Ok(Kind::BuiltIn(Box::new(engine)).into_analyser())
    }

    /// Starts another engine. The limits in the specification are ignored.
    ///
    /// # Errors
    /// [`AnalysisError`] if the specification is wrong, or the engine does not start or lacks an option.
    pub fn start(spec: &EngineSpec) -> Result<Self, AnalysisError> {
        Ok(Self::of_client(spec.client_config(false)?.start()?))
    }

    /// An engine that is already running.
    pub fn of_client(client: Client) -> Self {
        Kind::External(Box::new(client)).into_analyser()
    }

    /// Only the built-in engine's search and evaluation, with at least one thread and a hash table of at least one MiB.
    /// Centipawns are those of [`analyse`].
    ///
    /// Each thread takes about 7 MiB. If the system cannot provide all threads, the analyser uses fewer: see
    /// [`Analyser::threads`]. With more than one, two analyses of a position may differ.
    ///
    /// # Errors
    /// [`AnalysisError`] if the system cannot provide a single thread or the memory for the table.
    pub fn new(threads: usize, hash_mib: usize) -> Result<Self, AnalysisError> {
        let model = EvaluationModel::built_in();
        Self::of_pool(threads, hash_mib, move || AnyEvaluator::new(&model), shown)
    }

    /// As [`Analyser::new`], with a custom evaluation. `evaluator` creates the evaluator of a search thread. Scores are
    /// in the evaluator's centipawns, within the ranges that [`Evaluator::evaluate`] describes.
    ///
    /// # Errors
    /// As [`Analyser::new`].
    pub fn with_evaluator<E: Evaluator + 'static>(
        threads: usize,
        hash_mib: usize,
        evaluator: impl Fn() -> E + Send + Sync + 'static,
    ) -> Result<Self, AnalysisError> {
        Self::of_pool(threads, hash_mib, evaluator, |value, _| value.0)
    }

    /// As [`Analyser::new`] without threads, for programs that have none, such as WebAssembly modules: each search runs
    /// on the caller's thread, which needs 3 MiB of stack. `pause` is called about once in a thousand nodes; if it
    /// returns true, the search ends as after [`Analyser::stop_by`]. There is no clock: time limits are never reached.
    ///
    /// # Errors
    /// [`AnalysisError`] if the system cannot provide the memory.
    pub fn in_place(hash_mib: usize, pause: fn() -> bool) -> Result<Self, AnalysisError> {
        let engine = SingleThreadedEngine::new(hash_mib, EvaluationModel::built_in())?;
        Ok(Kind::InPlace(Box::new(InPlace { engine, pause })).into_analyser())
    }

    fn of_pool<E: Evaluator + 'static>(
        threads: usize,
        hash_mib: usize,
        evaluator: impl Fn() -> E + Send + Sync + 'static,
        centipawns: fn(Value, MaterialCount) -> i32,
    ) -> Result<Self, AnalysisError> {
        let threads = ThreadPool::new(threads, evaluator)?;
        let table = Arc::new(TranspositionTable::new(hash_mib)?);
        Ok(Kind::Pool(Pool { threads, table, centipawns }).into_analyser())
    }

    /// Ends every search early once a stop is requested, with the result so far or with [`AnalysisError::Stopped`]. If
    /// called several times, any of the requests stops it. Waiting for an unresponsive engine is ended by the flag in
    /// its [`EngineConfig`](bartizan_client::EngineConfig).
    #[must_use]
    pub fn stop_by(mut self, stop: &StopFlag) -> Self {
        self.stops.push(stop.clone());
        self
    }

    /// Listens to this flag alone, in place of those of before: for a program that stops one search and begins another.
    pub fn set_stop(&mut self, stop: &StopFlag) {
        self.stops = vec![stop.clone()];
    }

    /// Whether a stop has been requested.
    pub fn is_stopped(&self) -> bool {
        self.stops.iter().any(StopFlag::is_stopped)
    }

    /// The name of the engine.
    pub fn name(&self) -> &str {
        match &self.engine {
            Kind::External(client) => client.name(),
            _ => bartizan_engine::NAME,
        }
    }

    /// The name with the version, as reported by the engine.
    pub fn full_name(&self) -> &str {
        match &self.engine {
            Kind::External(client) => client.own_name().unwrap_or(client.name()),
            _ => bartizan_engine::NAME,
        }
    }

    /// The number of search threads; 1 for an external engine, whose threads are unknown.
    pub fn threads(&self) -> usize {
        match &self.engine {
            Kind::BuiltIn(engine) => engine.options().threads,
            Kind::Pool(pool) => pool.threads.threads(),
            Kind::InPlace(_) | Kind::External(_) => 1,
        }
    }

    /// Sets an option of the engine by its name.
    ///
    /// # Errors
    /// [`AnalysisError`] if the option does not exist or rejects the value. The old value stays.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), AnalysisError> {
        match &mut self.engine {
            Kind::BuiltIn(engine) => Ok(engine.set_option(name, Some(value))?),
            Kind::Pool(_) | Kind::InPlace(_) => Err(AnalysisError::NoOptions),
            Kind::External(client) => Ok(client.set_option(name, value)?),
        }
    }

    /// Clears what earlier analyses have learnt, as for a new game: the next analysis behaves like the first of a new
    /// `Analyser`.
    ///
    /// # Errors
    /// [`AnalysisError::Client`] if an external engine does not answer.
    pub fn clear(&mut self) -> Result<(), AnalysisError> {
        match &mut self.engine {
            Kind::BuiltIn(engine) => engine.new_game(),
            Kind::Pool(pool) => {
                pool.threads.settle();
                pool.table.clear_parallel(pool.threads.threads());
                pool.threads.clear();
            }
            Kind::InPlace(own) => own.engine.forget(),
            Kind::External(client) => client.new_game()?,
        }
        Ok(())
    }

    /// Searches the last position of a game and reports every line as the search finds it, including bounds. Ends early
    /// when `on_line` breaks.
    ///
    /// `lines` is the number of best lines (MultiPV). `None` leaves it to the engine's options; the built-in engine may
    /// then also answer from its opening book.
    ///
    /// # Errors
    /// [`AnalysisError::Stopped`] after a [`StopFlag`]; other errors if the engine fails.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        lines: Option<usize>,
        mut on_line: impl FnMut(&SearchLine) -> ControlFlow<()>,
    ) -> Result<AnalysisResult, AnalysisError> {
        if self.is_stopped() {
            return Err(AnalysisError::Stopped);
        }
        let stops = std::mem::take(&mut self.stops);
        let is_stopped = || stops.iter().any(StopFlag::is_stopped);
        let answer = match &mut self.engine {
            Kind::External(client) => search_external(client, game, limits, lines, &is_stopped, &mut on_line),
            own => own.search(game, limits, lines, &is_stopped, &mut on_line),
        };
        // After a stop, errors of the engine are ignored.
        let answer = if is_stopped() { Err(AnalysisError::Stopped) } else { answer };
        self.stops = stops;
        answer
    }

    /// Analyses a [`Position`], or the current position of a [`Game`], whose earlier positions count as repetitions.
    /// Waits for the search to end.
    ///
    /// # Errors
    /// [`AnalysisError`] if the limits do not end the search, if none of the moves to consider is legal, or if the
    /// engine fails.
    pub fn analyse(&mut self, game: impl Into<Game>, limits: Limits) -> Result<Analysis, AnalysisError> {
        self.analyse_lines(game, limits, 1)?.into_iter().next().ok_or(AnalysisError::Failed)
    }

    /// As [`Analyser::analyse`], for the `count` best lines that begin with different moves (MultiPV), at least one and
    /// at most the number of legal moves. The best comes first. Each further line takes about as long as the first.
    ///
    /// If time or nodes end the search, the later lines may come from the previous iteration, with a smaller
    /// [`Analysis::depth`]; their scores are not comparable with those of the first lines.
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
        let position = game.position();
        if !position.has_legal_move() {
            let score = if position.in_check() { Score::Mate(0) } else { Score::Cp(0) };
            return Ok(vec![Analysis {
                position: position.clone(),
                best_move: None,
                score,
                bound: Bound::Exact,
                pv: Vec::new(),
                depth: 0,
                nodes: 0,
                time: Duration::ZERO,
            }]);
        }
        let mut lines = Lines::default();
        let answer = self.search(&game, &limits, Some(count.max(1)), |line| {
            lines.keep(line);
            ControlFlow::Continue(())
        })?;
        let analysis = |line: SearchLine| Analysis {
            position: position.clone(),
            best_move: Some(line.best()),
            score: line.score,
            bound: line.bound,
            pv: line.pv,
            depth: line.depth,
            nodes: answer.nodes,
            time: answer.time,
        };
        Ok(lines.0.into_iter().map(analysis).collect())
    }

    /// Clears everything, searches the last position of a game, and returns the last exact score and line of each rank,
    /// best first. There are fewer lines than `count` if the position has fewer moves.
    ///
    /// # Errors
    /// As [`Analyser::search`].
    pub fn best_lines(&mut self, game: &Game, limits: &Limits, count: usize) -> Result<Vec<SearchLine>, AnalysisError> {
        self.clear()?;
        let mut lines = Lines::default();
        self.search(game, limits, Some(count), |line| {
            if line.bound == Bound::Exact {
                lines.keep(line);
            }
            ControlFlow::Continue(())
        })?;
        Ok(lines.0)
    }
}

/// The latest line of each rank. An engine reports the ranks in order.
#[derive(Default)]
struct Lines(Vec<SearchLine>);

impl Lines {
    fn keep(&mut self, line: &SearchLine) {
        match self.0.get_mut(line.rank.saturating_sub(1)) {
            Some(old) => old.clone_from(line),
            None => self.0.push(line.clone()),
        }
    }
}

impl Kind {
    /// A search by the built-in search.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        lines: Option<usize>,
        is_stopped: &dyn Fn() -> bool,
        on_line: &mut dyn FnMut(&SearchLine) -> ControlFlow<()>,
    ) -> Result<AnalysisResult, AnalysisError> {
        let centipawns = if let Self::Pool(pool) = self { pool.centipawns } else { shown };
        let material = MaterialCount::of(game.position());
        let score =
            |value: Value| value.mate_in_moves().map_or_else(|| Score::Cp(centipawns(value, material)), Score::Mate);
        let (mut answer, broken) = (None, Cell::new(false));
        let take = |event| match event {
            SearchEvent::Info(info) if !info.pv.is_empty() => {
                let score = score(info.value);
                broken.set(on_line(&SearchLine::of(info, score)).is_break() || broken.get());
            }
            SearchEvent::Finished(result) => {
                let score = Some(score(result.value));
                answer = Some(AnalysisResult { best: result.best, score, time: result.time, nodes: result.nodes });
            }
            _ => {}
        };
        let is_stopped = || broken.get() || is_stopped();
        let (sender, events) = unbounded();
        let listener = move |event| drop(sender.send(event));
        let control = match self {
            Self::BuiltIn(engine) => match lines {
                Some(count) => engine.search_with(game.clone(), limits.clone(), count, listener)?,
                None => {
                    engine.set_game(game.clone());
                    engine.go_with(limits.clone(), listener)?
                }
            },
            Self::Pool(pool) => {
                let search = Search::new(game.clone(), limits.clone()).with_multipv(lines.unwrap_or(1));
                pool.threads.go_with(search, pool.table.clone(), listener)
            }
            Self::InPlace(own) => {
                let InPlace { engine, pause } = own.as_mut();
                let search = Search::new(game.clone(), limits.clone()).with_multipv(lines.unwrap_or(1));
                engine.run(search, &|| is_stopped() || pause(), &mut { take });
                return answer.ok_or(AnalysisError::Failed);
            }
            Self::External(_) => return Err(AnalysisError::Failed),
        };
        follow(&control, &events, &is_stopped, take);
        answer.ok_or(AnalysisError::Failed)
    }
}

impl SearchLine {
    pub(crate) fn of(info: SearchInfo, score: Score) -> Self {
        let SearchInfo { depth, seldepth, multipv, bound, nodes, time, pv, .. } = info;
        Self { rank: multipv as usize, depth, seldepth: Some(seldepth), score, bound, time, nodes, pv }
    }
}

/// Passes the events of a search to `take` until the search ends. Stops it once `is_stopped` returns true.
fn follow(
    control: &SearchControl,
    events: &Receiver<SearchEvent>,
    is_stopped: &dyn Fn() -> bool,
    mut take: impl FnMut(SearchEvent),
) {
    loop {
        match events.recv_timeout(POLL) {
            Ok(event) => take(event),
            Err(RecvTimeoutError::Timeout) => {}
            // It closes after the last event.
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if is_stopped() {
            control.stop();
        }
    }
}

fn search_external(
    client: &mut Client,
    game: &Game,
    limits: &Limits,
    lines: Option<usize>,
    is_stopped: &dyn Fn() -> bool,
    on_line: &mut dyn FnMut(&SearchLine) -> ControlFlow<()>,
) -> Result<AnalysisResult, AnalysisError> {
    // Without this option there is one line.
    if let Some(count) = lines.filter(|&count| count > 1 || client.option("MultiPV").is_some()) {
        client.set_option("MultiPV", count)?;
    }
    let start = Instant::now();
    let mut analysis = client.analyse(game, limits)?;
    let (mut last, mut nodes) = (None, 0);
    // An illegal move is a wrong answer, not an engine failure.
    let illegal = |nodes| AnalysisResult { best: None, score: None, time: start.elapsed(), nodes };
    for info in &mut analysis {
        let info = match info {
            Ok(info) => info,
            Err(ClientError::IllegalMove { .. }) => return Ok(illegal(nodes)),
            Err(error) => return Err(error.into()),
        };
        nodes = info.nodes.unwrap_or(nodes);
        if is_stopped() {
            break;
        }
        let (Some(score), pv) = (info.score, info.legal_pv(game.position())) else { continue };
        let Some(&first) = pv.first() else { continue };
        let time = info.time.unwrap_or_else(|| start.elapsed());
        let (rank, bound) = (info.multipv.unwrap_or(1).max(1) as usize, info.bound);
        let (depth, seldepth) = (info.depth.unwrap_or(0), info.seldepth);
        let line = SearchLine { rank, depth, seldepth, score, bound, time, nodes, pv };
        if line.is_main() {
            last = Some((first, score));
        }
        if on_line(&line).is_break() {
            break;
        }
    }
    match analysis.stop() {
        Ok(reply) => {
            let nodes = reply.info().and_then(|info| info.nodes).unwrap_or(nodes);
            let best = reply.best_move();
            // The score of another move is not one of this move.
            let score = last.and_then(|(mv, score)| (Some(mv) == best).then_some(score));
            Ok(AnalysisResult { best, score, time: reply.elapsed, nodes })
        }
        Err(ClientError::IllegalMove { .. }) => Ok(illegal(nodes)),
        Err(error) => Err(error.into()),
    }
}

/// Checks that a search with these limits ends with a move.
fn check(position: &Position, limits: &Limits) -> Result<(), AnalysisError> {
    let search_moves = &limits.search_moves;
    if !search_moves.is_empty() && !search_moves.iter().any(|&mv| position.is_legal(mv)) {
        return Err(AnalysisError::NoSearchMove);
    }
    if limits.is_endless() { Err(AnalysisError::Endless) } else { Ok(()) }
}

/// Analyses a [`Position`], or the current position of a [`Game`], on one thread, with the engine's evaluation: the
/// mean of its network and its hand-written terms.
///
/// Centipawns are normalised: with a score of 100, the side that is ahead wins half of its games.
///
/// Each call starts a thread and allocates a hash table of 64 MiB. An [`Analyser`] does so once for any number of
/// positions; it also supports several threads and several lines. Both wait for the search to end. The crate
/// `bartizan-search` has searches that report events and can be stopped.
///
/// ```
/// use bartizan_analysis::{Limits, Score, analyse};
/// use bartizan_position::Position;
///
/// let position = Position::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1")?;
/// let analysis = analyse(&position, Limits::depth(8))?;
/// assert_eq!(analysis.score, Score::Mate(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AnalysisError`] if the system cannot provide a thread or memory, if the limits do not end the search, or if none
/// of the moves to consider is legal.
pub fn analyse(game: impl Into<Game>, limits: Limits) -> Result<Analysis, AnalysisError> {
    analyse_once(game.into(), limits, || Analyser::new(1, HASH_MIB))
}

/// As [`analyse`], with a custom evaluation.
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

/// Checks the limits before starting a thread.
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
    use bartizan_types::{Move, Square};

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
    fn a_search_on_the_callers_thread_is_that_of_one_thread() {
        let mut here = Analyser::in_place(4, || false).unwrap();
        let mut pool = Analyser::new(1, 4).unwrap();
        for _ in 0..2 {
            let [here, pool] =
                [&mut here, &mut pool].map(|own| own.best_lines(&Game::default(), &Limits::nodes(3_000), 2).unwrap());
            let line = |line: &SearchLine| (line.depth, line.score, line.pv.clone());
            assert_eq!(here.iter().map(line).collect::<Vec<_>>(), pool.iter().map(line).collect::<Vec<_>>());
        }
        let mut stopped = Analyser::in_place(4, || true).unwrap();
        let depth = stopped.analyse(Position::default(), Limits::depth(30)).unwrap().depth;
        assert!(depth < 30, "{depth}");
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
        analyser.clear()?;
        assert_eq!(analyser.analyse(Position::startpos(), Limits::depth(6))?.nodes, first);
        Ok(())
    }

    /// White is lost except for the repetition, which only the game knows.
    #[test]
    fn the_moves_of_a_game_count() -> Result<(), Box<dyn std::error::Error>> {
        let mut game = Game::new(Position::from_fen("7k/8/8/8/8/q7/8/K7 w - - 0 1")?);
        for mv in ["a1b1", "a3b3", "b1a1", "b3a3", "a1b1", "a3b3", "b1a1", "b3a3"] {
            game.push(game.position().parse_uci(mv)?)?;
        }
        let mut analyser = Analyser::new(1, 1)?;
        let drawn = analyser.analyse(&game, Limits::depth(2))?;
        analyser.clear()?;
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

    /// A search ended by its limits may only have a bound.
    #[test]
    fn a_score_may_be_a_bound() -> Result<(), AnalysisError> {
        let mut analyser = Analyser::with_evaluator(1, 1, || Zero)?;
        let mut info = SearchInfo::new(3, Value(20), Vec::new());
        info.bound = Bound::Lower;
        assert_eq!(SearchLine::of(info, Score::Cp(20)).bound, Bound::Lower);
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

    /// No limit would end this search.
    #[test]
    fn a_search_ends_when_it_is_stopped() {
        for mut analyser in [Analyser::built_in().unwrap(), Analyser::new(1, 1).unwrap()] {
            let stop = StopFlag::new();
            analyser = analyser.stop_by(&StopFlag::new()).stop_by(&stop);
            let ended = analyser.search(&Game::default(), &Limits::depth(200), None, |_| {
                stop.stop();
                ControlFlow::Continue(())
            });
            assert!(matches!(ended, Err(AnalysisError::Stopped)), "{ended:?}");
            let ended = analyser.best_lines(&Game::default(), &Limits::depth(200), 2);
            assert!(matches!(ended, Err(AnalysisError::Stopped)), "{ended:?}");
        }
    }

    #[test]
    fn a_search_ends_when_its_lines_suffice() -> Result<(), AnalysisError> {
        let mut analyser = Analyser::built_in()?;
        let enough =
            |line: &SearchLine| if line.depth < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let answer = analyser.search(&Game::default(), &Limits::depth(200), None, enough)?;
        assert!(answer.best.is_some() && answer.score.is_some());
        Ok(())
    }
}
