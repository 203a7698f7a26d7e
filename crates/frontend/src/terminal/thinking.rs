//! Search output as a table for users.

use super::TerminalStyle;
use crate::score::{san_line, score_text};
use bartizan_engine::{MaterialCount, SearchInfo, SearchResult};
use bartizan_notation::san::San;
use bartizan_position::Position;
use bartizan_types::Bound;

/// The maximum length of a line of moves; it is cut off at a move.
const LINE: usize = 60;

/// The head of the table.
pub fn thinking_heading(style: TerminalStyle) -> String {
    style.paint("1", &format!("{:>6}  {:>9}  {:>8}  {:>12}  {:>7}  line", "depth", "score", "time", "nodes", "nodes/s"))
}

/// A row of the table; scores are from White's view. `root` is the position of the search.
pub fn thinking_row(info: &SearchInfo, root: &Position, style: TerminalStyle) -> String {
    let white = if root.turn().is_white() { info.value } else { -info.value };
    // A bound on Black's score is the opposite bound on White's.
    let mark = match (info.bound, root.turn().is_white()) {
        (Bound::Exact, _) => "",
        (Bound::Lower, true) | (Bound::Upper, false) => ">=",
        (Bound::Upper, true) | (Bound::Lower, false) => "<=",
    };
    // Moves to mate are counted for the side to move: from the other side's view it is one ply less or more.
    let score = match info.value.mate_in_moves() {
        Some(moves) => format!("{mark}#{}", if root.turn().is_white() { moves } else { -moves }),
        None => format!("{mark}{}", score_text(white, MaterialCount::of(root))),
    };
    let color = if white.0 >= 0 { "32" } else { "31" };
    let score = style.paint(color, &format!("{score:>9}"));
    let depth = format!("{}/{}", info.depth, info.seldepth);
    let time = format!("{:.2} s", info.time.as_secs_f64());
    let (nodes, speed) = (grouped(info.nodes), short(info.nps()));
    let line = cut(&san_line(root, &info.pv));
    format!("{depth:>6}  {score}  {time:>8}  {nodes:>12}  {speed:>7}  {line}")
}

/// The line below the table: the move, in algebraic notation.
pub fn thinking_result(result: &SearchResult, root: &Position) -> String {
    let Some(best) = result.best else { return "There is no legal move.".to_owned() };
    let san = San::new(root, best);
    let reply = result.ponder.and_then(|reply| {
        let next = root.play(best).ok()?;
        next.is_legal(reply).then(|| format!(", expected reply {}", San::new(&next, reply)))
    });
    format!("Best move: {san}{}", reply.unwrap_or_default())
}

/// A number with separators: `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A speed in three digits: `850`, `85k`, `1.25M`.
fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => format!("{}k", number / 1_000),
        _ => format!("{:.2}M", number as f64 / 1e6),
    }
}

fn cut(line: &str) -> String {
    if line.len() <= LINE {
        return line.to_owned();
    }
    // Moves are ASCII, so every byte begins a character.
    let end = line[..LINE].rfind(' ').unwrap_or(LINE);
    format!("{} ...", &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_engine::{Engine, Limits, SearchEvent};

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!([grouped(7), grouped(1_234), grouped(12_345_678)], ["7", "1,234", "12,345,678"]);
        assert_eq!([short(850), short(85_999), short(1_250_000)], ["850", "85k", "1.25M"]);
    }

    #[test]
    fn long_lines_end_at_a_move() {
        let line = "Nf3 ".repeat(40);
        let short = cut(line.trim_end());
        assert!(short.len() <= LINE + 4 && short.ends_with("Nf3 ..."), "{short}");
    }

    #[test]
    fn scores_are_from_whites_view() {
        let mut engine = Engine::new();
        engine.set_position("6k1/8/8/8/8/1r6/r7/7K b - - 0 1", &[]).unwrap();
        let root = engine.position().clone();
        let mut rows = Vec::new();
        let result = engine.go(Limits::depth(3)).unwrap().wait_with(|event| {
            if let SearchEvent::Info(info) = event {
                rows.push(thinking_row(info, &root, TerminalStyle::PLAIN));
            }
        });
        assert!(rows.last().is_some_and(|row| row.contains("  #-1  ") && row.ends_with("  Rb1#")), "{rows:?}");
        assert_eq!(thinking_result(&result, &root), "Best move: Rb1#");
        let over = root.play(result.best.unwrap()).unwrap();
        assert_eq!(thinking_result(&SearchResult::default(), &over), "There is no legal move.");
    }
}
