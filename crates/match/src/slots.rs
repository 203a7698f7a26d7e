//! The slots of a match: threads that each play one game at a time, with their own engine processes.

use crate::adjudication::TablebaseJudge;
use crate::clock::Clock;
use crate::error::MatchError;
use crate::openings::Openings;
use crate::record::GameRecord;
use crate::referee::{Played, Referee, Restart};
use crate::schedule::{Fixture, GamesLeft};
use crate::settings::{Settings, SettingsError};
use crate::traffic::Traffic;
use bartizan_client::{Client, ClientError};
use bartizan_parallel::Stop;
use bartizan_types::Color;
use crossbeam::channel::Sender;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// What a slot reports.
pub(crate) enum Report {
    /// A game has ended.
    Game(Box<GameRecord>),
    /// An engine was restarted for the game, or is for its next one.
    Restart { slot: usize, engine: usize, reason: String },
    /// The slot cannot continue: an engine does not start, or a tablebase is damaged.
    Failed(MatchError),
}

/// Starts the engines of a match.
pub(crate) struct Starter<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) stop: &'a Stop,
    pub(crate) traffic: &'a Traffic,
}

impl Starter<'_> {
    /// Starts an engine for a slot.
    pub(crate) fn start(&self, slot: usize, engine: usize) -> Result<Client, MatchError> {
        let spec = &self.settings.engines[engine];
        let mut config = spec
            .client_config(self.settings.chess960)
            .map_err(|problem| SettingsError::Engine { engine: spec.label(), problem })?;
        config.log = self.traffic.log_of(slot, &spec.label());
        config.cancel = Some(self.stop.flag());
        let client = config.start()?;
        let clock = Clock::new(spec.limits(), Duration::ZERO);
        client.check_limits(&clock.go_limits(&clock, Color::White))?;
        Ok(client)
    }
}

/// What all slots share. Only the flags are used while a game runs.
pub(crate) struct Work<'a> {
    pub(crate) starter: Starter<'a>,
    pub(crate) openings: &'a Openings,
    pub(crate) tablebases: Option<&'a TablebaseJudge>,
    /// Games still to be played, in order.
    pub(crate) todo: Mutex<GamesLeft>,
    /// Whether the match is decided: running games are finished, no new ones begin.
    pub(crate) decided: AtomicBool,
    /// Whether the match has failed: running games are abandoned.
    pub(crate) failed: AtomicBool,
}

impl Work<'_> {
    /// Whether running games are to be abandoned.
    pub(crate) fn is_stopped(&self) -> bool {
        // Relaxed, here and below: the flags publish no other data.
        self.failed.load(Relaxed) || self.starter.stop.is_stopped()
    }

    fn next(&self) -> Option<Fixture> {
        if self.decided.load(Relaxed) || self.is_stopped() { None } else { self.todo.lock().next() }
    }
}

/// Engines of a slot's last game, kept for its next game.
struct IdleEngines<'a> {
    starter: &'a Starter<'a>,
    slot: usize,
    clients: Vec<(usize, Client)>,
}

impl IdleEngines<'_> {
    /// Takes an idle engine, or starts it.
    fn take(&mut self, engine: usize) -> Result<Client, MatchError> {
        match self.clients.iter().position(|&(other, _)| other == engine) {
            Some(index) => Ok(self.clients.swap_remove(index).1),
            None => self.starter.start(self.slot, engine),
        }
    }
}

/// Plays games until none is left, or the match is decided, stopped or failed.
pub(crate) fn run(work: &Work<'_>, slot: usize, reports: &Sender<Report>) {
    let settings = work.starter.settings;
    if settings.pin {
        pin(slot);
    }
    let referee = Referee { settings, tablebases: work.tablebases, is_stopped: &|| work.is_stopped() };
    let mut idle = IdleEngines { starter: &work.starter, slot, clients: Vec::new() };
    while let Some(fixture) = work.next() {
        let started = idle.take(fixture.white).and_then(|white| Ok([white, idle.take(fixture.black)?]));
        let [mut white, mut black] = match started {
            Ok(clients) => clients,
            Err(MatchError::Engine(ClientError::Cancelled { .. })) => return,
            Err(error) => {
                let _ = reports.send(Report::Failed(error));
                return;
            }
        };
        // Engines that do not play now would only use memory.
        idle.clients.clear();
        let opening = work.openings.get(fixture.opening);
        match referee.play(fixture, opening, [&mut white, &mut black]) {
            Played::Stopped => return,
            Played::Failed(error) => {
                let _ = reports.send(Report::Failed(error));
                return;
            }
            Played::Finished { record, restarted, mut restarts } => {
                for Restart { engine, reason } in restarted {
                    let _ = reports.send(Report::Restart { slot, engine, reason });
                }
                let mut ended = Vec::new();
                for (engine, client) in [(fixture.white, white), (fixture.black, black)] {
                    match restarts.iter().position(|restart| restart.engine == engine) {
                        // Dropping the client kills its process.
                        Some(index) => {
                            drop(client);
                            let Restart { engine, reason } = restarts.swap_remove(index);
                            let _ = reports.send(Report::Restart { slot, engine, reason });
                        }
                        None if settings.engines[engine].restart == Some(true) => ended.push(client),
                        None => idle.clients.push((engine, client)),
                    }
                }
                if reports.send(Report::Game(record)).is_err() {
                    return;
                }
                // Behind the report, as it may take seconds. An engine that has to be killed loses nothing by it.
                ended.into_iter().for_each(|client| drop(client.quit()));
            }
        }
    }
    for (_, client) in idle.clients {
        // An engine that has to be killed now loses nothing by it.
        let _ = client.quit();
    }
}

/// Binds this thread, and the engines that it will start, to one core.
fn pin(slot: usize) {
    if let Some(cores) = core_affinity::get_core_ids()
        && let Some(&core) = cores.get(slot % cores.len().max(1))
    {
        core_affinity::set_for_current(core);
    }
}
