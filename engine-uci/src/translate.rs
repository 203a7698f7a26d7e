//! Converts between the engine's data and the protocol's messages.

use bartizan_engine::{Clocks, Limits, MaterialCount, SearchEvent, SearchInfo, SearchResult, win_draw_loss};
use bartizan_frontend::{Config, options, score_info};
use bartizan_position::{Game, Outcome, Position};
use bartizan_protocol::uci::{GoParams, Info, Message, OptionDecl};
use bartizan_types::UciMove;
use std::time::Duration;

/// All options, as UCI declares them, with their values in `defaults`.
pub(crate) fn option_declarations(defaults: &Config) -> impl Iterator<Item = Message> {
    options::of_uci().map(|row| Message::Option(OptionDecl { name: row.name().to_owned(), kind: row.kind(defaults) }))
}

/// The limits of a `go`, and its illegal `searchmoves`.
pub(crate) fn limits(go: &GoParams, position: &Position) -> (Limits, Vec<UciMove>) {
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

/// The root of a search, which determines the scale of score and chances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// The material on the board.
    material: MaterialCount,
    /// Whether the game is drawn there.
    is_drawn: bool,
}

impl Root {
    /// The last position of a game.
    pub(crate) fn of(game: &Game) -> Self {
        Self {
            material: MaterialCount::of(game.position()),
            is_drawn: matches!(game.outcome(), Some(Outcome::Draw(_))),
        }
    }
}

/// An event of the search as a message; `None` if UCI has none for it.
pub(crate) fn event(event: &SearchEvent, config: &Config, root: Root) -> Option<Message> {
    match event {
        SearchEvent::Info(info) => Some(Message::Info(self::info(info, config, root))),
        SearchEvent::CurrentMove { depth, mv, number } => {
            let mut message = Info::default();
            message.depth = Some(*depth);
            message.currmove = Some(mv.to_uci(config.engine.variant));
            message.currmovenumber = Some(*number);
            Some(Message::Info(message))
        }
        _ => None,
    }
}

/// The answer to `go`.
pub(crate) fn best_move(result: &SearchResult, config: &Config) -> Message {
    let variant = config.engine.variant;
    Message::BestMove {
        best: result.best.map(|mv| mv.to_uci(variant)),
        ponder: result.ponder.map(|mv| mv.to_uci(variant)),
    }
}

fn info(info: &SearchInfo, config: &Config, root: Root) -> Info {
    let mut message = Info::default();
    message.depth = Some(info.depth);
    message.seldepth = Some(info.seldepth);
    message.multipv = Some(info.multipv);
    message.score = Some(score_info(info.value, info.bound, root.material));
    let is_draw = (info.is_proven || root.is_drawn) && !info.value.is_decisive();
    message.wdl = config.show_wdl.then(|| match is_draw {
        true => [0, 1000, 0],
        false => win_draw_loss(info.value, root.material),
    });
    message.nodes = Some(info.nodes);
    message.nps = Some(info.nps());
    message.hashfull = Some(info.hashfull);
    message.tbhits = Some(info.tablebase_hits);
    message.time = Some(info.time.as_millis() as u64);
    message.pv = info.pv.iter().map(|mv| mv.to_uci(config.engine.variant)).collect();
    message
}
