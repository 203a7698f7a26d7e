//! Checks claims of draws.

use crate::second::{Check, Verifier, require};
use bartizan_position::Position;
use bartizan_review::reasons::claim::{Chance, DrawKind};
use bartizan_types::{Color, Move, PieceType};

/// The greatest score of a draw, in centipawns.
pub(crate) const DRAWN: i32 = 60;

/// The least cost of the mistake, in centipawns.
const LEAST_COST: i32 = 150;

pub(crate) fn check(verifier: &Verifier<'_>, chance: Chance, line: &[Move], draw: DrawKind) -> Check {
    let winner = verifier.winner(chance);
    let start = verifier.start(chance);
    let score = verifier.score(&start, winner)?;
    require(score.abs() <= DRAWN, || format!("the search gives {score} at the start"))?;
    let loss = verifier.loss()?;
    require(loss >= LEAST_COST, || format!("the move costs only {loss} centipawns"))?;
    let otherwise = match chance {
        Chance::Allowed => verifier.score(&verifier.mistake.before, winner)?,
        Chance::Missed => verifier.score(&verifier.mistake.after(), winner)?,
    };
    require(otherwise < 0, || format!("the side that gets the draw has {otherwise} otherwise"))?;
    let positions = verifier.sound(&start, line, winner)?;
    let end = &positions[line.len()];
    let end_score = verifier.score(end, winner)?;
    require(end_score.abs() <= DRAWN, || format!("the search gives {end_score} at the end"))?;
    match draw {
        DrawKind::Stalemate => require(end.is_stalemate(), || "no stalemate".to_owned()),
        DrawKind::Repetition => {
            require(repeated(&positions).is_some(), || "the last position has not occurred before".to_owned())
        }
        DrawKind::Perpetual => {
            let Some(since) = repeated(&positions) else {
                return require(false, || "the last position has not occurred before".to_owned());
            };
            let checks = |position: &Position| position.turn() == winner || position.in_check();
            require(positions[since + 1..].iter().all(checks), || "not all moves are checks".to_owned())
        }
        DrawKind::Insufficient => {
            require(cannot_mate(end, winner) && cannot_mate(end, !winner), || "there is mating material".to_owned())
        }
        DrawKind::Known => {
            require(bartizan_eval::known_value(end).is_some_and(|value| value.0 == 0), || "no known draw".to_owned())
        }
    }
}

/// The index of the earlier occurrence of the last position.
fn repeated(positions: &[Position]) -> Option<usize> {
    let (last, earlier) = positions.split_last()?;
    // Without the counters of moves.
    let board = |position: &Position| position.to_fen().split(' ').take(4).map(str::to_owned).collect::<Vec<_>>();
    earlier.iter().rposition(|position| board(position) == board(last))
}

/// Whether a side has a bare king or only one minor piece besides it.
fn cannot_mate(position: &Position, color: Color) -> bool {
    let own = position.placement().filter(|(_, piece)| piece.color() == color);
    let others: Vec<PieceType> =
        own.map(|(_, piece)| piece.piece_type()).filter(|&kind| kind != PieceType::King).collect();
    matches!(others[..], [] | [PieceType::Knight | PieceType::Bishop])
}
