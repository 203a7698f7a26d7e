//! The board as shown to a player: coloured squares and symbols, or letters.

use super::TerminalStyle;
use bartizan_position::Position;
use bartizan_types::{Color, File, Move, Piece, Rank, Square};
use std::fmt::Write;

/// Backgrounds of the 256-colour palette: light squares, dark squares, and both as squares of the last move.
const LIGHT: u8 = 180;
const DARK: u8 = 137;
const LIGHT_MOVED: u8 = 186;
const DARK_MOVED: u8 = 143;
/// Foregrounds: white and black pieces.
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

/// How to draw a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The side at the bottom.
    pub(crate) bottom: Color,
    /// The move to highlight.
    pub(crate) last_move: Option<Move>,
    pub(crate) style: TerminalStyle,
}

/// Draws a board with rank and file labels.
pub(crate) fn draw(position: &Position, view: View) -> String {
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    if view.bottom.is_white() {
        ranks.reverse();
    } else {
        files.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        let _ = write!(text, " {rank} ");
        for file in files {
            let square = Square::new(file, rank);
            text += &draw_square(square, position.piece_at(square), view);
        }
        text.push('\n');
    }
    text += "   ";
    for file in files {
        let _ = write!(text, " {file} ");
    }
    text
}

fn draw_square(square: Square, piece: Option<Piece>, view: View) -> String {
    let is_moved = view.last_move.is_some_and(|mv| square == mv.from() || square == mv.destination());
    let symbol = |piece: Piece| match (view.style.figurines, view.style.colors) {
        // With colours, both sides use the filled symbols: the outlined ones are hard to see.
        (true, true) => Piece::new(piece.piece_type(), Color::Black).to_figurine(),
        (true, false) => piece.to_figurine(),
        (false, _) => piece.to_char(),
    };
    if view.style.colors {
        let background = match (square.is_light(), is_moved) {
            (true, false) => LIGHT,
            (false, false) => DARK,
            (true, true) => LIGHT_MOVED,
            (false, true) => DARK_MOVED,
        };
        let is_white = piece.is_some_and(|piece| piece.color().is_white());
        let foreground = if is_white { WHITE_PIECE } else { BLACK_PIECE };
        let symbol = piece.map_or(' ', symbol);
        return format!("\x1b[48;5;{background};38;5;{foreground}m {symbol} \x1b[0m");
    }
    let symbol = piece.map_or('.', symbol);
    if is_moved { format!("[{symbol}]") } else { format!(" {symbol} ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(bottom: Color, style: TerminalStyle) -> View {
        View { bottom, last_move: None, style }
    }

    #[test]
    fn letters_mark_the_last_move_with_brackets() {
        let start = Position::startpos();
        let mv = start.parse_uci("e2e4").unwrap();
        let position = start.play(mv).unwrap();
        let view = View { last_move: Some(mv), ..view(Color::White, TerminalStyle::PLAIN) };
        let text = draw(&position, view);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  .  .  . [P] .  .  . ");
        assert_eq!(lines[6], " 2  P  P  P  P [.] P  P  P ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
    }

    #[test]
    fn black_may_sit_at_the_bottom() {
        let text = draw(&Position::startpos(), view(Color::Black, TerminalStyle::PLAIN));
        assert!(text.starts_with(" 1  R  N  B  K  Q  B  N  R "), "{text}");
        assert!(text.ends_with(" h  g  f  e  d  c  b  a "), "{text}");
    }

    #[test]
    fn symbols_and_colours_follow_the_style() {
        let draw = |colors, figurines| {
            let style = TerminalStyle { colors, figurines, ..TerminalStyle::PLAIN };
            draw(&Position::startpos(), view(Color::White, style))
        };
        assert!(draw(false, true).contains('♔') && !draw(false, true).contains('\x1b'));
        assert!(!draw(true, true).contains('♔') && draw(true, true).contains('♚'));
        assert!(draw(true, false).is_ascii() && draw(true, false).contains("\x1b[48;5;"));
    }
}
