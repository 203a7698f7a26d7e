//! The engine of a thread, which plays both sides.

use super::{Outcome, Settings, Tables, Task, shown};
use crate::interrupt::{Interrupt, Interrupted};
use crate::resume;
use crate::searcher;
use anyhow::{Context, bail};
use bartizan_client::{Client, ClientError, Score};
use bartizan_engine::{Ending, Material, SearchedMove, play_out, shown as displayed};
use bartizan_match::{Adjudicator, Clock, EngineLimits, EngineSpec, Settings as MatchSettings, Verdict, play_game};
use bartizan_position::{Game, Position};
use bartizan_types::{ByColor, SplitMix64, Value};
use std::time::{Duration, Instant};

/// Milliseconds by which another engine may exceed its time: a late move says nothing about the position.
const MARGIN: u64 = 5_000;

pub(super) struct Player<'a> {
    settings: &'a Settings,
    tables: Tables<'a>,
    engine: Engine,
}

enum Engine {
    BuiltIn(searcher::Engine),
    /// Both sides have a process each, which is started again after a fault.
    Other {
        spec: Box<EngineSpec>,
        clients: Box<[Option<Client>; 2]>,
    },
}

impl<'a> Player<'a> {
    pub(super) fn start(settings: &'a Settings, tables: Tables<'a>, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let engine = match &settings.engine {
            None => Engine::BuiltIn(searcher::Engine::new(settings.hash as usize)?),
            Some(resume::KeptEngine(spec)) => {
                let clients = Box::new([Some(client(spec, interrupt)?), Some(client(spec, interrupt)?)]);
                Engine::Other { spec: Box::new(spec.clone()), clients }
            }
        };
        Ok(Self { settings, tables, engine })
    }

    /// Plays a game from a position; `None` if interrupted.
    pub(super) fn play(
        &mut self,
        position: &Position,
        task: Task,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<Outcome>> {
        let limits = limits(self.settings, task);
        let game = Game::new(position.clone());
        let (settings, tables) = (self.settings, self.tables);
        match &mut self.engine {
            Engine::BuiltIn(engine) => built_in(engine, settings, tables, limits, game, interrupt),
            Engine::Other { spec, clients } => {
                // An engine that fails twice fails again.
                for is_last in [false, true] {
                    let played = other(spec, clients, settings, tables, limits, &game, interrupt)?;
                    match played {
                        Err(fault) if is_last => bail!("the engine failed twice: {fault}"),
                        Err(_) => {}
                        Ok(outcome) => return Ok(outcome),
                    }
                }
                Ok(None)
            }
        }
    }
}

/// Starts an engine. Every wait for it ends when the user interrupts the program.
fn client(spec: &EngineSpec, interrupt: &Interrupt) -> anyhow::Result<Client> {
    let client = spec.client_config(false)?.cancel(interrupt.flag()).start();
    if let Err(ClientError::Cancelled { .. }) = client {
        bail!(Interrupted("while an engine was started".to_owned()));
    }
    Ok(client?)
}

/// The limits of a game: the nodes differ by the seed.
fn limits(settings: &Settings, (index, game): Task) -> EngineLimits {
    let share = f64::from(settings.vary) / 100.0;
    let game = index as u64 * u64::from(settings.games) + u64::from(game);
    let factor = 1.0 + share * (2.0 * SplitMix64::stream(settings.seed, game).unit_f64() - 1.0);
    let nodes = settings.limits.nodes.map(|nodes| ((nodes as f64 * factor).round() as u64).max(1));
    EngineLimits { nodes, ..settings.limits }
}

fn built_in(
    engine: &mut searcher::Engine,
    settings: &Settings,
    tables: Tables<'_>,
    limits: EngineLimits,
    game: Game,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Outcome>> {
    engine.forget();
    let clock = Clock::new(limits, Duration::ZERO);
    let mut clocks = ByColor([clock.clone(), clock]);
    let mut adjudicator = Adjudicator::new(settings.resign, settings.draw, settings.max_moves);
    let mut ruled = None;
    let mut failure = None;
    let choose = |game: &Game| {
        let mover = game.position().turn();
        let started = Instant::now();
        let result = engine.search(game, clocks[mover].go_limits(&clocks[!mover], mover), interrupt)?;
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
            Verdict::Win(winner) => Some(Some(winner)),
            Verdict::Draw | Verdict::TooLong => Some(None),
        }
    };
    let played = play_out(game, &interrupt.stop(), choose, judge);
    if let Some(error) = failure {
        return Err(error.into());
    }
    let (moves, ending) = match played {
        Some(played) => played,
        None if interrupt.is_set() => return Ok(None),
        None => bail!("the search ended without a move"),
    };
    let (winner, reason) = match ending {
        Ending::Rules(Some(winner)) => (Some(winner), "checkmate"),
        Ending::Rules(None) => (None, "draw by the rules"),
        Ending::Adjudicated(winner) => (winner, reason(ruled)),
    };
    Ok(Some(Outcome::new(winner, reason.to_owned(), moves.len())))
}

fn reason(ruled: Option<(Verdict, bool)>) -> &'static str {
    match ruled {
        Some((_, true)) => "tablebase",
        Some((Verdict::Win(_), false)) => "win by adjudication",
        Some((Verdict::TooLong, false)) => "draw by length",
        _ => "draw by adjudication",
    }
}

