//! The trace of a search as text, for `bartizan-xboard -t` and the log file.

use crate::score::score_text;
use bartizan_engine::{Limits, MaterialCount, SearchEvent, SearchInfo, SearchResult};
use bartizan_position::Position;
use bartizan_types::{Bound, Move, Variant};
use std::time::Duration;

/// Describes the start of a search: its limits and its position.
pub fn entered(limits: &Limits, position: &Position) -> String {
    let mut parts = Vec::new();
    if limits.ponder {
        parts.push("pondering".to_owned());
    }
    if let Some(clocks) = &limits.clock {
        let clock = clocks.of(position.turn());
        let to_go = clock.moves_to_go.map(|moves| format!(" for {moves} moves")).unwrap_or_default();
        parts.push(format!("clock {}{to_go} + {}", seconds(clock.remaining), seconds(clock.increment)));
    }
    parts.extend(limits.move_time.map(|time| format!("{} for the move", seconds(time))));
    parts.extend(limits.node_rate.map(|rate| format!("a second is {rate} nodes")));
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.nodes.map(|nodes| format!("{nodes} nodes")));
    parts.extend(limits.mate.map(|moves| format!("mate in {moves}")));
    if limits.infinite {
        parts.push("until stopped".to_owned());
    }
    if !limits.search_moves.is_empty() {
        parts.push(format!("{} of the moves", limits.search_moves.len()));
    }
    if parts.is_empty() {
        parts.push("no limit".to_owned());
    }
    format!("search entered: {}; {}", parts.join(", "), position.to_fen())
}

/// Describes an event of a search; `None` for events that are not traced. `material` is the material on the board at
/// the search's root.
///
/// Scores are in displayed centipawns, but the score change that time management sees is in internal centipawns.
pub fn event(event: &SearchEvent, variant: Variant, material: MaterialCount) -> Option<String> {
    Some(match event {
        SearchEvent::Planned { soft: None, hard: None } => return None,
        SearchEvent::Planned { soft, hard } => {
            let part = |word: &str, time: &Option<Duration>| time.map(|time| format!("{word} {}", seconds(time)));
            let parts: Vec<String> = [part("target", soft), part("at most", hard)].into_iter().flatten().collect();
            format!("time: {}", parts.join(", "))
        }
        SearchEvent::Weighed { depth, single_reply: true, .. } => {
            format!("time: depth {depth}: the only move, no more time is needed")
        }
        SearchEvent::Weighed { depth, easy: true, factor, .. } => {
            format!("time: depth {depth}: target cut to x{:.2}: the move is easy", f64::from(*factor) / 1000.0)
        }
        SearchEvent::Weighed { depth, stability, best_share, fall, factor, .. } => {
            weighed(*depth, *stability, *best_share, *fall, *factor)
        }
        SearchEvent::Info(info) => iteration(info, variant, material),
        SearchEvent::Finished(result) => left(result, variant, material),
        _ => return None,
    })
}

fn weighed(depth: u32, stability: u32, best_share: u16, fall: i32, factor: u32) -> String {
    let word = if factor > 1_000 { "extended" } else { "cut" };
    let stable = match stability {
        0 => "the best move is new".to_owned(),
        1 => "the best move has held once".to_owned(),
        times => format!("the best move has held {times} times"),
    };
    let trend = match fall {
        0 => "the score holds".to_owned(),
        fall if fall > 0 => format!("the score fell by {fall}"),
        rise => format!("the score rose by {}", -rise),
    };
    let share = best_share / 10;
    let factor = f64::from(factor) / 1000.0;
    format!("time: depth {depth}: target {word} to x{factor:.2}: {stable}, {share}% of the nodes are its, {trend}")
}

fn iteration(info: &SearchInfo, variant: Variant, material: MaterialCount) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " or more",
        Bound::Upper => " or less",
    };
    let line = if info.multipv > 1 { format!(" line {}", info.multipv) } else { String::new() };
    let (time, pv) = (seconds(info.time), moves(&info.pv, variant));
    let (depth, seldepth, score, nodes) = (info.depth, info.seldepth, score_text(info.value, material), info.nodes);
    format!("iteration {depth}/{seldepth}{line}: {score}{bound}, {time}, {nodes} nodes: {pv}")
}

fn left(result: &SearchResult, variant: Variant, material: MaterialCount) -> String {
    let best = result.best.map_or("no move".to_owned(), |mv| mv.to_uci(variant).to_string());
    let reply = result.ponder.map(|mv| format!(", expects {}", mv.to_uci(variant))).unwrap_or_default();
    let (depth, score, time, nodes) =
        (result.depth, score_text(result.value, material), seconds(result.time), result.nodes);
    format!("search left: {best}{reply}, depth {depth}, {score}, {time}, {nodes} nodes")
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn moves(moves: &[Move], variant: Variant) -> String {
    moves.iter().map(|mv| mv.to_uci(variant).to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_described() {
        let weighed = SearchEvent::Weighed {
            depth: 9,
            single_reply: false,
            easy: false,
            stability: 0,
            best_share: 413,
            fall: 32,
            factor: 1_873,
        };
        let expected = "time: depth 9: target extended to x1.87: the best move is new, 41% of the nodes are its, \
            the score fell by 32";
        assert_eq!(event(&weighed, Variant::Standard, MaterialCount::MAX).unwrap(), expected);
        let limits = Limits::depth(3).pondering();
        let text = entered(&limits, &Position::startpos());
        assert!(text.starts_with("search entered: pondering, depth 3; rnbqkbnr/"), "{text}");
    }
}
