//! Engines: the built-in one, and others as processes. `bartizan/engine.py` makes classes of it.

use crate::board::Board;
use crate::errors::{EngineError, EngineTerminatedError};
use crate::interrupt::{POLL, STACK, run_with};
use crate::moves::{Packed, PyMove};
use crate::pgn::{Game, GameNode};
use crate::state::State;
use bartizan_analysis::{
    Analyser, AnalysisError, AnnotationStyle, DetailOptions, Limits, ReviewOptions, Score, SearchLine, review_game,
};
use bartizan_client::{ClientError, EngineConfig, Protocol};
use bartizan_engine::Options;
use bartizan_notation::san::San;
use bartizan_parallel::StopFlag;
use bartizan_review::annotate_judged;
use bartizan_review::page::{GameReport, ReportData, html};
use bartizan_types::{Bound as ScoreBound, Clocks, Move};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::Duration;

fn analysis_error(error: &AnalysisError) -> PyErr {
    let message = error.to_string();
    match error {
        AnalysisError::Client(ClientError::Exited { .. } | ClientError::Timeout { .. }) => {
            EngineTerminatedError::new_err(message)
        }
        _ => EngineError::new_err(message),
    }
}

fn time(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err("a time is a number of seconds, at least 0"))
}

/// The limits of a dictionary.
fn limits(state: &State, given: &Bound<'_, PyDict>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    let (mut clocks, mut has_clock) = (Clocks::default(), false);
    for (name, value) in given {
        let seconds = || time(value.extract()?);
        match name.extract::<String>()?.as_str() {
            "time" => limits.move_time = Some(seconds()?),
            "depth" => limits.depth = Some(value.extract::<u32>()?.max(1)),
            "nodes" => limits.nodes = Some(value.extract::<u64>()?.max(1)),
            "mate" => limits.mate = Some(value.extract::<u32>()?.max(1)),
            "white_clock" => (clocks.white, has_clock) = (seconds()?, true),
            "black_clock" => (clocks.black, has_clock) = (seconds()?, true),
            "white_inc" => clocks.winc = seconds()?,
            "black_inc" => clocks.binc = seconds()?,
            "remaining_moves" => clocks.moves_to_go = Some(value.extract()?),
            "infinite" => limits.infinite = value.extract()?,
            "root_moves" => {
                for mv in value.try_iter()? {
                    limits.search_moves.extend(state.resolve(mv?.cast::<PyMove>()?.get().0)?);
                }
            }
            name => return Err(PyValueError::new_err(format!("unknown limit '{name}'"))),
        }
    }
    limits.clock = has_clock.then_some(clocks);
    Ok(limits)
}

/// A line as a dictionary.
fn info<'py>(py: Python<'py>, state: &State, line: &SearchLine) -> PyResult<Bound<'py, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("depth", line.depth)?;
    if let Some(depth) = line.seldepth {
        info.set_item("seldepth", depth)?;
    }
    info.set_item("multipv", line.rank)?;
    info.set_item("nodes", line.nodes)?;
    info.set_item("time", line.time.as_secs_f64())?;
    match line.bound {
        ScoreBound::Exact => {}
        ScoreBound::Lower => info.set_item("lowerbound", true)?,
        ScoreBound::Upper => info.set_item("upperbound", true)?,
    }
    match line.score {
        Score::Cp(score) => info.set_item("cp", score)?,
        Score::Mate(moves) => info.set_item("mate", moves)?,
    }
    let mut position = state.position().clone();
    let (mut pv, mut san) = (Vec::new(), Vec::new());
    for &mv in &line.pv {
        if !position.is_legal(mv) {
            break;
        }
        pv.push(Packed::of(mv, state.chess960).object(py)?);
        san.push(San::new(&position, mv).to_string());
        position.make_unchecked(mv);
    }
    info.set_item("pv", pv)?;
    info.set_item("pv_san", san)?;
    Ok(info)
}

