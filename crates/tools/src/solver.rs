//! Searches positions with the built-in engine or with another one by its protocol.

use crate::files::shown as excerpt;
use crate::interrupt::{Interrupt, Interrupted};
use crate::searcher::follow;
use anyhow::{Context, anyhow, bail, ensure};
use bartizan_client::{Client, ClientError, Score};
use bartizan_engine::{Engine, Limits, Material, SearchEvent, shown};
use bartizan_frontend::{Config, options};
use bartizan_match::{EngineLimits, EngineSpec};
use bartizan_position::{Game, Position};
use bartizan_types::{Bound, Move};
use crossbeam::channel::unbounded;
use std::fmt;
use std::time::{Duration, Instant};

/// The engine of `--engine`, which must not set limits: those of the command apply.
pub(crate) fn parse_engine(text: &str) -> anyhow::Result<EngineSpec> {
    let engine: EngineSpec = text.parse()?;
    let has_limits = engine.limits() != EngineLimits::default() || engine.factor.is_some();
    ensure!(
        !has_limits,
        "--engine '{}' has limits, which do not count here: give --st, --depth or --nodes",
        excerpt(text)
    );
    Ok(engine)
}

/// The name and the value of `--option`.
pub(crate) fn parse_option(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) =
        text.split_once('=').with_context(|| format!("invalid --option '{}', expected NAME=VALUE", excerpt(text)))?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::Args)]
pub(crate) struct Budget {
    /// Time per position
    #[arg(long, value_name = "SECONDS")]
    pub(crate) st: Option<f64>,
    /// Depth per position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
}

impl Budget {
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.st.is_some() || self.depth.is_some() || self.nodes.is_some(),
            "no search limit: give --st, --depth or --nodes"
        );
        let st = self.st.unwrap_or(1.0);
        ensure!(st.is_finite() && st > 0.0 && st <= 1e6, "invalid --st '{st}': must be a positive number of seconds");
        Ok(())
    }

    fn time(&self) -> Option<Duration> {
        self.st.map(Duration::from_secs_f64)
    }
}

/// As in `1 s, depth 20, 5000 nodes`.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.st.map(|st| format!("{st} s")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// How long to wait for an engine that is not the built-in one.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Patience {
    /// Time without a line after which a searching engine counts as hung, if --st does not limit its search
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    hang: u64,
}

/// A principal variation that the engine reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Thought {
    pub(crate) depth: u32,
    pub(crate) seldepth: Option<u32>,
    pub(crate) time: Duration,
    pub(crate) nodes: u64,
    pub(crate) mv: Move,
    /// Moves to mate, positive if the side to move mates.
    pub(crate) mate: Option<i32>,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) mv: Option<Move>,
    /// Moves to mate by this move, as far as the engine has announced it.
    pub(crate) mate: Option<i32>,
    pub(crate) time: Duration,
    pub(crate) nodes: u64,
}

/// One of the best lines of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) mv: Move,
    /// The moves that are expected after it.
    pub(crate) rest: Vec<Move>,
    /// The last exact score, for the side to move.
    pub(crate) score: Score,
}

/// An engine that searches positions.
pub(crate) enum Solver {
    BuiltIn(Box<Engine>),
    External(Box<Client>),
}

impl Solver {
    /// Starts the engine of the entry, or the built-in one without an entry, and sets its options.
    /// Every wait for another engine ends when the user interrupts the program.
    pub(crate) fn start(
        entry: Option<&EngineSpec>,
        settings: &[(String, String)],
        patience: Patience,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        match entry {
            None => {
                let mut config = Config::default();
                for (name, value) in settings {
                    let row = options::find(name)?;
                    row.set(&mut config, row.parse(Some(value))?)?;
                }
                let mut engine = Engine::with_options(config.engine)?;
                engine.prepare()?;
                Ok(Self::BuiltIn(Box::new(engine)))
            }
            Some(entry) => {
                let mut config = entry.client_config(false)?.cancel(interrupt.flag());
                config.timeouts = config.timeouts.with_silence(Duration::from_secs(patience.hang));
                config.options.extend(settings.iter().cloned());
                let client = config.start();
                if let Err(ClientError::Cancelled { .. }) = client {
                    bail!(Interrupted("before the first position".to_owned()));
                }
                Ok(Self::External(Box::new(client?)))
            }
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::BuiltIn(_) => bartizan_engine::NAME.to_owned(),
            Self::External(client) => client.name().to_owned(),
        }
    }

