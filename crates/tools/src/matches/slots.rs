//! The slots of a match: threads that each play one game at a time, with engines of their own.

use super::adjudication::TablebaseJudge;
use super::config::Settings;
use super::journal::GameRecord;
use super::openings::Openings;
use super::referee::{self, Played};
use super::schedule::Fixture;
use super::traffic::Traffic;
use crate::interrupt::Interrupt;
use anyhow::Context;
use bartizan_client::Client;
use crossbeam::channel::Sender;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What a slot reports.
pub(super) enum News {
    /// A game is over.
    Game(Box<GameRecord>),
    /// An engine was started anew.
    Restart { slot: usize, engine: usize, reason: String },
    /// The slot cannot go on: an engine does not start, or a tablebase is damaged.
    Broken(anyhow::Error),
}

/// What all slots share. Nothing here is touched while a game runs.
pub(super) struct Work<'a> {
    pub(super) settings: &'a Settings,
    pub(super) openings: &'a Openings,
    pub(super) tablebases: Option<&'a TablebaseJudge>,
    /// Games still to be played, in order.
    pub(super) todo: Mutex<VecDeque<Fixture>>,
    /// No new games: the match is decided.
    pub(super) decided: AtomicBool,
    pub(super) interrupt: &'a Interrupt,
    pub(super) traffic: &'a Traffic,
}

impl Work<'_> {
    fn next(&self) -> Option<Fixture> {
        // Relaxed: the flag says "soon" and publishes nothing else.
        if self.decided.load(Relaxed) || self.interrupt.is_set() { None } else { self.todo.lock().pop_front() }
    }
}

/// The engines of a slot: those of the last game, kept for the next.
struct Bench<'a> {
    work: &'a Work<'a>,
    slot: usize,
    clients: Vec<(usize, Client)>,
}

impl Bench<'_> {
    /// Takes an engine off the bench, or starts it.
    fn take(&mut self, engine: usize) -> anyhow::Result<Client> {
        if let Some(index) = self.clients.iter().position(|&(other, _)| other == engine) {
            return Ok(self.clients.swap_remove(index).1);
        }
        let entry = &self.work.settings.engines[engine];
        let mut config = entry.client_config(self.work.settings.chess960)?;
        config.log = self.work.traffic.log_of(self.slot, &entry.label());
        config.start().with_context(|| format!("engine {}", entry.label()))
    }
}

/// Plays games until there are none left, the match is decided, or interrupted.
pub(super) fn run(work: &Work<'_>, slot: usize, news: &Sender<News>) {
    if work.settings.pin {
        pin(slot);
    }
    let mut bench = Bench { work, slot, clients: Vec::new() };
    while let Some(fixture) = work.next() {
        let started = bench.take(fixture.white).and_then(|white| Ok([white, bench.take(fixture.black)?]));
        let [mut white, mut black] = match started {
            Ok(clients) => clients,
            Err(error) => {
                let _ = news.send(News::Broken(error));
                return;
            }
        };
        // Whoever sits on the bench and does not play now would only cost memory.
        bench.clients.clear();
        let opening = work.openings.get(fixture.opening);
        let played =
            referee::play(work.settings, work.tablebases, fixture, opening, [&mut white, &mut black], work.interrupt);
        match played {
            Played::Interrupted => return,
            Played::Broken(error) => {
                let _ = news.send(News::Broken(error));
                return;
            }
            Played::Finished { record, restart } => {
                for (engine, client) in [(fixture.white, white), (fixture.black, black)] {
                    match restart.iter().find(|&&(other, _)| other == engine) {
                        // Dropping the client ends its process; it is started again for its next game.
                        Some((_, reason)) => {
                            drop(client);
                            let _ = news.send(News::Restart { slot, engine, reason: reason.clone() });
                        }
                        None => bench.clients.push((engine, client)),
                    }
                }
                if news.send(News::Game(record)).is_err() {
                    return;
                }
            }
        }
    }
    for (_, client) in bench.clients {
        // One that has to be killed now has lost nothing by it.
        let _ = client.quit();
    }
}

/// Keeps this thread, and the engines that it will start, on one core.
fn pin(slot: usize) {
    if let Some(cores) = core_affinity::get_core_ids()
        && let Some(&core) = cores.get(slot % cores.len().max(1))
    {
        core_affinity::set_for_current(core);
    }
}
