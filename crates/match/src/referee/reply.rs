//! Asks an engine for its move, within its time.

use super::ponder::{Pondering, ReportedInfo};
use crate::clock::Clock;
use crate::record::Termination;
use bartizan_client::{BestMove, Client, ClientError, EngineEvent, Info, Limits, ResultClaim};
use bartizan_position::Game;
use bartizan_types::{Color, Excerpt, GameResult, Move};
use std::time::{Duration, Instant};

/// Time in which an engine must answer `stop` after its time is over. Otherwise it counts as hung.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Interval at which a waiting referee checks whether the match was stopped.
const POLL: Duration = Duration::from_millis(250);

/// The answer of an engine that was asked for a move.
pub(super) enum MoveReply {
    /// A legal move in time.
    Move(Box<PlayedMove>),
    /// The engine resigns.
    Resigns,
    /// The engine loses because of a fault.
    Loses(Termination, String),
    /// The engine cannot be asked, through no fault of its own.
    Cannot(ClientError),
    /// The match was stopped during the search.
    Stopped,
}

/// A legal move and the engine's reports about it.
pub(super) struct PlayedMove {
    pub(super) mv: Move,
    pub(super) elapsed: Duration,
    /// The move's cost on the clock.
    pub(super) cost: Duration,
    /// The last line with an exact score.
    pub(super) exact: Info,
    /// The last line, whose score may be a bound. The move must agree with it.
    pub(super) latest: Info,
    /// The reply that the engine expects.
    pub(super) expected: Option<Move>,
    /// Whether the engine pondered on the move.
    pub(super) pondered: bool,
}

/// A request to an engine.
pub(super) struct MoveRequest<'a> {
    pub(super) client: &'a mut Client,
    pub(super) game: &'a Game,
    pub(super) limits: Limits,
    pub(super) clock: &'a Clock,
    /// How long the engine may overstep its time, or stay silent if its time is not limited.
    pub(super) hang: Duration,
    /// The engine's reports while pondering, if the opponent played the expected move.
    pub(super) pondered: Option<ReportedInfo>,
    /// The opponent, if it ponders meanwhile.
    pub(super) opponent: Option<(&'a mut Client, &'a mut Pondering)>,
    pub(super) is_stopped: &'a dyn Fn() -> bool,
}

impl MoveRequest<'_> {
    /// Waits for the answer.
    pub(super) fn ask(mut self) -> MoveReply {
        let begun = match self.pondered {
            Some(_) => self.client.start_ponder_hit(),
            // A ponder search on another move is stopped first, at no cost to the engine's time.
            None => self.client.start_search(self.game, &self.limits),
        };
        if let Err(error) = begun {
            return lost(error);
        }
        let started = Instant::now();
        let pondered = self.pondered.is_some();
        let mut reported = self.pondered.take().unwrap_or_default();
        let max_wait = self.clock.max_wait(self.hang);
        // Without a time limit, it may think for as long as it shows signs of life.
        let is_timed = self.clock.allowance().is_some();
        let mut deadline = started + max_wait;
        let mut is_silent = false;
        let mut was_told_to_stop = false;
        loop {
            // Check these in time, however much the engine writes.
            if (self.is_stopped)() {
                return MoveReply::Stopped;
            }
            if let Some((client, pondering)) = &mut self.opponent {
                pondering.listen(client);
            }
            let now = Instant::now();
            if !was_told_to_stop && (is_silent || is_timed && now >= deadline) {
                was_told_to_stop = true;
                deadline = now + STOP_GRACE;
                if let Err(error) = self.client.stop() {
                    return lost(error);
                }
            }
            let until = deadline.min(now + POLL);
            let event = self.client.next_event_before(until);
            if !is_timed && !was_told_to_stop && event.is_ok() {
                deadline = Instant::now() + max_wait;
            }
            match event {
                Ok(EngineEvent::Info(info)) => reported.add(info),
                Ok(EngineEvent::BestMove(best)) => {
                    // The arrival time counts, not the time of reading.
                    let is_late = if is_timed { best.elapsed > max_wait } else { was_told_to_stop };
                    return self.judge(best, is_late, reported, pondered);
                }
                Ok(EngineEvent::Resign) => return MoveReply::Resigns,
                Ok(EngineEvent::ResultClaim(claim)) => return judge_claim(&claim, self.game.position().turn()),
                Ok(EngineEvent::Refused(line)) => {
                    return MoveReply::Loses(
                        Termination::IllegalMove,
                        format!("refuses a legal move: {}", Excerpt::with_length(&line, Excerpt::LINE)),
                    );
                }
                Ok(_) => {}
                Err(ClientError::Timeout { .. }) if was_told_to_stop && until == deadline => {
                    let waited = started.elapsed().as_secs_f64();
                    return MoveReply::Loses(Termination::Hang, format!("no move after {waited:.1} s"));
                }
                Err(ClientError::Timeout { .. }) => is_silent = until == deadline,
                Err(error) => return lost(error),
            }
        }
    }

    /// Checks the time and the legality of a move.
    fn judge(&self, best: BestMove, is_late: bool, reported: ReportedInfo, pondered: bool) -> MoveReply {
        let BestMove { text, mv, ponder: expected, elapsed, .. } = best;
        let ReportedInfo { exact, latest, nodes } = reported;
        let cost = self.clock.cost(elapsed, nodes);
        if let Some(excess) = self.clock.excess(cost) {
            return MoveReply::Loses(Termination::TimeForfeit, format!("late by {} ms", excess.as_millis()));
        }
        if is_late {
            let waited = elapsed.as_secs_f64();
            return MoveReply::Loses(
                Termination::Hang,
                format!("no move before it was told to stop, after {waited:.1} s"),
            );
        }
        match mv {
            Some(mv) => MoveReply::Move(Box::new(PlayedMove { mv, elapsed, cost, exact, latest, expected, pondered })),
            None => MoveReply::Loses(Termination::IllegalMove, Excerpt::new(&text).to_string()),
        }
    }
}

/// The category of a client's error.
pub(super) fn termination_of(error: &ClientError) -> Termination {
    match error {
        ClientError::Timeout { .. } => Termination::Hang,
        _ => Termination::Crash,
    }
}

fn lost(error: ClientError) -> MoveReply {
    match error {
        ClientError::Cancelled { .. } => MoveReply::Stopped,
        ClientError::Unsupported { .. } => MoveReply::Cannot(error),
        error => MoveReply::Loses(termination_of(&error), error.to_string()),
    }
}

/// Judges a claim. Finished games are never sent to an engine, so a claim is either a resignation or false.
fn judge_claim(claim: &ResultClaim, side: Color) -> MoveReply {
    if claim.result == GameResult::won_by(!side) {
        MoveReply::Resigns
    } else {
        MoveReply::Loses(Termination::FalseClaim, Excerpt::with_length(&claim.reason, Excerpt::LINE).to_string())
    }
}
