//! Between the engine's data and the protocol's messages.

use bartizan_engine::{
    Clock, Engine, Limits, Material, OptionKind as EngineOption, Options, SearchEvent, SearchInfo, shown, win_draw_loss,
};
use bartizan_position::Position;
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{GoParams, Info, Message, OptionDecl, ScoreBound, ScoreInfo, same_option_name};
use bartizan_types::{Bound, Color, Move, UciMove, Value};
use std::time::Duration;

/// The name of the option that this front end keeps to itself.
pub(crate) const LOG_FILE: &str = "Debug Log File";

/// Whether an option is the log file.
pub(crate) fn is_log_file(name: &str) -> bool {
    same_option_name(name, LOG_FILE)
}

/// All options as UCI declares them.
pub(crate) fn option_declarations() -> impl Iterator<Item = Message> {
    let log = OptionDecl { name: LOG_FILE.to_owned(), kind: OptionKind::File { default: String::new() } };
    let specs = Engine::option_specs().iter().map(|spec| {
        let kind = match spec.kind {
            EngineOption::Check { default } => OptionKind::Check { default },
            EngineOption::Spin { default, min, max } => OptionKind::Spin { default, min, max },
            EngineOption::Button => OptionKind::Button,
            EngineOption::File => OptionKind::File { default: String::new() },
        };
        OptionDecl { name: spec.name.to_owned(), kind }
    });
    std::iter::once(log).chain(specs).map(Message::Option)
}

/// The limits that a `go` asks for, and the `searchmoves` that are not legal.
pub(crate) fn limits(go: &GoParams, position: &Position) -> (Limits, Vec<UciMove>) {
    let (mut search_moves, mut illegal) = (Vec::new(), Vec::new());
    for &text in &go.searchmoves {
        match position.resolve_uci(text) {
            Ok(mv) => search_moves.push(mv),
            Err(_) => illegal.push(text),
        }
    }
    let (time, increment) = match position.turn() {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    // A clock that is overdrawn or not told is an empty one: there is a game, and the move must come quickly.
    let has_clock = [go.wtime, go.btime, go.winc, go.binc].iter().any(Option::is_some);
    let duration = |ms: Option<i64>| Duration::from_millis(ms.unwrap_or(0).max(0) as u64);
    let mut limits = Limits::default().with_search_moves(search_moves);
    limits.clock = has_clock.then(|| Clock {
        remaining: duration(time),
        increment: duration(increment),
        moves_to_go: go.movestogo,
    });
    limits.move_time = go.movetime.map(|ms| duration(Some(ms)));
    (limits.depth, limits.nodes, limits.mate) = (go.depth, go.nodes, go.mate);
    (limits.infinite, limits.ponder) = (go.infinite, go.ponder);
    (limits, illegal)
}

/// An event of the search as a message; `None` for what UCI has no words for. `material` is what is on the board of the
/// search's root: both score and chances depend on it.
pub(crate) fn event(event: SearchEvent, options: &Options, material: Material) -> Option<Message> {
    let uci = |mv: Move| mv.uci(options.chess960);
    Some(match event {
        SearchEvent::Info(info) => Message::Info(self::info(&info, options, material)),
        SearchEvent::CurrentMove { depth, mv, number } => Message::Info(Info {
            depth: Some(depth),
            currmove: Some(uci(mv)),
            currmovenumber: Some(number),
            ..Info::default()
        }),
        SearchEvent::Finished(result) => {
            Message::BestMove { best: result.best.map(uci), ponder: result.ponder.map(uci) }
        }
        // These are for the log file.
        _ => return None,
    })
}

fn info(info: &SearchInfo, options: &Options, material: Material) -> Info {
    Info {
        depth: Some(info.depth),
        seldepth: Some(info.seldepth),
        multipv: Some(info.multipv),
        score: Some(score(info.value, info.bound, material)),
        wdl: options.show_wdl.then(|| win_draw_loss(info.value, material)),
        nodes: Some(info.nodes),
        nps: Some(info.nps()),
        hashfull: Some(info.hashfull),
        tbhits: Some(info.tablebase_hits),
        time: Some(info.time.as_millis() as u64),
        pv: info.pv.iter().map(|mv| mv.uci(options.chess960)).collect(),
        ..Info::default()
    }
}

fn score(value: Value, bound: Bound, material: Material) -> ScoreInfo {
    let score = value.mate_in_moves().map_or_else(|| ScoreInfo::cp(shown(value, material)), ScoreInfo::mate);
    match bound {
        Bound::Exact => score,
        Bound::Lower => score.with_bound(ScoreBound::Lower),
        Bound::Upper => score.with_bound(ScoreBound::Upper),
    }
}
