//! Graphs: the expected score and the time of every move. A ply is one unit wide, so that the script finds moves.

use super::data::GameReport;
use super::text;
use crate::MoveClass;
use bartizan_types::Color;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The classes that have marks, from the smallest.
const MARKED: [MoveClass; 4] = [MoveClass::Inaccuracy, MoveClass::Mistake, MoveClass::Blunder, MoveClass::MissedWin];

/// A dot whose size does not depend on that of the picture.
fn mark(x: f64, y: f64, class: MoveClass, title: &str) -> Markup {
    html! {
        path class={ "g-mark c-" (class.key()) } d={ "M" (x) " " (y) "h0" } vector-effect="non-scaling-stroke" {
            @if !title.is_empty() { title { (title) } }
        }
    }
}

/// White's expected score at the start and after every move; that before where it is unknown.
fn scores(game: &GameReport) -> Vec<f64> {
    let mut score = game.start_win.unwrap_or(50.0);
    let after = game.moves.iter().map(|mv| {
        score = mv.win.unwrap_or(score).clamp(0.0, 100.0);
        score
    });
    std::iter::once(game.start_win.unwrap_or(50.0)).chain(after).collect()
}

/// What the graph of the score says, in a sentence.
fn in_words(game: &GameReport, scores: &[f64]) -> String {
    let last = scores.last().copied();
    let mut words = format!(
        "White's expected score begins at {} and ends at {}.",
        text::percent(scores.first().copied()),
        text::percent(last)
    );
    for (index, mv) in game.moves.iter().enumerate() {
        if matches!(mv.class, MoveClass::Mistake | MoveClass::Blunder | MoveClass::MissedWin) {
            // Writing to a string cannot fail.
            let _ = write!(
                words,
                " {}, {}, {}.",
                text::move_label(game, index + 1),
                mv.class.name(),
                text::percent(mv.win)
            );
        }
    }
    words
}

/// The graph of the expected score, with the mistakes; nothing for a game without moves or evaluations.
pub(super) fn score(game: &GameReport) -> Markup {
    if !game.moves.iter().any(|mv| mv.win.is_some()) {
        return html!();
    }
    let (plies, scores) = (game.moves.len(), scores(game));
    let mut area = String::from("M0 100");
    for (ply, score) in scores.iter().enumerate() {
        let _ = write!(area, "L{ply} {:.1}", 100.0 - score);
    }
    let _ = write!(area, "L{plies} 100Z");
    let phases: Vec<usize> = (1..plies).filter(|&ply| game.moves[ply].phase != game.moves[ply - 1].phase).collect();
    let present = |class| game.moves.iter().any(|mv| mv.class == class);
    html! {
        h2 { "Expected score" }
        p.muted { "In percent of the points for White: the higher, the better for White." }
        div.graph data-graph {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (plies) " 100" } preserveAspectRatio="none"
                role="img" aria-label=(in_words(game, &scores)) {
                rect.g-black width=(plies) height="100" {}
                path.g-white d=(area) {}
                path.g-half d={ "M0 50H" (plies) } vector-effect="non-scaling-stroke" {}
                @for ply in phases {
                    path.g-phase d={ "M" (ply) " 0V100" } vector-effect="non-scaling-stroke" {}
                }
                @for (index, mv) in game.moves.iter().enumerate() {
                    @if mv.class.is_mistake() {
                        (mark((index + 1) as f64, (100.0 - scores[index + 1]).clamp(4.0, 96.0).round(), mv.class,
                            &format!(
                                "{}, {}: {}",
                                text::move_label(game, index + 1),
                                mv.class.name(),
                                text::percent(mv.win),
                            )))
                    }
                }
            }
        }
        (axis(game))
        ul.legend {
            @for class in MARKED.into_iter().filter(|&class| present(class)) {
                li {
                    svg viewBox="0 0 16 16" aria-hidden="true" { (mark(8.0, 8.0, class, "")) }
                    (class.name())
                }
            }
        }
    }
}

/// The first and the last move below a graph.
fn axis(game: &GameReport) -> Markup {
    html! {
        p.graph-axis { span { (text::move_label(game, 1)) } span { (text::move_label(game, game.moves.len())) } }
    }
}

/// The graph of the time spent; nothing for a game without clock times.
pub(super) fn time(game: &GameReport) -> Markup {
    let longest = game.moves.iter().filter_map(|mv| mv.spent).fold(0.0, f64::max);
    if longest <= 0.0 {
        return html!();
    }
    let plies = game.moves.len();
    let mut bars = String::new();
    let mut longest_move = 1;
    for (index, mv) in game.moves.iter().enumerate() {
        let Some(spent) = mv.spent.filter(|&spent| spent > 0.0) else { continue };
        if spent >= longest {
            longest_move = index + 1;
        }
        let color = text::MoveNumber::of(text::fen_before(game, index + 1)).turn;
        let (size, name) = (48.0 * spent / longest, if color.is_white() { "white" } else { "black" });
        let top = if color.is_white() { 50.0 - size } else { 50.0 };
        let title = html! { (text::move_label(game, index + 1)) ": " (text::seconds(spent)) };
        let _ =
            write!(bars, r#"<rect class="g-time-{name}" x="{index}.1" y="{top:.1}" width="0.8" height="{size:.1}""#);
        let _ = write!(bars, r#" vector-effect="non-scaling-stroke"><title>{}</title></rect>"#, title.into_string());
    }
    let total = |color: Color| -> f64 {
        let moves = game.moves.iter().enumerate();
        let own = moves.filter(|(index, _)| text::MoveNumber::of(text::fen_before(game, index + 1)).turn == color);
        own.filter_map(|(_, mv)| mv.spent).sum()
    };
    let totals = Color::ALL.map(|color| format!("{} {}", text::side(color), text::seconds(total(color))));
    let label = format!(
        "Time spent: {} (up), {} (down). Longest: {}, {}.",
        totals[0],
        totals[1],
        text::move_label(game, longest_move),
        text::seconds(longest)
    );
    html! {
        h2 { "Time" }
        div.graph.times data-graph {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (plies) " 100" } preserveAspectRatio="none"
                role="img" aria-label=(label) {
                path.g-half d={ "M0 50H" (plies) } vector-effect="non-scaling-stroke" {}
                (PreEscaped(bars))
            }
        }
        p.muted { (label) }
    }
}