/// The latest line of each rank.
fn keep(lines: &mut Vec<SearchLine>, line: &SearchLine) {
    match lines.get_mut(line.rank.saturating_sub(1)) {
        Some(old) => old.clone_from(line),
        None => lines.push(line.clone()),
    }
}

/// How a search ended: the best move, and the lines.
type Found = (Option<Move>, Vec<SearchLine>);

fn search(
    analyser: &mut Analyser,
    stop: &StopFlag,
    state: &State,
    limits: &Limits,
    multipv: Option<usize>,
    mut on_line: impl FnMut(&SearchLine),
) -> Result<Found, AnalysisError> {
    analyser.set_stop(stop);
    if !state.position().has_legal_move() {
        return Ok((None, Vec::new()));
    }
    let mut lines = Vec::new();
    let answer = analyser.search(&state.game(), limits, multipv, |line| {
        keep(&mut lines, line);
        on_line(line);
        ControlFlow::Continue(())
    });
    match answer {
        Ok(answer) => Ok((answer.best, lines)),
        // What has been found until then.
        Err(AnalysisError::Stopped) => Ok((lines.first().map(SearchLine::best), lines)),
        Err(error) => Err(error),
    }
}

/// An analyser, until it is closed, and the search that has it.
struct Shared {
    analyser: Mutex<Option<Analyser>>,
    /// The flag of the search, and whether it is endless.
    current: Mutex<(StopFlag, bool)>,
}

impl Shared {
    /// Waits for the analyser, and ends an endless search that has it; all searches, if they are `closing`. `None` once
    /// the wait is stopped.
    fn acquire(&self, stop: &StopFlag, endless: bool, closing: bool) -> Option<MutexGuard<'_, Option<Analyser>>> {
        let current = || self.current.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let guard = match self.analyser.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if stop.is_stopped() => return None,
                Err(TryLockError::WouldBlock) => {
                    let current = current();
                    if current.1 || closing {
                        current.0.stop();
                    }
                    drop(current);
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
            };
            *current() = (stop.clone(), endless);
            return Some(guard);
        }
    }
}

/// An engine, which searches one position at a time.
#[pyclass(name = "Searcher", module = "bartizan", frozen)]
pub(crate) struct Searcher {
    shared: Arc<Shared>,
    name: String,
}

impl Searcher {
    fn new(analyser: Analyser) -> Self {
        let name = analyser.full_name().to_owned();
        let shared = Shared { analyser: Mutex::new(Some(analyser)), current: Mutex::default() };
        Self { shared: Arc::new(shared), name }
    }

    /// Lends the engine to some work. Another search that has an end is waited for.
    fn lend<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Analyser, &StopFlag) -> Result<T, AnalysisError> + Send,
    ) -> PyResult<T> {
        let stop = StopFlag::new();
        let done = run_with(py, &stop, || {
            let mut analyser = self.shared.acquire(&stop, false, false)?;
            analyser.as_mut().map(|analyser| work(analyser, &stop))
        })?;
        match done {
            None => Err(EngineTerminatedError::new_err("the engine has been closed")),
            Some(result) => result.map_err(|error| analysis_error(&error)),
        }
    }
}

#[pymethods]
impl Searcher {
    /// The built-in engine.
    #[staticmethod]
    fn built_in(py: Python<'_>, options: Vec<(String, String)>) -> PyResult<Self> {
        let made = crate::interrupt::run(py, |_| {
            let mut own = Options::default();
            for (name, value) in &options {
                own.set(name, Some(value)).map_err(|error| error.to_string())?;
            }
            Analyser::with_options(own).map_err(|error| error.to_string())
        })?;
        made.map(Self::new).map_err(EngineError::new_err)
    }

