//! What the rules say of a position, which every answer begins with.

use super::games::Record;
use bartizan_notation::san::{SanExt as _, numbered};
use bartizan_position::{Game, Position};
use bartizan_types::{Color, Move};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// The current position of a game, as the rules have it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Facts {
    /// Handle of the game.
    pub(crate) game: String,
    /// Position as FEN.
    pub(crate) fen: String,
    /// Board in letters, White at the bottom: capital letters are White's pieces.
    pub(crate) board: String,
    /// White's pieces and their squares, such as `Ke1`; pawns are squares alone.
    pub(crate) white: Vec<String>,
    /// Black's pieces and their squares.
    pub(crate) black: Vec<String>,
    /// Side to move: `white` or `black`.
    pub(crate) turn: String,
    /// Number of the move.
    pub(crate) move_number: u16,
    /// Moves of the game so far, with their numbers.
    pub(crate) moves: String,
    /// Last move in algebraic notation.
    pub(crate) last_move: Option<String>,
    /// Whether the side to move is in check.
    pub(crate) check: bool,
    /// Number of legal moves.
    pub(crate) legal_moves: usize,
    /// `ongoing`, or how the game has ended.
    pub(crate) status: String,
    /// Draw that the side to move may claim.
    pub(crate) claimable_draw: Option<String>,
}

/// The name of a side.
pub(crate) fn side(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// The number of a move, and the move: `12. Nf3` or `12... Nf6`.
pub(crate) fn san(position: &Position, moves: &[Move]) -> String {
    // The moves come from a game or a search, so they are legal.
    numbered(position, moves).unwrap_or_default()
}

/// The last move of a game with its number.
pub(crate) fn last_move(game: &Game) -> Option<String> {
    let mv = game.last_move()?;
    let before = game.positions().rev().nth(1)?;
    Some(san(before, &[mv]))
}

impl Facts {
    pub(crate) fn new(handle: &str, record: &Record) -> Self {
        let game = &record.game;
        let position = game.position();
        let moves: Vec<Move> = game.moves().collect();
        Self {
            game: handle.to_owned(),
            fen: position.to_fen(),
            board: position.diagram().to_string(),
            white: pieces(position, Color::White),
            black: pieces(position, Color::Black),
            turn: side(position.turn()).to_lowercase(),
            move_number: position.fullmove_number(),
            moves: san(game.start(), &moves),
            last_move: last_move(game),
            check: position.in_check(),
            legal_moves: position.legal_moves().len(),
            status: game.outcome().map_or_else(|| "ongoing".to_owned(), |outcome| outcome.to_string()),
            claimable_draw: game.claimable_draw().map(|draw| draw.to_string()),
        }
    }

    /// The facts in words, with the board.
    pub(crate) fn words(&self) -> String {
        let Self { game, fen, board, turn, last_move, check, legal_moves, status, claimable_draw, .. } = self;
        let mut words = format!("Game {game}");
        if let Some(mv) = last_move {
            words += &format!(" after {mv}");
        }
        if status == "ongoing" {
            let check = if *check { "in check" } else { "not in check" };
            let plural = if *legal_moves == 1 { "" } else { "s" };
            words += &format!(": {turn} to move, {check}, {legal_moves} legal move{plural}.");
        } else {
            words += &format!(": the game is over, {status}.");
        }
        if let Some(draw) = claimable_draw {
            words += &format!(" A draw can be claimed: {draw}.");
        }
        format!("{words}\n{}\nFEN: {fen}", board.trim_end())
    }
}

/// The pieces of a side, kings first.
fn pieces(position: &Position, color: Color) -> Vec<String> {
    let order = |text: &String| "KQRBN".find(|letter| text.starts_with(letter)).unwrap_or(9);
    let own = position.placement().filter(|(_, piece)| piece.color() == color);
    let mut pieces: Vec<String> = own
        .map(|(square, piece)| {
            let letter = piece.piece_type().to_char().to_ascii_uppercase();
            if letter == 'P' { square.to_string() } else { format!("{letter}{square}") }
        })
        .collect();
    pieces.sort_by_key(|text| (order(text), text.clone()));
    pieces
}

/// A legal move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LegalMove {
    /// Algebraic notation, such as `Nxf3+`.
    pub(crate) san: String,
    /// Coordinate notation, such as `g1f3`.
    pub(crate) uci: String,
    /// Whether it captures.
    pub(crate) capture: bool,
    /// Whether it gives check.
    pub(crate) check: bool,
    /// Whether it gives checkmate.
    pub(crate) checkmate: bool,
}

impl LegalMove {
    pub(crate) fn new(position: &Position, mv: Move) -> Self {
        let after = position.play_unchecked(mv);
        Self {
            san: position.san(mv).to_string(),
            uci: mv.to_uci(position.variant()).to_string(),
            capture: position.is_capture(mv),
            check: after.in_check(),
            checkmate: after.is_checkmate(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_those_of_the_rules() {
        let record = Record::of_pgn("1. f3 e5 2. g4 Qh4#").unwrap();
        let facts = Facts::new("g7", &record);
        assert_eq!(facts.status, "Black wins by checkmate");
        assert_eq!((facts.legal_moves, facts.check, facts.turn.as_str()), (0, true, "white"));
        assert_eq!(facts.last_move.as_deref(), Some("2... Qh4#"));
        assert!(facts.black.contains(&"Qh4".to_owned()) && facts.white[0] == "Ke1", "{:?}", facts.black);
        assert!(facts.words().contains("the game is over, Black wins by checkmate"), "{}", facts.words());
    }
}
