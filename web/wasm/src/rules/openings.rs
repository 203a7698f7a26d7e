//! Openings.

use super::failure::{Failure, json};
use super::position::known;
use bartizan_book::eco::{self, Opening};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Serialize)]
struct OpeningData {
    code: &'static str,
    name: &'static str,
    moves: &'static str,
}

/// An opening as JSON, or `null`.
pub(super) fn opening_json(opening: Option<&'static Opening>) -> String {
    json(&opening.map(|opening| OpeningData { code: opening.code(), name: opening.name(), moves: opening.moves() }))
}

/// The opening of a position, or `null`.
#[wasm_bindgen]
pub fn opening(fen: &str) -> Result<String, Failure> {
    Ok(opening_json(eco::lookup(&known(fen)?)))
}
