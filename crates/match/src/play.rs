//! Plays a match: the thread that hands out games and collects the results.

use crate::adjudication::TablebaseRule;
use crate::error::MatchError;
use crate::journal::{Journal, JournalEntry};
use crate::openings::{OpeningSettings, Openings};
use crate::pgn_file::PgnFile;
use crate::record::GameRecord;
use crate::referee::Restart;
use crate::schedule::{GamesLeft, Schedule};
use crate::settings::{MatchSettings, TournamentFormat};
use crate::slots::{Report, Slot, Starter, Work};
use crate::standing::Standing;
use crate::traffic::Traffic;
use bartizan_client::{ClientError, EngineLimits, EngineSpec, TimeControl};
use bartizan_parallel::{FeedOptions, StopFlag};
use bartizan_position::Position;
use bartizan_stats::{Sprt, SprtReport, SprtStatus};
use serde_json::Value;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A match ready to be played: settings, output files, and a handle to stop it.
#[derive(Clone, Debug, Default)]
pub struct Match {
    settings: MatchSettings,
    journal: Option<PathBuf>,
    resume: bool,
    extra: Value,
    pgn: Option<PathBuf>,
    log: Option<PathBuf>,
    stop: StopFlag,
}

/// Events of a running match.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum MatchEvent<'a> {
    /// The games begin. A resumed match already has finished games.
    Started {
        /// Standing before this run.
        standing: &'a Standing,
        /// Number of games of the whole match.
        games: usize,
        /// Number of different openings.
        openings: usize,
    },
    /// A game has ended, and is in the journal and the PGN file.
    Game {
        /// The game.
        record: &'a GameRecord,
        /// Standing after the game.
        standing: &'a Standing,
    },
    /// An engine was restarted because it had exited or failed.
    Restart {
        /// Number of the engine.
        engine: usize,
        /// The reason.
        reason: &'a str,
    },
    /// The log cannot be written and is missing lines. The match continues; this is reported once.
    LogFailed {
        /// The file.
        path: &'a Path,
        /// The reason.
        error: &'a io::Error,
    },
}

/// Why a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The SPRT is decided.
    Sprt,
    /// The match was stopped by its [`StopFlag`].
    Interrupted,
}

/// `complete`, `sprt` or `interrupted`, as journals write it.
impl fmt::Display for MatchEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::Sprt => "sprt",
            Self::Interrupted => "interrupted",
        })
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchResult {
    /// Completed settings, with the names of the engines.
    pub settings: MatchSettings,
    /// Results of all games, including those of earlier runs.
    pub standing: Standing,
    /// Why the run ended.
    pub end: MatchEnd,
    /// The state of the SPRT, if there is one: at the time of its decision, regardless of the games that were still
    /// running, or else the current state.
    pub sprt: Option<SprtReport>,
}

impl From<MatchSettings> for Match {
    fn from(settings: MatchSettings) -> Self {
        Self { settings, ..Self::default() }
    }
}

impl Match {
    /// A match between engines. It needs two or more.
    pub fn new(engines: impl IntoIterator<Item = EngineSpec>) -> Self {
        MatchSettings { engines: engines.into_iter().collect(), ..MatchSettings::default() }.into()
    }

    /// Sets the openings. Without them all games start from the initial position.
    #[must_use]
    pub fn openings(mut self, openings: OpeningSettings) -> Self {
        self.settings.openings = Some(openings);
        self
    }

    /// Sets the clock of every engine that does not set its own limits.
    #[must_use]
    pub fn time_control(self, control: TimeControl) -> Self {
        self.limits(EngineLimits { tc: Some(control), ..EngineLimits::default() })
    }

    /// Sets the limits of every engine that does not set its own.
    #[must_use]
    pub fn limits(mut self, limits: EngineLimits) -> Self {
        self.settings.each = self.settings.each.with_limits(limits);
        self
    }

    /// Sets how the engines are paired.
    #[must_use]
    pub fn format(mut self, format: TournamentFormat) -> Self {
        self.settings.format = format;
        self
    }

