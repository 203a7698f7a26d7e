//! The table of the moves.

use super::data::{GameReport, MoveReport};
use super::text::{self, MoveNumber};
use bartizan_types::Color;
use maud::{Markup, html};

/// The moves of one move number.
struct Row {
    number: u32,
    /// The plies of White and Black, from 1.
    plies: [Option<usize>; 2],
}

fn rows(game: &GameReport) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut number = MoveNumber::of(&game.start_fen);
    for ply in 1..=game.moves.len() {
        match (number.turn, rows.last_mut()) {
            (Color::Black, Some(row)) => row.plies[1] = Some(ply),
            (Color::White, _) => rows.push(Row { number: number.number, plies: [Some(ply), None] }),
            (Color::Black, None) => rows.push(Row { number: number.number, plies: [None, Some(ply)] }),
        }
        number = number.next();
    }
    rows
}

fn cell(game: &GameReport, ply: Option<usize>) -> Markup {
    let Some((ply, mv)) = ply.and_then(|ply| Some((ply, game.moves.get(ply - 1)?))) else {
        return html! { td { span.vh { "none" } } };
    };
    html! {
        td.move data-ply=(ply) {
            @if let Some(eval) = mv.eval { span.eval { (text::eval(eval)) } " " }
            span class={ "san c-" (mv.class.key()) } { (mv.san) (mv.class.glyph()) }
            @if mv.class.is_mistake() {
                " " span class={ "judged c-" (mv.class.key()) } { (mv.class.name()) }
            } @else {
                span.vh { ", " (mv.name()) }
            }
        }
    }
}

/// The sentences about a move, and what was better.
fn comment(game: &GameReport, ply: usize, mv: &MoveReport) -> Markup {
    if mv.reasons.is_empty() && !mv.class.is_mistake() {
        return html!();
    }
    let is_other = mv.best_line.first().is_some_and(|best| best.uci != mv.uci);
    html! {
        tr.comment {
            td colspan="3" {
                strong { (text::move_label(game, ply)) }
                @for reason in &mv.reasons { " " (reason) }
                @if mv.class.is_mistake() && is_other {
                    " Better: " (text::line(text::fen_before(game, ply), &mv.best_line)) "."
                }
            }
        }
    }
}

/// The table of the moves of a game. Its cells have `data-ply` for the script.
pub(super) fn moves(game: &GameReport) -> Markup {
    html! {
        div.move-list data-moves role="region" aria-label="Moves" tabindex="0" {
            table {
                caption { "Moves" }
                thead {
                    tr {
                        th scope="col" { span.vh { "Number" } }
                        th scope="col" { "White" }
                        th scope="col" { "Black" }
                    }
                }
                tbody {
                    @for row in rows(game) {
                        tr {
                            th scope="row" { (row.number) "." }
                            @for ply in row.plies { (cell(game, ply)) }
                        }
                        @for ply in row.plies.into_iter().flatten() {
                            @if let Some(mv) = game.moves.get(ply - 1) { (comment(game, ply, mv)) }
                        }
                    }
                }
            }
        }
    }
}
