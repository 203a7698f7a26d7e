//! A game: players, board, moves, graphs, summary, critical moments, text.

use super::board::{Picture, picture};
use super::data::GameReport;
use super::{graph, moments, moves, summary, text};
use bartizan_types::Color;
use maud::{Markup, html};

/// The line with the name of a player.
fn player(game: &GameReport, color: Color) -> Markup {
    let (side, elo) = if color.is_white() { ("white", &game.tags.white_elo) } else { ("black", &game.tags.black_elo) };
    let accuracy = game.accuracy[color].game;
    html! {
        div class={ "player " (side) } {
            span.disc aria-hidden="true" {}
            span.name {
                (text::player(game, color))
                span.vh { ", " (text::side(color)) }
            }
            @if is_known(elo) { span.muted { (elo) } }
            @if let Some(accuracy) = accuracy { span.acc { "Accuracy " (text::percent(Some(accuracy))) } }
        }
    }
}

/// Whether a tag has a value.
fn is_known(tag: &str) -> bool {
    !matches!(tag, "" | "?" | "-")
}

fn head(game: &GameReport, id: &str) -> Markup {
    let tags = &game.tags;
    let date = text::date(&tags.date);
    html! {
        header.game-head {
            h1 id=(id) { (text::players(game)) }
            ul.meta {
                @if is_known(&tags.result) { li.result { span.vh { "Result: " } (tags.result) } }
                @if is_known(&tags.event) { li { (tags.event) } }
                @if is_known(&tags.site) && tags.site != tags.event { li { (tags.site) } }
                @if is_known(&tags.round) { li { "Round " (tags.round) } }
                @if !date.is_empty() { li { (date) } }
                @if is_known(&tags.time_control) { li { "Time control " (tags.time_control) } }
            }
            @if let Some(opening) = &game.opening {
                p.opening-name {
                    strong { (opening.eco) } " " (opening.name)
                    @if let Some(last) = book_end(game) {
                        span.muted { " · in the book until " span.one-line { (last) } }
                    }
                }
            }
        }
    }
}

/// The last move in the opening book.
fn book_end(game: &GameReport) -> Option<String> {
    let last = game.last_book_ply.min(game.moves.len());
    (last > 0).then(|| text::move_label(game, last))
}

/// The position that the page shows at first: before the first critical moment, else the last one.
fn first_picture(game: &GameReport) -> Markup {
    let last = game.moves.len();
    let ply = game.critical.first().map_or(last, |moment| moment.ply.saturating_sub(1).min(last));
    let mv = ply.checked_sub(1).and_then(|index| game.moves.get(index));
    let label = if mv.is_some() { format!("After {}.", text::move_label(game, ply)) } else { String::new() };
    picture(&Picture {
        fen: mv.map_or(&game.start_fen, |mv| &mv.fen),
        bottom: Color::White,
        last_move: mv.map(|mv| (text::fen_before(game, ply), mv.uci.as_str())),
        arrows: &[],
        label: &label,
        is_viewer: true,
    })
}

/// A game, perhaps with a link to the list of all in the same page. The attributes that begin with `data-` are for the
/// script.
pub(super) fn game(game: &GameReport, index: usize, has_index: bool) -> Markup {
    let id = format!("g{}", index + 1);
    let title = format!("{id}-title");
    let (score, time) = (graph::score(game), graph::time(game));
    html! {
        article.game id=(id) data-game=(index) aria-labelledby=(title) {
            @if has_index { p.page-nav { a href="#index" { "All games" } } }
            (head(game, &title))
            div.play {
                div.board-column {
                    (player(game, Color::Black))
                    div.board-row {
                        div.eval-bar data-eval-bar aria-hidden="true" {}
                        (first_picture(game))
                    }
                    (player(game, Color::White))
                    div.controls data-controls role="group" aria-label="Navigation" {}
                }
                div.side {
                    div.card data-card {}
                    (moves::moves(game))
                }
            }
            div.overview {
                @if !score.0.is_empty() || !time.0.is_empty() {
                    section.panel.graphs aria-label="Graphs" { (score) (time) }
                }
                section.panel aria-label="Summary" { (summary::summary(game)) }
            }
            (moments::moments(game, index))
            @if !game.pgn.is_empty() {
                section.panel aria-label="PGN" {
                    details {
                        summary { "PGN" }
                        pre tabindex="0" { (game.pgn) }
                    }
                    p.buttons data-copy-pgn {}
                }
            }
        }
    }
}
