//! The slots of a match: threads that each play one game at a time, with their own engine processes.

use crate::adjudication::TablebaseJudge;
use crate::clock::Clock;
use crate::error::MatchError;
use crate::openings::Openings;
use crate::record::GameRecord;
use crate::referee::{GameRun, Referee, Restart};
use crate::schedule::ScheduledGame;
use crate::settings::{MatchSettings, SettingsError};
use crate::traffic::Traffic;
use bartizan_client::{Client, ClientError};
use bartizan_parallel::StopFlag;
use bartizan_types::Color;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// A finished game, and the engines that were restarted for it or failed in it.
pub(crate) struct Report {
    pub(crate) slot: usize,
    pub(crate) restarts: Vec<Restart>,
    pub(crate) record: Box<GameRecord>,
}

/// Starts the engines of a match.
pub(crate) struct Starter<'a> {
    pub(crate) settings: &'a MatchSettings,
    pub(crate) stop: &'a StopFlag,
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

/// State shared by all slots. Only the flags are used while a game runs.
pub(crate) struct Work<'a> {
    pub(crate) starter: Starter<'a>,
    pub(crate) openings: &'a Openings,
    pub(crate) tablebases: Option<&'a TablebaseJudge>,
    /// Whether the match is decided: running games are finished, but no new ones begin.
    pub(crate) decided: AtomicBool,
    /// Whether the match has failed: running games are abandoned.
    pub(crate) failed: AtomicBool,
}

impl Work<'_> {
    /// Whether to abandon running games.
    pub(crate) fn is_stopped(&self) -> bool {
        // Relaxed, here and below: the flags publish no other data.
        self.failed.load(Relaxed) || self.starter.stop.is_stopped()
    }

    /// Whether no more games begin.
    pub(crate) fn is_over(&self) -> bool {
        self.decided.load(Relaxed) || self.is_stopped()
    }
}

/// A place for one game at a time.
pub(crate) struct Slot<'a> {
    work: &'a Work<'a>,
    number: usize,
    is_pinned: bool,
    /// Engines of the last game, kept for the next one.
    idle: Vec<(usize, Client)>,
    /// Engines that are restarted for each game.
    ended: Vec<Client>,
}

impl<'a> Slot<'a> {
    pub(crate) fn new(work: &'a Work<'a>, number: usize) -> Self {
        Self { work, number, is_pinned: false, idle: Vec::new(), ended: Vec::new() }
    }

    /// Takes an idle engine, or starts one.
    fn take(&mut self, engine: usize) -> Result<Client, MatchError> {
        match self.idle.iter().position(|&(other, _)| other == engine) {
            Some(index) => Ok(self.idle.swap_remove(index).1),
            None => self.work.starter.start(self.number, engine),
        }
    }

    /// Plays a game; `None` if the match is stopped meanwhile. After an error the slot cannot continue: an engine does
    /// not start, or a tablebase is damaged.
    pub(crate) fn play(&mut self, scheduled: ScheduledGame) -> Option<Result<Report, MatchError>> {
        let work = self.work;
        let settings = work.starter.settings;
        if settings.pin && !std::mem::replace(&mut self.is_pinned, true) {
            pin(self.number);
        }
        // Here, because it may take seconds and the finished game has been reported.
        self.ended.drain(..).for_each(quit);
        let [mut white, mut black] =
            match self.take(scheduled.white).and_then(|white| Ok([white, self.take(scheduled.black)?])) {
                Ok(clients) => clients,
                Err(MatchError::Engine(ClientError::Cancelled { .. })) => return None,
                Err(error) => return Some(Err(error)),
            };
        // Engines that are not playing would only use memory.
        self.idle.clear();
        let referee = Referee { settings, tablebases: work.tablebases, is_stopped: &|| work.is_stopped() };
        let opening = work.openings.get(scheduled.opening);
        let (record, mut restarts, mut due) = match referee.play(scheduled, opening, [&mut white, &mut black]) {
            GameRun::Stopped => return None,
            GameRun::Failed(error) => return Some(Err(error)),
            GameRun::Finished { record, restarted, restarts } => (record, restarted, restarts),
        };
        for (engine, client) in [(scheduled.white, white), (scheduled.black, black)] {
            match due.iter().position(|restart| restart.engine == engine) {
                // Dropping the client kills its process.
                Some(index) => restarts.push(due.swap_remove(index)),
                None if settings.engines[engine].restart == Some(true) => self.ended.push(client),
                None => self.idle.push((engine, client)),
            }
        }
        Some(Ok(Report { slot: self.number, restarts, record }))
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.idle.drain(..).map(|(_, client)| client).chain(self.ended.drain(..)).for_each(quit);
    }
}

/// Ends an engine. Having to kill it no longer matters now.
fn quit(client: Client) {
    drop(client.quit());
}

/// Binds this thread, and the engines it will start, to one core.
fn pin(slot: usize) {
    if let Some(cores) = core_affinity::get_core_ids()
        && let Some(&core) = cores.get(slot % cores.len().max(1))
    {
        core_affinity::set_for_current(core);
    }
}
