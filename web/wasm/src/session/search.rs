//! Searches and counts that pause.

use super::{Next, say};
use crate::host;
use bartizan_engine::uci::UciWriter;
use bartizan_engine::{Caller, Engine, EngineError, Limits, SearchEvent, SearchResult, Stopwatch};
use bartizan_position::{Game, Position, perft};
use bartizan_protocol::uci::Message;
use bartizan_types::{Move, Variant};
use std::cell::Cell;

/// The length of a slice, in milliseconds. A stop has to be heard within 20.
const SLICE: f64 = 8.0;

/// A search, in one piece or in slices. Each slice begins with the first iteration again, which costs little: what the
/// slices before have found is in the hash table.
pub(super) struct SearchTask {
    game: Game,
    limits: Limits,
    multipv: usize,
    writer: UciWriter,
    slices: bool,
    /// Whether the answer waits for a stop.
    pub(super) waits: bool,
    stopwatch: Stopwatch,
    /// The nodes of the finished slices.
    nodes: u64,
    /// The result of the deepest slice.
    best: Option<SearchResult>,
    /// The depth, the rank and the first move of the last line that was reported.
    reported: (u32, u32, Option<Move>),
}

impl SearchTask {
    pub(super) fn new(
        game: Game,
        limits: Limits,
        multipv: usize,
        writer: UciWriter,
        slices: bool,
        waits: bool,
    ) -> Self {
        let (stopwatch, reported) = (host::stopwatch(), (0, 0, None));
        Self { game, limits, multipv, writer, slices, waits, stopwatch, nodes: 0, best: None, reported }
    }

    /// Searches to the end, or for a slice: then there is no answer yet.
    pub(super) fn run(&mut self, engine: &mut Engine) -> Result<Option<Message>, EngineError> {
        let start = host::now();
        let is_cut = Cell::new(false);
        let (slices, nodes) = (self.slices, self.nodes);
        let is_stopped = || {
            if slices {
                is_cut.set(host::now() - start >= SLICE);
                is_cut.get() || host::was_stopped()
            } else {
                host::is_stopped()
            }
        };
        let mut limits = self.limits.clone();
        limits.nodes = limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
        let (writer, reported) = (self.writer, &mut self.reported);
        let mut on_event = |event: SearchEvent| {
            let event = match event {
                SearchEvent::Info(mut info) if slices => {
                    info.nodes += nodes;
                    let first = info.pv.first().copied();
                    let is_old = (info.depth, info.multipv) < (reported.0, reported.1);
                    if is_old || (info.depth, info.multipv, first) == *reported {
                        return;
                    }
                    *reported = (info.depth, info.multipv, first);
                    SearchEvent::Info(info)
                }
                event => event,
            };
            if let Some(message) = writer.event(&event) {
                say(message);
            }
        };
        let caller = Caller {
            stopwatch: self.stopwatch.clone(),
            continues: nodes > 0,
            is_stopped: &is_stopped,
            on_event: &mut on_event,
        };
        let result = engine.search_here(self.game.clone(), limits, self.multipv, caller)?;
        self.nodes += result.nodes;
        if self.best.as_ref().is_none_or(|best| result.depth >= best.depth) {
            self.best = Some(result);
        }
        let is_used_up = self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        if is_cut.get() && !host::was_stopped() && !is_used_up {
            return Ok(None);
        }
        Ok(self.best.as_ref().map(|best| self.writer.best_move(best)))
    }
}

/// A count of the leaves of the move tree, by moves.
pub(super) struct Perft {
    position: Position,
    depth: u32,
    variant: Variant,
}

impl Perft {
    pub(super) fn new(position: Position, depth: u32, variant: Variant) -> Self {
        Self { position, depth, variant }
    }

    /// Counts, and says the number of leaves below each move and in all.
    pub(super) fn run(&self) -> Next {
        let mut total = 0;
        for &mv in &self.position.legal_moves() {
            let Some(depth) = self.depth.checked_sub(1) else { break };
            let Some(leaves) = count(&self.position.play_unchecked(mv), depth) else {
                say(Message::info_string("perft stopped"));
                return Next::Nothing;
            };
            host::line(&format!("{}: {leaves}", mv.to_uci(self.variant)));
            total += leaves;
        }
        let total = if self.depth == 0 { 1 } else { total };
        host::line(&format!("\nNodes searched: {total}\n"));
        Next::Nothing
    }
}

/// The leaves below a position; `None` if the count was stopped.
fn count(position: &Position, depth: u32) -> Option<u64> {
    if depth <= 3 {
        return (!host::is_stopped()).then(|| perft(position, depth));
    }
    position.legal_moves().iter().map(|&mv| count(&position.play_unchecked(mv), depth - 1)).sum()
}