    /// Starts a program.
    #[staticmethod]
    fn process(
        py: Python<'_>,
        command: Vec<PathBuf>,
        protocol: &str,
        options: Vec<(String, String)>,
        directory: Option<PathBuf>,
    ) -> PyResult<Self> {
        let protocol = match protocol {
            "uci" => Protocol::Uci,
            "xboard" => Protocol::Xboard,
            _ => return Err(PyValueError::new_err("protocol is 'uci' or 'xboard'")),
        };
        let (program, arguments) =
            command.split_first().ok_or_else(|| PyValueError::new_err("the command is empty"))?;
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let mut config = EngineConfig::new(program, protocol).args(arguments);
        for (name, value) in options {
            config = config.option(name, value);
        }
        if let Some(directory) = directory {
            config = config.directory(directory);
        }
        let stop = StopFlag::new();
        let config = config.cancel(stop.flag());
        let client = run_with(py, &stop, || config.start())?;
        client.map(|client| Self::new(Analyser::of_client(client))).map_err(|error| analysis_error(&error.into()))
    }

    /// The name and version.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.lend(py, |analyser, _| analyser.set_option(name, value))
    }

    /// Forgets earlier searches.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.lend(py, |analyser, _| analyser.clear())
    }

    /// Ends the engine, and its search.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        crate::interrupt::run(py, |stop| {
            let analyser = self.shared.acquire(stop, false, true).and_then(|mut analyser| analyser.take());
            drop(analyser);
        })
    }

    /// Searches, and returns the best move and the lines. Without `multipv`, as in a game.
    #[pyo3(signature = (board, limit, multipv = None))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, Board>,
        limit: &Bound<'py, PyDict>,
        multipv: Option<usize>,
    ) -> PyResult<(Option<Py<PyMove>>, Bound<'py, PyList>)> {
        let state = board.try_borrow()?.state.clone();
        let limits = limits(&state, limit)?;
        if limits.is_endless() {
            return Err(PyValueError::new_err("the limit does not end the search: give a time, a depth or nodes"));
        }
        let found = self.lend(py, |analyser, stop| search(analyser, stop, &state, &limits, multipv, |_| {}))?;
        let lines = found.1.iter().map(|line| info(py, &state, line)).collect::<PyResult<Vec<_>>>()?;
        let best = found.0.map(|mv| Packed::of(mv, state.chess960).object(py)).transpose()?;
        Ok((best, PyList::new(py, lines)?))
    }

    /// Begins a search, whose lines can be followed.
    #[pyo3(signature = (board, limit, multipv = None))]
    fn start(
        &self,
        board: &Bound<'_, Board>,
        limit: &Bound<'_, PyDict>,
        multipv: Option<usize>,
    ) -> PyResult<RunningSearch> {
        let state = board.try_borrow()?.state.clone();
        let limits = limits(&state, limit)?;
        let (stop, (sender, lines)) = (StopFlag::new(), channel());
        let (shared, thread_stop, thread_state) = (Arc::clone(&self.shared), stop.clone(), state.clone());
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let acquired = shared.acquire(&thread_stop, limits.is_endless(), false);
            let Some(mut analyser) = acquired else { return Some(Ok((None, Vec::new()))) };
            let analyser = analyser.as_mut()?;
            // The iterator may be gone.
            Some(search(analyser, &thread_stop, &thread_state, &limits, multipv, |line| {
                drop(sender.send(line.clone()));
            }))
        })?;
        Ok(RunningSearch { state, stop, lines: Mutex::new(lines), thread: Mutex::new(Some(thread)) })
    }

    /// Reviews a game: a report as JSON, the annotated game, and a page. None if there is no move to judge.
    #[pyo3(signature = (game, *, nodes, skipped, critical, reasons, variation, title))]
    #[allow(clippy::too_many_arguments, reason = "the options of a review")]
    fn review(
        &self,
        py: Python<'_>,
        game: &Bound<'_, GameNode>,
        nodes: u64,
        skipped: usize,
        critical: usize,
        reasons: bool,
        variation: usize,
        title: String,
    ) -> PyResult<Option<(String, Py<Game>, String)>> {
        let mut tree = game.get().tree.lock().clone();
        let options =
            ReviewOptions { limits: Limits::nodes(nodes.max(1)), only_moves: Some(Limits::nodes((nodes / 4).max(1))) };
        let detail = DetailOptions { reasons, critical, ..DetailOptions::default() };
        let reviewed = self.lend(py, |analyser, stop| {
            analyser.set_stop(stop);
            let analysers = std::slice::from_mut(analyser);
            Ok(review_game(tree.clone(), skipped, analysers, &options, &detail, |_| {}))
        })?;
        let reviewed = reviewed.map_err(|error| EngineError::new_err(format!("{error}: {}", error.source)))?;
        let Some(review) = reviewed else { return Ok(None) };
        let report = GameReport::new(&tree, &review.judged, &review.details);
        let json = serde_json::to_string(&report).map_err(|error| EngineError::new_err(error.to_string()))?;
        let budget = format!("{nodes} nodes per position");
        let page = html(&ReportData { title, engine: self.name.clone(), budget, games: vec![report] });
        let style = AnnotationStyle { skipped, variation, replaces: true, evals: true };
        annotate_judged(&mut tree, &review.judged, &review.details.reasons, style);
        Ok(Some((json, Game::object(py, tree, None)?, page)))
    }
}

