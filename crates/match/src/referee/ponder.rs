//! Pondering.

use super::ending_by_rules;
use bartizan_client::{Bound, Client, EngineEvent, Info, Limits};
use bartizan_position::Game;
use bartizan_types::Move;
use std::time::Instant;

/// The reports of an engine in a search.
#[derive(Debug, Default)]
pub(super) struct ReportedInfo {
    /// The last line with an exact score.
    pub(super) exact: Info,
    /// The last line, whose score may be a bound.
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

/// The ponder search of a waiting engine.
#[derive(Debug)]
pub(super) struct Pondering {
    /// The opponent's move that it expects.
    expected: Move,
    reported: ReportedInfo,
    /// The line with the move that it sent out of turn.
    early: Option<String>,
}

impl Pondering {
    /// Lets an engine ponder on the move that it expects, with the limits of its next move. `None` if that move ends
    /// the game, or if the engine has exited, which is handled at its next turn.
    pub(super) fn start(client: &mut Client, game: &Game, expected: Move, limits: &Limits) -> Option<Self> {
        let mut game = game.clone();
        game.push(expected).ok()?;
        if ending_by_rules(&game).is_some() {
            return None;
        }
        client.ponder(&game, limits).ok()?;
        Some(Self { expected, reported: ReportedInfo::default(), early: None })
    }

    /// Reads the engine's output so far, so that the engine does not block on a full pipe.
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

    /// The engine's reports, if it still searches and `played` is the expected move; and the line with a move sent out
    /// of turn.
    pub(super) fn end(mut self, client: &mut Client, played: Option<Move>) -> (Option<ReportedInfo>, Option<String>) {
        self.listen(client);
        let is_hit = client.is_searching() && played == Some(self.expected);
        (is_hit.then_some(self.reported), self.early)
    }
}
