//! Games. They are passed as their start and their moves, so that JavaScript has nothing to free.

use super::failure::{Failure, json};
use super::openings::opening_json;
use super::position::known;
use bartizan_book::eco;
use bartizan_position::{Draw, Game, Outcome};
use bartizan_types::GameResult;
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Serialize)]
struct Ending {
    result: &'static str,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    outcome: Option<Ending>,
    claimable_draw: Option<&'static str>,
    occurrences: usize,
}

/// Plays moves in coordinates, separated by spaces.
fn play(start: &str, moves: &str) -> Result<Game, Failure> {
    let mut game = Game::new(known(start)?);
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).map_err(|error| Failure::new("move", error))?;
        game.push(mv).map_err(|error| Failure::new("move", error))?;
    }
    Ok(game)
}

/// Whether a game is over, and how often its last position has occurred.
#[wasm_bindgen]
pub fn game_state(start: &str, moves: &str) -> Result<String, Failure> {
    let game = play(start, moves)?;
    let ending = |outcome: Outcome| Ending {
        result: GameResult::from(outcome).as_str(),
        reason: match outcome {
            Outcome::Draw(draw) => reason(draw),
            _ => "checkmate",
        },
    };
    Ok(json(&State {
        outcome: game.outcome().map(ending),
        claimable_draw: game.claimable_draw().map(reason),
        occurrences: game.occurrences(),
    }))
}

/// The opening of a game, or `null`.
#[wasm_bindgen]
pub fn game_opening(start: &str, moves: &str) -> Result<String, Failure> {
    Ok(opening_json(eco::classify(&play(start, moves)?)))
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