    /// The name with the version, as the engine gives it, unless the user has named the engine.
    pub(crate) fn full_name(&self, entry: Option<&EngineSpec>) -> String {
        match self {
            Self::External(client) if entry.is_some_and(|entry| entry.name.is_none()) => {
                client.own_name().unwrap_or(client.name()).to_owned()
            }
            _ => self.name(),
        }
    }

    /// Clears the tables and searches a position. `on_thought` is called for each exact principal variation; the search
    /// stops when it returns `false`. The answer is `None` if `is_stopped` holds before the search has ended.
    pub(crate) fn solve(
        &mut self,
        position: &Position,
        budget: &Budget,
        is_stopped: &dyn Fn() -> bool,
        mut on_thought: impl FnMut(Thought) -> bool,
    ) -> anyhow::Result<Option<Answer>> {
        let mut goes_on = |thought| on_thought(thought) && !is_stopped();
        let answer = match self {
            Self::BuiltIn(engine) => solve_built_in(engine, position, budget, is_stopped, &mut goes_on),
            Self::External(client) => solve_external(client, position, budget, &mut goes_on),
        };
        // What an engine does that is not waited for any more does not count.
        if is_stopped() { Ok(None) } else { answer.map(Some) }
    }
}

impl Solver {
    /// Clears the tables, searches the last position of a game for a number of best lines, and returns these, best
    /// first. There are fewer lines if the position has fewer moves, and `None` if `is_stopped` holds before the search
    /// has ended.
    pub(crate) fn lines(
        &mut self,
        game: &Game,
        budget: &Budget,
        count: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<Vec<Line>>> {
        let lines = match self {
            Self::BuiltIn(engine) => lines_built_in(engine, game, budget, count, is_stopped),
            Self::External(client) => lines_external(client, game, budget, count, is_stopped),
        };
        if is_stopped() { Ok(None) } else { lines.map(Some) }
    }
}

/// Keeps the last line of each rank, counted from 1. An engine reports the ranks in order.
fn keep(lines: &mut Vec<Line>, rank: usize, line: Line) {
    match lines.get_mut(rank.saturating_sub(1)) {
        Some(old) => *old = line,
        None => lines.push(line),
    }
}

fn lines_built_in(
    engine: &mut Engine,
    game: &Game,
    budget: &Budget,
    count: usize,
    is_stopped: &dyn Fn() -> bool,
) -> anyhow::Result<Vec<Line>> {
    engine.new_game();
    let mut limits = Limits::default();
    (limits.depth, limits.nodes, limits.move_time) = (budget.depth, budget.nodes, budget.time());
    let (sender, events) = unbounded();
    let send = move |event| drop(sender.send(event));
    let control = engine.search_with(game.clone(), limits, count, send)?;
    let material = Material::of(game.position());
    let (mut lines, mut ended) = (Vec::new(), false);
    follow(&control, &events, is_stopped, |event| match event {
        SearchEvent::Info(info) if info.bound == Bound::Exact => {
            let Some((&mv, rest)) = info.pv.split_first() else { return };
            let score = info.value.mate_in_moves().map_or_else(|| Score::Cp(shown(info.value, material)), Score::Mate);
            keep(&mut lines, info.multipv as usize, Line { mv, rest: rest.to_vec(), score });
        }
        SearchEvent::Finished(_) => ended = true,
        _ => {}
    });
    ensure!(ended, "the search ended without a result");
    Ok(lines)
}

fn lines_external(
    client: &mut Client,
    game: &Game,
    budget: &Budget,
    count: usize,
    is_stopped: &dyn Fn() -> bool,
) -> anyhow::Result<Vec<Line>> {
    client.new_game()?;
    // Without this option there is one line.
    if count > 1 || client.option("MultiPV").is_some() {
        client.set_option("MultiPV", count)?;
    }
    let mut limits = Limits::default();
    (limits.move_time, limits.depth, limits.nodes) = (budget.time(), budget.depth, budget.nodes);
    let mut analysis = client.analyse(game, &limits)?;
    let mut lines = Vec::new();
    for info in &mut analysis {
        let info = match info {
            Ok(info) => info,
            // The lines before an illegal move count, as those of any search.
            Err(ClientError::IllegalMove { .. }) => return Ok(lines),
            Err(error) => return Err(error.into()),
        };
        if is_stopped() {
            break;
        }
        let (Some(score), Bound::Exact) = (info.score, info.bound) else { continue };
        let mut position = game.position().clone();
        let mut moves = info.pv.iter().map_while(|&mv| {
            let mv = position.resolve_uci(mv).ok()?;
            position.make_unchecked(mv);
            Some(mv)
        });
        let Some(mv) = moves.next() else { continue };
        let rest = moves.collect();
        keep(&mut lines, info.multipv.unwrap_or(1) as usize, Line { mv, rest, score });
    }
    analysis.stop()?;
    Ok(lines)
}

fn solve_built_in(
    engine: &mut Engine,
    position: &Position,
    budget: &Budget,
    is_stopped: &dyn Fn() -> bool,
    on_thought: &mut dyn FnMut(Thought) -> bool,
) -> anyhow::Result<Answer> {
    engine.set_position(&position.to_fen(), &[]).map_err(|error| anyhow!(error))?;
    engine.new_game();
    let mut limits = Limits::default();
    (limits.depth, limits.nodes, limits.move_time) = (budget.depth, budget.nodes, budget.time());
    let (sender, events) = unbounded();
    let control = engine.go_with(limits, move |event| drop(sender.send(event)))?;
    let mut answer = None;
    follow(&control, &events, is_stopped, |event| match event {
        SearchEvent::Info(info) if info.multipv == 1 && info.bound == Bound::Exact => {
            let Some(&mv) = info.pv.first() else { return };
            let mate = info.value.mate_in_moves();
            let (depth, seldepth) = (info.depth, Some(info.seldepth));
            if !on_thought(Thought { depth, seldepth, time: info.time, nodes: info.nodes, mv, mate }) {
                control.stop();
            }
        }
        SearchEvent::Finished(result) => {
            let mate = result.value.mate_in_moves();
            answer = Some(Answer { mv: result.best, mate, time: result.time, nodes: result.nodes });
        }
        _ => {}
    });
    answer.context("the search ended without a result")
}

fn solve_external(
    client: &mut Client,
    position: &Position,
    budget: &Budget,
    on_thought: &mut dyn FnMut(Thought) -> bool,
) -> anyhow::Result<Answer> {
    client.new_game()?;
    let mut limits = Limits::default();
    (limits.move_time, limits.depth, limits.nodes) = (budget.time(), budget.depth, budget.nodes);
    let start = Instant::now();
    let mut analysis = client.analyse(&Game::new(position.clone()), &limits)?;
    let (mut last, mut nodes) = (None, 0);
    for info in &mut analysis {
        let info = match info {
            Ok(info) => info,
            // An illegal move is a wrong answer to this problem, not the end of the suite.
            Err(ClientError::IllegalMove { .. }) => {
                return Ok(Answer { mv: None, mate: None, time: start.elapsed(), nodes });
            }
            Err(error) => return Err(error.into()),
        };
        nodes = info.nodes.unwrap_or(nodes);
        if !info.is_main_line() || info.bound != Bound::Exact {
            continue;
        }
        let Some(mv) = info.pv.first().and_then(|&mv| position.resolve_uci(mv).ok()) else { continue };
        let mate = match info.score {
            Some(Score::Mate(moves)) => Some(moves),
            _ => None,
        };
        last = Some((mv, mate));
        let time = info.time.unwrap_or_else(|| start.elapsed());
        let depth = info.depth.unwrap_or(0);
        if !on_thought(Thought { depth, seldepth: info.seldepth, time, nodes, mv, mate }) {
            break;
        }
    }
    match analysis.stop() {
        Ok(reply) => {
            let nodes = reply.info().and_then(|info| info.nodes).unwrap_or(nodes);
            let mv = reply.best_move();
            // A mate by another move is not one by this move.
            let mate = last.and_then(|(best, mate)| mate.filter(|_| Some(best) == mv));
            Ok(Answer { mv, mate, time: reply.elapsed, nodes })
        }
        Err(ClientError::IllegalMove { .. }) => Ok(Answer { mv: None, mate: None, time: start.elapsed(), nodes }),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Without a limit that could end the search.
    #[test]
    fn a_search_ends_when_it_is_stopped() {
        let mut solver = Solver::start(None, &[], Patience { hang: 1 }, &Interrupt::default()).unwrap();
        let budget = Budget { depth: Some(200), ..Budget::default() };
        let asked = Cell::new(0);
        let is_stopped = || {
            asked.set(asked.get() + 1);
            asked.get() > 30
        };
        assert_eq!(solver.solve(&Position::startpos(), &budget, &is_stopped, |_| true).unwrap(), None);
        asked.set(0);
        assert_eq!(solver.lines(&Game::default(), &budget, 2, &is_stopped).unwrap(), None);
    }
}
