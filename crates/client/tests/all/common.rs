//! The fake engine, and a transcript of the lines.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_client::{Client, ClientError, EngineConfig, Limits, Log, Protocol, Reply, Timeouts};
use bartizan_position::Game;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Longer than any wait for a working engine, even on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(20);

pub(crate) fn timeouts() -> Timeouts {
    Timeouts::default().with_answer(LONG).with_margin(LONG).with_silence(LONG).with_quit(LONG)
}

/// The fake engine with the faults in `flags`. It speaks UCI unless `--xboard` is among them.
pub(crate) fn fake(flags: &str) -> EngineConfig {
    let protocol = if flags.contains("--xboard") { Protocol::Xboard } else { Protocol::Uci };
    EngineConfig::new(bartizan_testkit::fake_engine(), protocol).args(flags.split_whitespace()).timeouts(timeouts())
}

pub(crate) fn start(flags: &str) -> Client {
    fake(flags).start().unwrap()
}

/// All lines, each with its direction.
#[derive(Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<Vec<String>>>);

impl Transcript {
    /// The fake engine with this transcript as its log.
    pub(crate) fn of(&self, config: EngineConfig) -> EngineConfig {
        let lines = Arc::clone(&self.0);
        let mut config = config;
        config.log = Some(Log::new(move |direction, line| lines.lock().unwrap().push(format!("{direction} {line}"))));
        config
    }

    /// The lines that were sent since the last call.
    pub(crate) fn take_sent(&self) -> Vec<String> {
        let lines = std::mem::take(&mut *self.0.lock().unwrap());
        lines.iter().filter_map(|line| line.strip_prefix("> ").map(str::to_owned)).collect()
    }
}

pub(crate) fn search(client: &mut Client, game: &Game) -> Result<Reply, ClientError> {
    client.play(game, &Limits::depth(1))
}

/// Plays until `plies` are played or the game is over.
pub(crate) fn play(engines: [&mut Client; 2], game: &mut Game, limits: &Limits, plies: usize) {
    let [white, black] = engines;
    for _ in 0..plies {
        if game.outcome().is_some() {
            return;
        }
        let engine = if game.position().turn().is_white() { &mut *white } else { &mut *black };
        let reply = engine.play(game, limits).unwrap();
        let Some(mv) = reply.best_move() else {
            panic!("{} in {}: {reply:?}", engine.name(), game.position());
        };
        game.push(mv).unwrap();
    }
}
