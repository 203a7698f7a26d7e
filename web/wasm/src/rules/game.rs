//! Games.

use super::failure::{Failure, json};
use super::moves::{self, MoveForm};
use super::openings::last_opening;
use super::position::known;
use bartizan_position::{Draw, Game, Outcome};
use bartizan_types::GameResult;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

/// A game: its start and the moves played.
#[wasm_bindgen]
pub struct RulesGame {
    game: Game,
    chess960: bool,
}

#[derive(Serialize)]
struct Ending {
    result: &'static str,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    fen: String,
    outcome: Option<Ending>,
    claimable_draw: Option<&'static str>,
    occurrences: usize,
}

#[wasm_bindgen]
impl RulesGame {
    /// Creates a game without moves.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str, chess960: bool) -> Result<Self, Failure> {
        Ok(Self { game: Game::new(known(fen)?), chess960 })
    }

    /// Plays a move, and returns it.
    pub fn push(&mut self, text: &str, is_strict: bool) -> Result<String, Failure> {
        let position = self.game.position();
        let mv = moves::find(position, text, is_strict)?;
        let form = MoveForm::new(position, mv, self.chess960, &position.to_fen());
        self.game.push(mv).map_err(|error| Failure::new("move", error))?;
        Ok(json(&form))
    }

    /// Takes back the last move; whether there was one.
    pub fn pop(&mut self) -> bool {
        self.game.pop().is_some()
    }

    /// The position, and whether the game is over.
    pub fn state(&self) -> String {
        let ending = |outcome: Outcome| Ending {
            result: GameResult::from(outcome).as_str(),
            reason: match outcome {
                Outcome::Draw(draw) => reason(draw),
                _ => "checkmate",
            },
        };
        json(&State {
            fen: self.game.position().to_fen(),
            outcome: self.game.outcome().map(ending),
            claimable_draw: self.game.claimable_draw().map(reason),
            occurrences: self.game.occurrences(),
        })
    }

    /// The opening, or `null`.
    pub fn opening(&self) -> String {
        last_opening(self.game.keys().iter())
    }
}

fn reason(draw: Draw) -> &'static str {
    match draw {
        Draw::Stalemate => "stalemate",
        Draw::InsufficientMaterial => "insufficientMaterial",
        Draw::ThreefoldRepetition => "threefoldRepetition",
        Draw::FivefoldRepetition => "fivefoldRepetition",
        Draw::FiftyMoves => "fiftyMoves",
        Draw::SeventyFiveMoves => "seventyFiveMoves",
        _ => "draw",
    }
}