    /// Sets the number of game pairs for each pairing of two engines.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.settings.rounds = rounds;
        self
    }

    /// Sets the number of concurrent games.
    #[must_use]
    pub fn concurrency(mut self, games: usize) -> Self {
        self.settings.concurrency = games;
        self
    }

    /// Draws games that exceed this number of full moves, including those of the opening.
    #[must_use]
    pub fn max_moves(mut self, moves: u32) -> Self {
        self.settings.max_moves = Some(moves);
        self
    }

    /// Ends the match as soon as a sequential test is decided.
    #[must_use]
    pub fn sprt(mut self, sprt: Sprt) -> Self {
        self.settings.sprt = Some(sprt);
        self
    }

    /// Writes a new journal, with which the match can be resumed.
    #[must_use]
    pub fn journal(self, path: impl Into<PathBuf>) -> Self {
        Self { journal: Some(path.into()), resume: false, ..self }
    }

    /// Continues the match recorded in a journal.
    #[must_use]
    pub fn resume(self, journal: impl Into<PathBuf>) -> Self {
        Self { journal: Some(journal.into()), resume: true, ..self }
    }

    /// Stores data in the journal, such as file locations or whatever a tool needs to resume the match.
    /// [`JournalContent::extra`](crate::journal::JournalContent::extra) returns it.
    #[must_use]
    pub fn extra(self, extra: Value) -> Self {
        Self { extra, ..self }
    }

    /// Appends the games to a PGN file, whose other games are kept. A resumed match first adds those of its journal
    /// that the file lacks.
    #[must_use]
    pub fn pgn(self, path: impl Into<PathBuf>) -> Self {
        Self { pgn: Some(path.into()), ..self }
    }

    /// Logs all lines between engines and referee to a file, which must be empty or such a log.
    #[must_use]
    pub fn log(self, path: impl Into<PathBuf>) -> Self {
        Self { log: Some(path.into()), ..self }
    }

    /// Ends the match early on request, from any thread. Unfinished games are abandoned within about a quarter of a
    /// second; with a journal they are played when the match is resumed.
    #[must_use]
    pub fn stop_by(self, stop: StopFlag) -> Self {
        Self { stop, ..self }
    }

    /// Plays the remaining games. Events are reported on the calling thread, which otherwise waits for the next event.
    ///
    /// Before the first game, settings and files are checked, and each engine is started once, so that a wrong command
    /// or option is an error rather than a lost game.
    ///
    /// # Errors
    /// [`MatchError`], before or during the games. Games that ended earlier are in the journal and the PGN file.
    pub fn run(self, mut on_event: impl FnMut(MatchEvent<'_>)) -> Result<MatchResult, MatchError> {
        let mut settings = self.settings.complete()?;
        let openings = settings.openings.as_ref().map_or_else(|| Ok(Openings::startpos()), Openings::load)?;
        if let (Some(file), Some(_)) = (&mut settings.openings, &self.journal) {
            file.sha256 = Some(openings.sha256());
        }
        let tablebases = settings.tablebases.as_ref().map(TablebaseRule::open).transpose()?;
        let others = [("journal", self.journal.as_deref()), ("PGN file", self.pgn.as_deref())];
        let others =
            others.into_iter().chain([("file of openings", settings.openings.as_ref().map(|file| &*file.file))]);
        let others = others.filter_map(|(what, path)| Some((what, path?)));
        let traffic = self.log.as_deref().map(|log| Traffic::to(log, others)).transpose()?.unwrap_or_default();
        let schedule = Schedule::new(settings.format, settings.engines.len(), settings.rounds);
        let starter = Starter { settings: &settings, stop: &self.stop, traffic: &traffic };
        try_engines(&starter, openings.starts(schedule.openings()))?;

        // An unusable file must not leave a journal behind.
        let mut pgn = self.pgn.map(PgnFile::open).transpose()?;
        let (journal, games) = match self.journal.as_deref() {
            Some(path) if self.resume => resume(path, &settings, &self.extra)?,
            Some(path) => (Some(Journal::create(path, &settings, &self.extra)?), Vec::new()),
            None => (None, Vec::new()),
        };
        if let Some(pgn) = &mut pgn {
            pgn.complete(&games)?;
        }
        let standing = Standing::of(settings.engines.len(), &games);
        on_event(MatchEvent::Started { standing: &standing, games: schedule.len(), openings: openings.len() });

        let decision = first_decision(&settings, &games);
        let finished = games.iter().map(|game| game.id).collect();
        let work = Work {
            starter,
            openings: &openings,
            tablebases: tablebases.as_ref(),
            decided: AtomicBool::new(decision.is_some()),
            failed: AtomicBool::new(false),
        };
        let mut results = Results { settings: &settings, standing, decision, journal, pgn };
        results.play(&work, GamesLeft::new(schedule.clone(), finished), &mut on_event)?;
        // The last lines come after the last report.
        if let Some((path, error)) = traffic.take_error() {
            on_event(MatchEvent::LogFailed { path: &path, error: &error });
        }

        let complete = results.standing.games >= schedule.len();
        let end = match (results.decision.is_some(), complete) {
            (true, _) => MatchEnd::Sprt,
            (false, true) => MatchEnd::Complete,
            (false, false) => MatchEnd::Interrupted,
        };
        results.write(&JournalEntry::End { reason: end.to_string() })?;
        let Results { standing, decision, .. } = results;
        let sprt = decision.or_else(|| settings.sprt_report(&standing));
        Ok(MatchResult { settings, standing, end, sprt })
    }
}

