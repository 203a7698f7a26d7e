//! Defenders that are overloaded, removed or driven away, and moves in between.

use super::require_man;
use crate::line::{Line, captured_square};
use crate::rules::{attacks, exchange_by};
use crate::second::{Check, Verifier, require};
use bartizan_review::reasons::claim::{Chance, Target};
use bartizan_types::Square;

/// The square on which a move of the line captures.
fn captures(line: &Line<'_>, index: usize) -> Option<Square> {
    captured_square(line.at(index), *line.moves.get(index)?)
}

pub(super) fn overloaded(line: &Line<'_>, index: usize, defender: &Target, first: Square, second: Square) -> Check {
    let at = line.at(index);
    require_man(at, defender, !line.winner)?;
    for square in [first, second] {
        require(attacks(at, defender.square, square), || format!("{square} is not protected"))?;
    }
    require(captures(line, index) == Some(first), || format!("no capture on {first}"))?;
    let recaptures = line.moves.get(index + 1).is_some_and(|mv| mv.from() == defender.square && mv.to() == first);
    require(recaptures, || "the defender does not recapture".to_owned())?;
    let Some(&mv) = line.moves.get(index + 2) else { return require(false, || "the line ends".to_owned()) };
    let wins =
        mv.destination() == second && (captures(line, index + 2).is_some() || line.after(index + 2).is_checkmate());
    require(wins, || format!("no capture or mate on {second}"))?;
    let still = attacks(line.at(index + 2), first, second);
    require(!still, || format!("the defender still protects {second}"))
}

pub(super) fn removed(
    verifier: &Verifier<'_>,
    line: &Line<'_>,
    index: usize,
    defender: &Target,
    target: &Target,
) -> Check {
    let at = line.at(index);
    require_man(at, defender, !line.winner)?;
    require_man(at, target, !line.winner)?;
    require(captures(line, index) == Some(defender.square), || "the defender is not captured".to_owned())?;
    require(attacks(at, defender.square, target.square), || "it did not protect the target".to_owned())?;
    let Some(ply) = line.capture_at(target.square, index + 1) else {
        return require(false, || "the target is not captured".to_owned());
    };
    let gained = exchange_by(line.at(ply), line.moves[ply]);
    verifier.doubt(gained < 1, || format!("the capture of the target gains {gained}"));
    Ok(())
}

pub(super) fn deflected(line: &Line<'_>, index: usize, defender: &Target, target: &Target) -> Check {
    let (at, after) = (line.at(index), line.after(index));
    require_man(after, defender, !line.winner)?;
    require_man(after, target, !line.winner)?;
    let from = defender.square;
    require(attacks(at, from, target.square), || "it did not protect the target".to_owned())?;
    let driven = after.in_check() || attacks(after, line.moves[index].destination(), from) || {
        let own = after.placement().filter(|(_, piece)| piece.color() == line.winner);
        own.map(|(square, _)| square).any(|square| attacks(after, square, from) && !attacks(at, square, from))
    };
    require(driven, || "the move does not attack the defender".to_owned())?;
    let Some(reply) = line.moves.get(index + 1).filter(|reply| reply.from() == from) else {
        return require(false, || "the defender does not move".to_owned());
    };
    let next = line.after(index + 1);
    let still = attacks(next, reply.destination(), target.square);
    require(!still, || "it still protects the target".to_owned())?;
    require(captures(line, index + 2) == Some(target.square), || "the target is not captured next".to_owned())
}

pub(super) fn in_between(
    verifier: &Verifier<'_>,
    line: &Line<'_>,
    chance: Chance,
    index: usize,
    square: Square,
) -> Check {
    let mistake = verifier.mistake;
    let earlier = match (index.checked_sub(1), chance) {
        (Some(ply), _) => captures(line, ply).map(|_| line.moves[ply].to()),
        (None, Chance::Allowed) => captured_square(&mistake.before, mistake.played).map(|_| mistake.played.to()),
        (None, Chance::Missed) => {
            mistake.previous.as_ref().and_then(|(at, mv)| captured_square(at, *mv).map(|_| mv.to()))
        }
    };
    require(earlier == Some(square), || format!("no capture on {square} before"))?;
    let mv = line.moves[index];
    let is_sharp = line.after(index).in_check() || captures(line, index).is_some();
    require(is_sharp && mv.destination() != square, || format!("{mv} is no check or capture elsewhere"))?;
    let recaptures = captures(line, index + 2) == Some(square);
    require(recaptures, || format!("no capture on {square} afterwards"))?;
    // There must have been something to recapture at once.
    let at = line.at(index);
    let possible = at.legal_moves().into_iter().any(|mv| mv.to() == square && at.is_capture(mv));
    require(possible, || format!("nothing could recapture on {square} at once"))
}
