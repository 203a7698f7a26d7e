//! Labels positions: an engine plays games from them, and the results become the labels.

use crate::AnalysisError;
use bartizan_client::{Client, ClientError, EngineLimits, EngineSpec, Score};
use bartizan_engine::{
    EvaluationModel, MaterialCount, PlayoutEnd, SearchedMove, SingleThreadedEngine, play_out, shown,
};
use bartizan_match::{
    Adjudication, Adjudicator, Clock, DrawRule, MatchError, MatchSettings, ResignRule, TablebaseJudge, play_game,
};
use bartizan_parallel::StopFlag;
use bartizan_position::{Game, Position};
use bartizan_tablebase::TablebaseError;
use bartizan_types::{ByColor, Color, Excerpt, GameResult, SplitMix64, Value};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Milliseconds by which an external engine may overstep its time: a late move says nothing about the position.
const MARGIN: u64 = 5_000;

/// How the games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelRules {
    /// The limits of each move.
    pub limits: EngineLimits,
    /// The number of games from each position.
    pub games: u32,
    /// The variation of the nodes from game to game, in percent.
    pub vary: u32,
    /// The seed of the node variation.
    pub seed: u64,
    /// When to adjudicate a game as won.
    pub resign: Option<ResignRule>,
    /// When to adjudicate a game as drawn.
    pub draw: Option<DrawRule>,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
}

/// A game from a position: the index of the position, and the number of the game, from 0.
pub type GameIndex = (usize, u32);

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Twice White's points.
    pub points: u8,
    /// Why it ended.
    pub reason: String,
    /// Its length.
    pub plies: usize,
}

impl PlayedGame {
    fn new(winner: Option<Color>, reason: String, plies: usize) -> Self {
        let points = match winner {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        };
        Self { points, reason, plies }
    }

    /// The result.
    pub fn result(&self) -> GameResult {
        match self.points {
            0 => GameResult::BlackWins,
            1 => GameResult::Draw,
            _ => GameResult::WhiteWins,
        }
    }
}

/// Why a game cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// An engine cannot be started; [`AnalysisError::Stopped`] if that was stopped.
    #[error(transparent)]
    Engine(#[from] AnalysisError),
    /// A table cannot be read or is damaged.
    #[error(transparent)]
    Table(#[from] TablebaseError),
    /// The referee cannot continue.
    #[error("the game cannot be played")]
    Game(#[from] MatchError),
    /// An external engine lost two games in a row by a fault.
    #[error("the engine failed twice: {0}")]
    Faults(String),
    /// The built-in engine has no move.
    #[error("the search ended without a move")]
    NoMove,
}

/// Plays games from positions: an engine plays both sides.
pub struct Labeller<'a> {
    rules: &'a LabelRules,
    tables: Option<&'a TablebaseJudge>,
    engine: Engine,
    stop: StopFlag,
}

enum Engine {
    BuiltIn(Box<SingleThreadedEngine>),
    /// Each side has its own process, which is restarted after a fault.
    Other {
        spec: Box<EngineSpec>,
        clients: Box<[Option<Client>; 2]>,
    },
}

impl<'a> Labeller<'a> {
    /// Starts an engine. Without one, the built-in engine plays, with a hash table of `hash_mib` MiB. Tablebases
    /// adjudicate.
    ///
    /// # Errors
    /// [`LabelError::Engine`]
    pub fn new(
        spec: Option<&EngineSpec>,
        hash_mib: usize,
        rules: &'a LabelRules,
        tables: Option<&'a TablebaseJudge>,
        stop: StopFlag,
    ) -> Result<Self, LabelError> {
        let engine = match spec {
            None => Engine::BuiltIn(Box::new(
                SingleThreadedEngine::new(hash_mib, EvaluationModel::built_in()).map_err(AnalysisError::from)?,
            )),
            Some(spec) => {
                let clients = Box::new([Some(client(spec, &stop)?), Some(client(spec, &stop)?)]);
                Engine::Other { spec: Box::new(spec.clone()), clients }
            }
        };
        Ok(Self { rules, tables, engine, stop })
    }

    /// Plays a game from a position; `None` if stopped.
    ///
    /// # Errors
    /// [`LabelError`]
    pub fn play(&mut self, position: &Position, task: GameIndex) -> Result<Option<PlayedGame>, LabelError> {
        let limits = limits(self.rules, task);
        let game = Game::new(position.clone());
        let (rules, tables, stop) = (self.rules, self.tables, &self.stop);
        match &mut self.engine {
            Engine::BuiltIn(engine) => built_in(engine, rules, tables, limits, game, stop),
            Engine::Other { spec, clients } => {
                // An engine that fails twice is given up.
                for is_last in [false, true] {
                    match other(spec, clients, rules, tables, limits, &game, stop)? {
                        Err(fault) if is_last => return Err(LabelError::Faults(fault)),
                        Err(_) => {}
                        Ok(outcome) => return Ok(outcome),
                    }
                }
                Ok(None)
            }
        }
    }
}

/// Starts an engine. A stop ends every wait for it.
fn client(spec: &EngineSpec, stop: &StopFlag) -> Result<Client, AnalysisError> {
    match spec.client_config(false)?.cancel(stop.flag()).start() {
        Err(ClientError::Cancelled { .. }) => Err(AnalysisError::Stopped),
        client => Ok(client?),
    }
}

/// The limits of a game, whose nodes vary with the seed.
fn limits(rules: &LabelRules, (index, game): GameIndex) -> EngineLimits {
    let share = f64::from(rules.vary) / 100.0;
    let game = index as u64 * u64::from(rules.games) + u64::from(game);
    let factor = 1.0 + share * (2.0 * SplitMix64::stream(rules.seed, game).unit_f64() - 1.0);
    let nodes = rules.limits.nodes.map(|nodes| ((nodes as f64 * factor).round() as u64).max(1));
    EngineLimits { nodes, ..rules.limits }
}

fn built_in(
    engine: &mut SingleThreadedEngine,
    rules: &LabelRules,
    tables: Option<&TablebaseJudge>,
    limits: EngineLimits,
    game: Game,
    stop: &StopFlag,
) -> Result<Option<PlayedGame>, LabelError> {
    engine.forget();
    let clock = Clock::new(limits, Duration::ZERO);
    let mut clocks = ByColor([clock.clone(), clock]);
    let mut adjudicator = Adjudicator::new(rules.resign, rules.draw, rules.max_moves);
    let mut ruled = None;
    let mut failure = None;
    let choose = |game: &Game| {
        let mover = game.position().turn();
        let started = Instant::now();
        let result = engine.search(game, clocks[mover].go_limits(&clocks[!mover], mover), stop)?;
        clocks[mover].moved(started.elapsed());
        Some(SearchedMove { mv: result.best?, value: result.value, depth: result.depth })
    };
    let judge = |game: &Game, moves: &[SearchedMove]| {
        let verdict = match tables.map(|tables| tables.verdict(game.position())).transpose() {
            Ok(verdict) => verdict.flatten().map(|verdict| (verdict, true)),
            Err(error) => {
                failure = Some(error);
                return Some(None);
            }
        };
        let verdict = verdict.or_else(|| Some((by_score(&mut adjudicator, game, moves)?, false)));
        ruled = verdict;
        match verdict?.0 {
            Adjudication::Win(winner) => Some(Some(winner)),
            Adjudication::Draw | Adjudication::TooLong => Some(None),
        }
    };
    let played = play_out(game, stop, choose, judge);
    if let Some(error) = failure {
        return Err(error.into());
    }
    let (moves, ending) = match played {
        Some(played) => played,
        None if stop.is_stopped() => return Ok(None),
        None => return Err(LabelError::NoMove),
    };
    let (winner, reason) = match ending {
        PlayoutEnd::Rules(Some(winner)) => (Some(winner), "checkmate"),
        PlayoutEnd::Rules(None) => (None, "draw by the rules"),
        PlayoutEnd::Adjudicated(winner) => (winner, reason(ruled)),
    };
    Ok(Some(PlayedGame::new(winner, reason.to_owned(), moves.len())))
}

fn reason(ruled: Option<(Adjudication, bool)>) -> &'static str {
    match ruled {
        Some((_, true)) => "tablebase",
        Some((Adjudication::Win(_), false)) => "win by adjudication",
        Some((Adjudication::TooLong, false)) => "draw by length",
        _ => "draw by adjudication",
    }
}