/// Starts and ends each engine, unless the match is stopped, and checks that it can set up the openings. In
/// [`TournamentFormat::Pairs`] the engines are variants of one, so the first two represent all.
fn try_engines<'a>(
    starter: &Starter<'_>,
    starts: impl Iterator<Item = &'a Position> + Clone,
) -> Result<(), MatchError> {
    let settings = starter.settings;
    let count = if settings.format == TournamentFormat::Pairs { 2 } else { settings.engines.len() };
    for engine in 0..count {
        match starter.start(0, engine) {
            Ok(client) => {
                for start in starts.clone() {
                    let error = |source| MatchError::Opening { position: start.to_fen(), source };
                    client.check_position(start).map_err(error)?;
                }
                // An engine that must be killed when it quits can still play.
                drop(client.quit());
            }
            Err(MatchError::Engine(ClientError::Cancelled { .. })) => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn resume(
    path: &Path,
    settings: &MatchSettings,
    extra: &Value,
) -> Result<(Option<Journal>, Vec<GameRecord>), MatchError> {
    let (mut journal, history) = Journal::resume(path)?;
    if let Err(difference) = settings.same_match(&history.settings) {
        return Err(MatchError::OtherMatch { path: path.to_owned(), difference });
    }
    let extra = if *extra == history.extra { Value::Null } else { extra.clone() };
    journal.write(&JournalEntry::Resume { settings: settings.clone(), games: history.games.len(), extra })?;
    Ok((Some(journal), history.games))
}

/// The state of the SPRT, if it is decided.
fn decision(settings: &MatchSettings, standing: &Standing) -> Option<SprtReport> {
    settings.sprt_report(standing).filter(|report| report.status != SprtStatus::Continue)
}

/// The state of the SPRT when it was decided, replaying the games of earlier runs in order.
fn first_decision(settings: &MatchSettings, games: &[GameRecord]) -> Option<SprtReport> {
    settings.sprt.as_ref()?;
    let mut standing = Standing::of(settings.engines.len(), &[]);
    games.iter().find_map(|game| {
        standing.add(game);
        decision(settings, &standing)
    })
}

/// The results so far and the files that record them.
struct Results<'a> {
    settings: &'a MatchSettings,
    standing: Standing,
    /// The state of the SPRT when it was decided. Games that were still running only count for the standing.
    decision: Option<SprtReport>,
    journal: Option<Journal>,
    pgn: Option<PgnFile>,
}

impl Results<'_> {
    /// Plays games in the slots of `work`.
    fn play(
        &mut self,
        work: &Work<'_>,
        mut games: GamesLeft,
        on_event: &mut impl FnMut(MatchEvent<'_>),
    ) -> Result<(), MatchError> {
        let concurrency = self.settings.concurrency;
        let games = std::iter::from_fn(|| if work.is_over() { None } else { games.next() });
        let slots = (0..concurrency).map(|number| {
            let mut slot = Slot::new(work, number);
            move |scheduled| slot.play(scheduled)
        });
        bartizan_parallel::run(games, slots, FeedOptions::any(2 * concurrency), |report| {
            // After an error no result would be kept.
            self.take(report, work, on_event).inspect_err(|_| work.failed.store(true, Relaxed))
        })
    }

    /// Handles the report of a slot.
    fn take(
        &mut self,
        report: Result<Report, MatchError>,
        work: &Work<'_>,
        on_event: &mut impl FnMut(MatchEvent<'_>),
    ) -> Result<(), MatchError> {
        if let Some((path, error)) = work.starter.traffic.take_error() {
            on_event(MatchEvent::LogFailed { path: &path, error: &error });
        }
        let Report { slot, restarts, record } = report?;
        for Restart { engine, reason } in restarts {
            on_event(MatchEvent::Restart { engine, reason: &reason });
            self.write(&JournalEntry::Restart { slot, engine, reason })?;
        }
        // The journal comes first: the PGN can be rebuilt from it.
        self.write(&JournalEntry::Game((*record).clone()))?;
        if let Some(pgn) = &mut self.pgn {
            pgn.add(&record)?;
        }
        self.standing.add(&record);
        if self.decision.is_none() {
            self.decision = decision(self.settings, &self.standing);
            work.decided.store(self.decision.is_some(), Relaxed);
        }
        on_event(MatchEvent::Game { record: &record, standing: &self.standing });
        Ok(())
    }

    fn write(&mut self, entry: &JournalEntry) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.write(entry)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::record;
    use bartizan_stats::SprtModel;
    use bartizan_types::Color::{Black, White};

    /// Games that were running at the decision do not revoke it.
    #[test]
    fn a_decision_stands() {
        let sprt = Sprt::new(0.0, 200.0, 0.3, 0.3, SprtModel::Logistic).unwrap();
        let settings = MatchSettings { sprt: Some(sprt), ..Match::new(vec![EngineSpec::new("e"); 2]).settings };
        let won = |id: usize, winner: usize| record(id, id % 2, 1 - id % 2, Some([White, Black][(id % 2) ^ winner]));
        let mut games: Vec<_> = (0..10).map(|id| won(id, 0)).collect();
        games[1].winner = None;
        let decided = first_decision(&settings, &games).unwrap();
        assert_eq!(decided.status, SprtStatus::AcceptH1);
        games.extend((10..40).map(|id| won(id, 1)));
        assert_eq!(first_decision(&settings, &games), Some(decided));
        let now = decision(&settings, &Standing::of(2, &games));
        assert_ne!(now.map(|report| report.status), Some(SprtStatus::AcceptH1));
    }
}
