//! Searches in the opponent's time.

use super::ending_by_rules;
use bartizan_client::{Bound, Client, EngineEvent, Info, Limits};
use bartizan_position::Game;
use bartizan_types::Move;
use std::time::Instant;

/// What an engine has reported in a search.
#[derive(Debug, Default)]
pub(super) struct ReportedInfo {
    /// The last line with an exact score.
    pub(super) exact: Info,
    /// The last line, which may have a bound as score.
    pub(super) latest: Info,
    /// The most nodes of any line.
    pub(super) nodes: u64,
}

impl ReportedInfo {
    pub(super) fn add(&mut self, info: Info) {
        self.nodes = self.nodes.max(info.nodes.unwrap_or(0));
        if info.is_main_line() {
            if info.bound == Bound::Exact {
                self.exact = info.clone();
            }
            self.latest = info;
        }
    }
}

/// The search of an engine that waits for its opponent.
#[derive(Debug)]
pub(super) struct Pondering {
    /// The opponent's move that it expects.
    expected: Move,
    reported: ReportedInfo,
    /// The line with the move that it sent although it was not its turn.
    early: Option<String>,
}

impl Pondering {
    /// Lets an engine think about its answer to the move that it expects, with the limits of its next move. `None` if
    /// that move ends the game, or if the engine has exited, which is noticed at its next turn.
    pub(super) fn start(client: &mut Client, game: &Game, expected: Move, limits: &Limits) -> Option<Self> {
        let mut game = game.clone();
        game.push(expected).ok()?;
        if ending_by_rules(&game).is_some() {
            return None;
        }
        client.ponder(&game, limits).ok()?;
        Some(Self { expected, reported: ReportedInfo::default(), early: None })
    }

    /// Takes what the engine has written until now: it must not have to wait for room.
    pub(super) fn listen(&mut self, client: &mut Client) {
        let now = Instant::now();
        while client.is_searching()
            && let Ok(event) = client.next_event_before(now)
        {
            match event {
                EngineEvent::Info(info) => self.reported.add(info),
                EngineEvent::BestMove(best) => self.early = Some(format!("bestmove {}", best.text)),
                _ => {}
            }
        }
    }

    /// What the engine has reported, if it still searches and `played` is what it has expected; and the line with a
    /// move that it should not have sent.
    pub(super) fn end(mut self, client: &mut Client, played: Option<Move>) -> (Option<ReportedInfo>, Option<String>) {
        self.listen(client);
        let is_hit = client.is_searching() && played == Some(self.expected);
        (is_hit.then_some(self.reported), self.early)
    }
}
