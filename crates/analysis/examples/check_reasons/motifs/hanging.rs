//! Men that hang, and why.

use super::passed;
use crate::line::Line;
use crate::rules::{attacks, between, exchange_by};
use crate::second::{Check, Verifier, require};
use bartizan_review::reasons::claim::{Chance, Exposure};
use bartizan_types::{PieceType, Square};

pub(super) fn check(
    verifier: &Verifier<'_>,
    line: &Line<'_>,
    chance: Chance,
    (index, square, piece): (usize, Square, PieceType),
    exposure: Exposure,
) -> Check {
    let at = line.at(index);
    let capture = line.moves[index];
    let taken = crate::line::captured_square(at, capture);
    require(taken == Some(square), || format!("{capture} does not capture on {square}"))?;
    require(line.enemy(index, square) == Some(piece), || format!("no {piece} on {square}"))?;
    let gained = exchange_by(at, capture);
    require(gained >= 1, || format!("the exchange on {square} gains {gained}"))?;

    let mistake = verifier.mistake;
    let (before, played) = (&mistake.before, mistake.played);
    let after = mistake.after();
    let is_about_before = !matches!(exposure, Exposure::Other | Exposure::Recapture);
    if is_about_before && chance == Chance::Missed {
        return require(false, || format!("{exposure:?} of a missed capture"));
    }
    // Where the man stood after the mistake.
    let origin = line.origin(square, index);
    match exposure {
        Exposure::Moved => {
            require(origin == Some(played.destination()), || "it is not the piece that moved".to_owned())
        }
        Exposure::Left => {
            let was_there = before.piece_at(square) == at.piece_at(square) && origin == Some(square);
            require(was_there, || "it did not stand there before".to_owned())?;
            require(index == 0, || "a later capture".to_owned())?;
            let Some(theirs) = passed(before) else {
                return require(false, || "the player was in check".to_owned());
            };
            let legal = theirs.is_legal(capture);
            require(legal, || format!("{capture} was not legal before"))?;
            let gained = exchange_by(&theirs, capture);
            require(gained >= 1, || format!("{capture} gained {gained} before"))
        }
        Exposure::Unguarded { from, piece } => {
            require(played.from() == from, || format!("the move is not from {from}"))?;
            require(before.piece_type_at(from) == Some(piece), || format!("no {piece} on {from}"))?;
            let guarded = attacks(before, from, square);
            require(guarded, || format!("the {piece} did not protect {square}"))?;
            let still = attacks(&after, played.destination(), square);
            require(!still, || format!("the {piece} still protects {square}"))
        }
        Exposure::Uncovered { from } => {
            require(played.from() == from, || format!("the move is not from {from}"))?;
            let passed = between(capture.from(), square).unwrap_or_default();
            require(passed.contains(&from), || format!("{from} is not between {} and {square}", capture.from()))
        }
        Exposure::Recapture => {
            require(index == 0, || "not at the start".to_owned())?;
            let last = match chance {
                Chance::Allowed => Some((before, played)),
                Chance::Missed => mistake.previous.as_ref().map(|(position, mv)| (position, *mv)),
            };
            let captured = last.is_some_and(|(position, mv)| position.is_capture(mv) && mv.to() == square);
            require(captured, || format!("the move before did not capture on {square}"))
        }
        Exposure::Other => Ok(()),
    }
}