/// The verdict after the last move.
fn by_score(adjudicator: &mut Adjudicator, game: &Game, moves: &[SearchedMove]) -> Option<Verdict> {
    let position = game.position();
    let score = centipawns(moves.last()?.value, position);
    adjudicator.after_move(!position.turn(), moves.len(), Some(score), position.halfmove_clock() == 0)
}

/// A value as other engines report it.
fn centipawns(value: Value, position: &Position) -> i32 {
    let score = value.mate_in_moves().map_or_else(|| Score::Cp(displayed(value, Material::of(position))), Score::Mate);
    score.centipawns()
}

/// Plays a game with processes. An engine that fails is dropped; the error tells how.
fn other(
    spec: &EngineSpec,
    clients: &mut [Option<Client>; 2],
    settings: &Settings,
    tables: Tables<'_>,
    limits: EngineLimits,
    game: &Game,
    interrupt: &Interrupt,
) -> anyhow::Result<Result<Option<Outcome>, String>> {
    let mut running = Vec::new();
    for place in clients.iter_mut() {
        running.push(match place.take() {
            Some(client) => client,
            None => match client(spec, interrupt) {
                Err(_) if interrupt.is_set() => return Ok(Ok(None)),
                client => client?,
            },
        });
    }
    let mut side = spec.clone().with_limits(limits);
    // It is in the limits already.
    side.factor = None;
    let mut match_settings = MatchSettings::default();
    match_settings.engines = vec![side.clone(), side];
    match_settings.margin = MARGIN;
    (match_settings.resign, match_settings.draw) = (settings.resign, settings.draw);
    match_settings.max_moves = settings.max_moves;
    let [white, black] = &mut running[..] else { bail!("two engines play") };
    let played = play_game(&match_settings, tables, game, [white, black], &|| interrupt.is_set())
        .context("the game cannot be played")?;
    let Some(played) = played else { return Ok(Ok(None)) };
    for ((place, client), is_ready) in clients.iter_mut().zip(running).zip(played.is_ready) {
        *place = is_ready.then_some(client);
    }
    let record = played.record;
    if record.termination.is_fault() {
        return Ok(Err(format!("{} ({})", record.termination, shown(&record.detail))));
    }
    let is_by_tables = record.detail == "tablebase";
    let reason = if is_by_tables { record.detail } else { record.termination.to_string() };
    Ok(Ok(Some(Outcome::new(record.winner, reason, record.plies))))
}