/// The verdict after the last move.
fn by_score(adjudicator: &mut Adjudicator, game: &Game, moves: &[SearchedMove]) -> Option<Adjudication> {
    let position = game.position();
    let score = centipawns(moves.last()?.value, position);
    adjudicator.after_move(!position.turn(), moves.len(), Some(score), position.halfmove_clock() == 0)
}

/// The value in the units that other engines report.
fn centipawns(value: Value, position: &Position) -> i32 {
    let score = value.mate_in_moves().map_or_else(|| Score::Cp(shown(value, MaterialCount::of(position))), Score::Mate);
    score.centipawns()
}

/// Plays a game with external processes. An engine that fails is dropped; the error says how it failed.
fn other(
    spec: &EngineSpec,
    clients: &mut [Option<Client>; 2],
    rules: &LabelRules,
    tables: Option<&TablebaseJudge>,
    limits: EngineLimits,
    game: &Game,
    stop: &StopFlag,
) -> Result<Result<Option<PlayedGame>, String>, LabelError> {
    let mut running = Vec::new();
    for place in clients.iter_mut() {
        running.push(match place.take() {
            Some(client) => client,
            None => match client(spec, stop) {
                Err(_) if stop.is_stopped() => return Ok(Ok(None)),
                client => client?,
            },
        });
    }
    let mut side = spec.clone().with_limits(limits);
    // The limits already include it.
    side.factor = None;
    let mut match_settings = MatchSettings::default();
    match_settings.engines = vec![side.clone(), side];
    match_settings.margin = MARGIN;
    (match_settings.resign, match_settings.draw) = (rules.resign, rules.draw);
    match_settings.max_moves = rules.max_moves;
    let [white, black] = &mut running[..] else { return Err(LabelError::NoMove) };
    let played = play_game(&match_settings, tables, game, [white, black], &|| stop.is_stopped())?;
    let Some(played) = played else { return Ok(Ok(None)) };
    for ((place, client), is_ready) in clients.iter_mut().zip(running).zip(played.is_ready) {
        *place = is_ready.then_some(client);
    }
    let record = played.record;
    if record.termination.is_fault() {
        return Ok(Err(format!("{} ({})", record.termination, Excerpt::with_length(&record.detail, Excerpt::LINE))));
    }
    let is_by_tables = record.detail == "tablebase";
    let reason = if is_by_tables { record.detail } else { record.termination.to_string() };
    Ok(Ok(Some(PlayedGame::new(record.winner, reason, record.plies))))
}
