//! The critical moments: pictures, sentences and lines.

use super::board::{Picture, picture};
use super::data::{GameReport, MoveReport};
use super::text::{self, MoveNumber};
use bartizan_notation::svg::MarkColor;
use maud::{Markup, html};

/// What a move changed for its player, in a sentence; nothing without evaluations.
fn change(game: &GameReport, ply: usize, mv: &MoveReport) -> Option<String> {
    let turn = MoveNumber::of(text::fen_before(game, ply)).turn;
    let side = text::side(turn);
    let of_side = |white: f64| if turn.is_white() { white } else { 100.0 - white };
    let (before, after) = (of_side(text::win_before(game, ply)?), of_side(mv.win?));
    let verb = match (after - before).round() {
        change if change > 0.0 => "rises",
        change if change < 0.0 => "falls",
        _ => return Some(format!("{side}'s expected score stays at {}.", text::percent(Some(after)))),
    };
    let [before, after] = [before, after].map(|score| text::percent(Some(score)));
    Some(format!("{side}'s expected score {verb} from {before} to {after}."))
}

/// A line that the script lets the reader step through.
fn line(title: &str, kind: &str, ply: usize, text: &str) -> Markup {
    html! {
        @if !text.is_empty() {
            p.line { span.line-title { (title) } " " span data-line=(kind) data-of=(ply) { (text) } }
        }
    }
}

fn moment(game: &GameReport, index: usize, number: usize, ply: usize, mv: &MoveReport) -> Markup {
    let fen = text::fen_before(game, ply);
    let turn = MoveNumber::of(fen).turn;
    let label = text::move_label(game, ply);
    let best = mv.best_line.first().filter(|best| best.uci != mv.uci);
    let mut arrows = Vec::new();
    if let Some(best) = best {
        arrows.push((mv.uci.as_str(), MarkColor::Red));
        arrows.push((best.uci.as_str(), MarkColor::Green));
    } else {
        arrows.push((mv.uci.as_str(), MarkColor::Green));
    }
    let title = format!("Before {label}.");
    let board =
        picture(&Picture { fen, bottom: turn, last_move: None, arrows: &arrows, label: &title, is_viewer: false });
    let length = mv.refutation_length.unwrap_or(usize::MAX).min(mv.refutation.len());
    html! {
        article.moment id={ "g" (index + 1) "-m" (ply) } aria-labelledby={ "g" (index + 1) "-m" (ply) "-title" } {
            figure {
                (board)
                figcaption {
                    (text::side(turn)) " to move. "
                    @if let Some(best) = best {
                        "Red arrow: " (mv.san) ", played. Green arrow: " (best.san) ", better."
                    } @else {
                        "Green arrow: " (mv.san) ", played."
                    }
                }
            }
            div {
                h3 id={ "g" (index + 1) "-m" (ply) "-title" } {
                    span.vh { "Moment " (number) ": " }
                    span class={ "c-" (mv.class.key()) } { (label) } " "
                    span class={ "chip c-" (mv.class.key()) } { (mv.class.name()) }
                    @if mv.is_turning_point { span.chip { "turning point" } }
                }
                @if let Some(change) = change(game, ply, mv) { p { (change) } }
                @for reason in &mv.reasons { p { (reason) } }
                @if best.is_some() { (line("Better", "best", ply, &text::line(fen, &mv.best_line))) }
                @if mv.class.is_mistake() {
                    (line("Reply", "refutation", ply, &text::line(&mv.fen, &mv.refutation[..length])))
                }
                p.buttons { span data-try=(ply) {} span data-goto=(ply) {} }
            }
        }
    }
}

/// The critical moments of a game; nothing without any.
pub(super) fn moments(game: &GameReport, index: usize) -> Markup {
    let moves = game.critical.iter().filter_map(|moment| {
        let mv = game.moves.get(moment.ply.checked_sub(1)?)?;
        Some((moment.ply, mv))
    });
    let moves: Vec<_> = moves.collect();
    if moves.is_empty() {
        return html!();
    }
    let id = format!("g{}-moments", index + 1);
    html! {
        section.moments aria-labelledby=(id) {
            header {
                h2 id=(id) { "Critical moments" }
                span data-quiz {}
            }
            @for (number, (ply, mv)) in moves.into_iter().enumerate() { (moment(game, index, number + 1, ply, mv)) }
        }
    }
}
