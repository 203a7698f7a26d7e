//! Pictures of boards.

use super::document::{CLASSES, PIECES};
use super::text;
use bartizan_notation::svg::{Arrow, BoardPicture, MarkColor, Theme};
use bartizan_position::Position;
use bartizan_types::Color;
use maud::{Markup, PreEscaped, html};

/// What a picture shows.
pub(super) struct Picture<'a> {
    pub(super) fen: &'a str,
    /// The side at the bottom.
    pub(super) bottom: Color,
    /// The position before the position shown, and the move between them in coordinate notation.
    pub(super) last_move: Option<(&'a str, &'a str)>,
    /// Moves as arrows.
    pub(super) arrows: &'a [(&'a str, MarkColor)],
    /// What it is, in words, before the description of the position.
    pub(super) label: &'a str,
    /// Whether the script may replace it by a board.
    pub(super) is_viewer: bool,
}

/// A picture with a description for those who do not see it; nothing if the FEN is not one of a legal position.
pub(super) fn picture(picture: &Picture<'_>) -> Markup {
    let Ok(position) = Position::from_fen(picture.fen) else { return html!() };
    let mut board =
        BoardPicture::new(&position).seen_by(picture.bottom).theme(Theme::BLUE).classes(CLASSES).symbols(PIECES);
    let parse = |fen: &str, uci: &str| Position::from_fen(fen).ok()?.parse_uci(uci).ok();
    board = board.last_move(picture.last_move.and_then(|(fen, uci)| parse(fen, uci)));
    for &(uci, color) in picture.arrows {
        if let Some(mv) = parse(picture.fen, uci) {
            board = board.arrow(Arrow { from: mv.from(), to: mv.destination(), color });
        }
    }
    let turn = text::side(position.turn());
    let label = format!("{} {turn} to move. {}", picture.label, text::describe(&position));
    html! {
        div.board data-board[picture.is_viewer] role="img" aria-label=(label.trim()) {
            (PreEscaped(board.to_string()))
        }
    }
}
