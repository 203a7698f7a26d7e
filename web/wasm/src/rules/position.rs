//! Single positions.

use super::failure::{Failure, json};
use bartizan_position::{Position, Tolerance};
use bartizan_types::{Color, Square, Variant};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// What JavaScript keeps of a position.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PositionForm {
    fen: String,
    chess960: bool,
    turn: char,
    castling: String,
    en_passant: Option<Square>,
    halfmove_clock: u16,
    fullmove_number: u16,
    checkers: Vec<Square>,
    is_checkmate: bool,
    is_stalemate: bool,
    is_insufficient_material: bool,
}

/// A position that this module has written before: it is legal.
pub(super) fn known(fen: &str) -> Result<Position, Failure> {
    Ok(Position::from_fen_with(fen, Tolerance::ALL)?)
}

/// Reads a square.
pub(super) fn square(text: &str) -> Result<Square, Failure> {
    let invalid = || format!("invalid square '{}': expected a1 to h8", bartizan_types::Excerpt::new(text));
    text.parse().map_err(|_| Failure::new("square", invalid()))
}

/// Reads a FEN. Without `chess960`, the castling rights tell the variant. A tolerant reader accepts every position that
/// has legal moves.
#[wasm_bindgen]
pub fn position(fen: &str, chess960: Option<bool>, is_tolerant: bool) -> Result<String, Failure> {
    let tolerance = if is_tolerant { Tolerance::ALL } else { Tolerance::NONE };
    let mut position = Position::from_fen_with(fen, tolerance)?;
    if chess960 == Some(false) {
        let dropped = position.drop_nonstandard_castling();
        if !dropped.is_empty() && !is_tolerant {
            return Err(Failure::new("fen", format!("castling rights {dropped} exist only in Chess960")));
        }
    }
    let chess960 = chess960.unwrap_or(position.variant() == Variant::Chess960);
    Ok(describe(&position, chess960))
}

fn describe(position: &Position, chess960: bool) -> String {
    let fen = position.to_fen();
    json(&PositionForm {
        chess960,
        turn: position.turn().to_char(),
        castling: fen.split(' ').nth(2).unwrap_or("-").to_owned(),
        en_passant: position.en_passant(),
        halfmove_clock: position.halfmove_clock(),
        fullmove_number: position.fullmove_number(),
        checkers: position.checkers().into_iter().collect(),
        is_checkmate: position.is_checkmate(),
        is_stalemate: position.is_stalemate(),
        is_insufficient_material: position.is_insufficient_material(),
        fen,
    })
}

/// The FEN of a starting position of Chess960, from 0 to 959.
#[wasm_bindgen]
pub fn chess960_start(number: u32) -> Result<String, Failure> {
    let position = usize::try_from(number).ok().and_then(Position::chess960);
    let position = position
        .ok_or_else(|| Failure::new("option", format!("there is no starting position {number}: expected 0 to 959")))?;
    Ok(position.to_fen())
}

/// The squares of the pieces of a colour that attack a square.
#[wasm_bindgen]
pub fn attackers(fen: &str, target: &str, by_white: bool) -> Result<String, Failure> {
    let (position, target) = (known(fen)?, square(target)?);
    let by = if by_white { Color::White } else { Color::Black };
    let squares: Vec<Square> = position.attackers_to(target, position.occupied(), by).into_iter().collect();
    Ok(json(&squares))
}

/// The number of leaves of the tree of legal moves.
#[wasm_bindgen]
pub fn perft(fen: &str, depth: u32) -> Result<f64, Failure> {
    Ok(bartizan_position::perft(&known(fen)?, depth) as f64)
}

/// Draws the board as text.
#[wasm_bindgen]
pub fn diagram(fen: &str, is_white_below: bool, figurines: bool) -> Result<String, Failure> {
    let bottom = if is_white_below { Color::White } else { Color::Black };
    Ok(known(fen)?.diagram().seen_by(bottom).figurines(figurines).to_string())
}
