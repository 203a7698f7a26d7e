//! Converts between the engine's data and the messages of UCI, for every program that speaks it.

use crate::{Clocks, Limits, MaterialCount, SearchEvent, SearchInfo, SearchResult, shown, win_draw_loss};
use bartizan_position::{Game, Outcome, Position};
use bartizan_protocol::uci::{GoParams, Info, Message, ScoreInfo};
use bartizan_types::{Bound, UciMove, Value, Variant};
use std::time::Duration;

/// The limits of a `go`, and its illegal `searchmoves`.
pub fn limits(go: &GoParams, position: &Position) -> (Limits, Vec<UciMove>) {
    let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
    for &text in &go.searchmoves {
        match position.resolve_uci(text) {
            Ok(mv) => search_moves.push(mv),
            Err(_) => illegal.push(text),
        }
    }
    // A negative or missing clock counts as empty: it is a game, and the move must come quickly.
    let has_clock = [go.wtime, go.btime, go.winc, go.binc].iter().any(Option::is_some);
    let duration = |ms: Option<i64>| Duration::from_millis(ms.unwrap_or(0).max(0) as u64);
    let mut limits = Limits::default().with_search_moves(search_moves);
    limits.clock = has_clock.then(|| Clocks {
        white: duration(go.wtime),
        black: duration(go.btime),
        winc: duration(go.winc),
        binc: duration(go.binc),
        moves_to_go: go.movestogo,
    });
    limits.move_time = go.movetime.map(|ms| duration(Some(ms)));
    (limits.depth, limits.nodes, limits.mate) = (go.depth, go.nodes, go.mate);
    (limits.infinite, limits.ponder) = (go.infinite, go.ponder);
    (limits, illegal)
}

/// A value for a client: displayed centipawns, or moves to mate. `material` is the material on the board at the
/// search's root.
pub fn score_info(value: Value, bound: Bound, material: MaterialCount) -> ScoreInfo {
    let score = value.mate_in_moves().map_or_else(|| ScoreInfo::cp(shown(value, material)), ScoreInfo::mate);
    score.with_bound(bound)
}

/// Writes the events of a search as messages.
///
/// ```
/// use bartizan_engine::{Engine, Limits, uci::UciWriter};
///
/// let mut engine = Engine::new();
/// let writer = UciWriter::new(engine.game(), engine.options().variant, false);
/// let result = engine.go(Limits::depth(1))?.wait_with(|event| {
///     if let Some(info) = writer.event(event) {
///         println!("{info}");
///     }
/// });
/// println!("{}", writer.best_move(&result));
/// # Ok::<(), bartizan_engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UciWriter {
    /// The material at the root, which determines the scale of score and chances.
    material: MaterialCount,
    /// Whether the game is drawn at the root.
    is_drawn: bool,
    variant: Variant,
    shows_wdl: bool,
}

impl UciWriter {
    /// For searches of the last position of a game. `shows_wdl` adds the chances to win, draw and lose.
    pub fn new(game: &Game, variant: Variant, shows_wdl: bool) -> Self {
        Self {
            material: MaterialCount::of(game.position()),
            is_drawn: matches!(game.outcome(), Some(Outcome::Draw(_))),
            variant,
            shows_wdl,
        }
    }

    /// An event of the search as a message; `None` if UCI has none for it.
    pub fn event(&self, event: &SearchEvent) -> Option<Message> {
        match event {
            SearchEvent::Info(info) => Some(Message::Info(self.info(info))),
            SearchEvent::CurrentMove { depth, mv, number } => {
                let mut message = Info::default();
                message.depth = Some(*depth);
                message.currmove = Some(mv.to_uci(self.variant));
                message.currmovenumber = Some(*number);
                Some(Message::Info(message))
            }
            _ => None,
        }
    }

    /// The answer to `go`.
    pub fn best_move(&self, result: &SearchResult) -> Message {
        Message::BestMove {
            best: result.best.map(|mv| mv.to_uci(self.variant)),
            ponder: result.ponder.map(|mv| mv.to_uci(self.variant)),
        }
    }

    /// A principal variation as a message.
    pub fn info(&self, info: &SearchInfo) -> Info {
        let mut message = Info::default();
        message.depth = Some(info.depth);
        message.seldepth = Some(info.seldepth);
        message.multipv = Some(info.multipv);
        message.score = Some(score_info(info.value, info.bound, self.material));
        let is_draw = (info.is_proven || self.is_drawn) && !info.value.is_decisive();
        message.wdl = self.shows_wdl.then(|| match is_draw {
            true => [0, 1000, 0],
            false => win_draw_loss(info.value, self.material),
        });
        message.nodes = Some(info.nodes);
        message.nps = Some(info.nps());
        message.hashfull = Some(info.hashfull);
        message.tbhits = Some(info.tablebase_hits);
        message.time = Some(info.time.as_millis() as u64);
        message.pv = info.pv.iter().map(|mv| mv.to_uci(self.variant)).collect();
        message
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::Ply;

    #[test]
    fn values_as_scores() {
        assert_eq!(score_info(Value::table_win_in(Ply(4)), Bound::Exact, MaterialCount::MAX), ScoreInfo::cp(19_996));
        let material = MaterialCount::new(40);
        let value = (0..).map(|value| Value(-value)).find(|&value| shown(value, material) == -7).unwrap();
        assert_eq!(score_info(value, Bound::Lower, material), ScoreInfo::cp(-7).with_bound(Bound::Lower));
    }
}
