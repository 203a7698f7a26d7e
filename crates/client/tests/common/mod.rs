//! The fake engine, and a log of what is said.
#![allow(dead_code)] // Each test program uses a part of this.

use bartizan_client::{Answer, Client, ClientError, Direction, EngineConfig, GoLimits, Log, Protocol, Timeouts};
use bartizan_position::Game;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than any wait for an engine that works, even on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(20);

pub(crate) fn timeouts() -> Timeouts {
    Timeouts { handshake: LONG, ping: LONG, new_game: LONG, quit: LONG }
}

/// The fake engine with the faults in `flags`, which speaks UCI unless `--xboard` is among them.
pub(crate) fn fake(flags: &str) -> EngineConfig {
    let protocol = if flags.contains("--xboard") { Protocol::Xboard } else { Protocol::Uci };
    let args = flags.split_whitespace().map(str::to_owned).collect();
    EngineConfig { args, ..EngineConfig::new(bartizan_testkit::fake_engine(), protocol) }
}

pub(crate) fn start(flags: &str) -> Client {
    Client::start(&fake(flags), &timeouts(), None).unwrap()
}

/// All lines, each with `>` (to the engine) or `<` before it.
#[derive(Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<Vec<String>>>);

impl Transcript {
    pub(crate) fn log(&self) -> Option<Log> {
        let lines = Arc::clone(&self.0);
        Some(Box::new(move |direction, line| {
            let sign = if direction == Direction::ToEngine { '>' } else { '<' };
            lines.lock().unwrap().push(format!("{sign} {line}"));
        }))
    }

    /// What was sent since the last call, without the signs.
    pub(crate) fn take_sent(&self) -> Vec<String> {
        let lines = std::mem::take(&mut *self.0.lock().unwrap());
        lines.iter().filter_map(|line| line.strip_prefix("> ").map(str::to_owned)).collect()
    }
}

pub(crate) fn search(client: &mut Client, game: &Game) -> Result<Answer, ClientError> {
    client.search(game, &GoLimits::depth(1), Instant::now() + LONG, |_| {})
}

/// One engine against itself, or two, until `plies` are played or the game is over.
pub(crate) fn play(engines: [&mut Client; 2], game: &mut Game, limits: &GoLimits, plies: usize) {
    let [white, black] = engines;
    for _ in 0..plies {
        if game.outcome().is_some() {
            return;
        }
        let engine = if game.position().turn() == bartizan_types::Color::White { &mut *white } else { &mut *black };
        let answer = engine.search(game, limits, Instant::now() + LONG, |_| {}).unwrap();
        let Some(mv) = answer.mv else {
            panic!("{} in {}: {answer:?}", engine.name(), game.position());
        };
        game.push(mv).unwrap();
    }
}
