//! Legal moves, and moves from texts.

use super::failure::{Failure, json};
use super::position::known;
use bartizan_notation::san::{San, parse_san, parse_san_strict};
use bartizan_notation::why_illegal;
use bartizan_position::Position;
use bartizan_types::{CastlingSide, Excerpt, Move, MoveKind, Square, Variant};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// A move as JavaScript sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoveForm {
    from: Square,
    /// Where the piece lands: for castling, the king.
    to: Square,
    piece: char,
    color: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<char>,
    san: String,
    uci: String,
    is_capture: bool,
    is_check: bool,
    is_checkmate: bool,
    is_castling: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    castling_side: Option<char>,
    is_en_passant: bool,
    before: String,
    after: String,
}

impl MoveForm {
    /// Describes a legal move; `before` is the FEN of the position.
    pub(super) fn new(position: &Position, mv: Move, chess960: bool, before: &str) -> Self {
        let next = position.play_unchecked(mv);
        let side = mv.is_castling().then(|| CastlingSide::of(mv.from(), mv.to()));
        Self {
            from: mv.from(),
            to: mv.destination(),
            piece: position.piece_type_at(mv.from()).map_or('p', |piece| piece.to_char()),
            color: position.turn().to_char(),
            captured: position.captured(mv).map(|piece| piece.to_char()),
            promotion: mv.promotes_to().map(|piece| piece.to_char()),
            san: San::new(position, mv).to_string(),
            uci: mv.to_uci(Variant::from_chess960(chess960)).to_string(),
            is_capture: position.is_capture(mv),
            is_check: next.in_check(),
            is_checkmate: next.is_checkmate(),
            is_castling: side.is_some(),
            castling_side: side.map(|side| if side == CastlingSide::King { 'k' } else { 'q' }),
            is_en_passant: mv.kind() == MoveKind::EnPassant,
            before: before.to_owned(),
            after: next.to_fen(),
        }
    }
}

/// The legal moves.
#[wasm_bindgen]
pub fn legal_moves(fen: &str, chess960: bool) -> Result<String, Failure> {
    let position = known(fen)?;
    let moves = position.legal_moves();
    let moves: Vec<MoveForm> = moves.iter().map(|&mv| MoveForm::new(&position, mv, chess960, fen)).collect();
    Ok(json(&moves))
}

/// The legal move that a text denotes: SAN or coordinates. A strict reader takes only the SAN that the standard says.
#[wasm_bindgen]
pub fn find_move(fen: &str, chess960: bool, text: &str, is_strict: bool) -> Result<String, Failure> {
    let position = known(fen)?;
    let mv = find(&position, text, is_strict)?;
    Ok(json(&MoveForm::new(&position, mv, chess960, fen)))
}

pub(super) fn find(position: &Position, text: &str, is_strict: bool) -> Result<Move, Failure> {
    let found = if is_strict { parse_san_strict(position, text) } else { parse_san(position, text) };
    found.map_err(|error| match why_illegal(position, text) {
        Some(why) => Failure::new("move", format!("illegal move '{}': {why}", Excerpt::new(text))),
        None => Failure::new("move", error),
    })
}