/// How a search ended; `None` if the engine was closed before it.
type Ended = Option<Result<Found, AnalysisError>>;

/// A search that is running.
#[pyclass(name = "RunningSearch", module = "bartizan", frozen)]
pub(crate) struct RunningSearch {
    state: State,
    stop: StopFlag,
    lines: Mutex<Receiver<SearchLine>>,
    thread: Mutex<Option<JoinHandle<Ended>>>,
}

#[pymethods]
impl RunningSearch {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let next = py.detach(|| self.lines.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL));
            match next {
                Ok(line) => return info(py, &self.state, &line).map(Some),
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| self.stop.stop())?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Asks the search to end.
    fn stop(&self) {
        self.stop.stop();
    }

    /// Waits for the search to end, and returns the best move. None if the engine was closed.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<Py<PyMove>>> {
        loop {
            let finished = py.detach(|| {
                let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
                let is_finished = thread.as_ref().is_none_or(JoinHandle::is_finished);
                drop(thread);
                if !is_finished {
                    std::thread::sleep(Duration::from_millis(5));
                }
                is_finished
            });
            if finished {
                break;
            }
            py.check_signals().inspect_err(|_| self.stop.stop())?;
        }
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(None) };
        let found = thread.join().map_err(|panic| crate::interrupt::failure(&*panic))?;
        match found {
            None => Err(EngineTerminatedError::new_err("the engine has been closed")),
            Some(Err(error)) => Err(analysis_error(&error)),
            Some(Ok((best, _))) => best.map(|mv| Packed::of(mv, self.state.chess960).object(py)).transpose(),
        }
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// The evaluation of a position in words: text, pawns for White, reasons with their pawns, worth of the
/// pieces by square.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a tuple for a class of Python")]
pub(crate) fn explain_position(
    py: Python<'_>,
    board: &Bound<'_, Board>,
) -> PyResult<(String, f64, Vec<(String, f64)>, Vec<(usize, f64)>)> {
    let position = board.try_borrow()?.position().clone();
    if position.in_check() {
        return Err(PyValueError::new_err("a position in check has no evaluation to explain"));
    }
    crate::interrupt::run(py, |_| {
        let explained = bartizan_eval::explain(&position);
        let pawns = |value: f64| (100.0 * value / explained.pawn).round() / 100.0;
        let reasons = explained.reasons.iter().map(|reason| (reason.text.clone(), pawns(reason.score))).collect();
        let worth =
            explained.pieces.iter().filter_map(|piece| Some((piece.square.index(), piece.pawns(explained.pawn)?)));
        (explained.to_string(), pawns(f64::from(explained.white.0)), reasons, worth.collect())
    })
}
