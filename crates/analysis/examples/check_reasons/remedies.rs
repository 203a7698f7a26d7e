//! Checks what a better move is said to do about a man that hangs.

use crate::line::man;
use crate::rules::{attacks, between, exchange, worth};
use crate::second::{Check, Failure, Verifier, require};
use bartizan_review::reasons::claim::{Chance, Claim, Motif, Remedy};
use bartizan_types::{Move, Square};

pub(crate) fn check(verifier: &Verifier<'_>, mv: Move, square: Square, remedy: Remedy) -> Check {
    let before = &verifier.mistake.before;
    // The better line, or the one with which the claim about the material compares.
    let is_better = |claim: &Claim| matches!(claim, Claim::Material { instead, .. } if instead.first() == Some(&mv));
    let is_better = verifier.mistake.better.line.first() == Some(&mv) || verifier.claims.iter().any(is_better);
    require(is_better && mv != verifier.mistake.played, || "not the better move".to_owned())?;
    let Some(kind) = man(before, square, verifier.player()) else {
        return Err(Failure::Refuted(format!("no man of the player on {square}")));
    };
    let hanging = verifier.claims.iter().find_map(|claim| match claim {
        Claim::Material { chance: Chance::Allowed, line, motif: Some(Motif::Hanging { index: 0, .. }), .. } => {
            line.first().copied()
        }
        _ => None,
    });
    let Some(taker) = hanging else { return Err(Failure::Refuted("nothing is said to hang".to_owned())) };
    let next = before.play(mv).map_err(|_| Failure::Refuted("illegal".to_owned()))?;
    // What the opponent can win where the man stands after the better move.
    let danger = |at| exchange(&next, at);
    match remedy {
        Remedy::MovesAway | Remedy::Captures => {
            require(mv.from() == square, || format!("it does not move the man on {square}"))?;
            require(before.is_capture(mv) == (remedy == Remedy::Captures), || "a capture or none".to_owned())?;
            let taken = before.captured(mv).map_or(0, worth);
            let lost = danger(mv.destination()) - taken;
            require(lost < 1, || format!("{lost} points are lost on the new square"))
        }
        Remedy::CapturesAttacker => {
            require(before.is_capture(mv) && mv.to() == taker.from(), || "it does not capture the attacker".to_owned())
        }
        Remedy::Protects => {
            let protects = attacks(&next, mv.destination(), square) && !attacks(before, mv.from(), square);
            require(protects, || format!("it does not protect {square}"))?;
            let lost = danger(square);
            verifier.doubt(lost >= 1, || format!("the {kind} is protected, but {lost} points are lost there"));
            Ok(())
        }
        Remedy::Blocks => {
            let line = between(taker.from(), square).unwrap_or_default();
            require(line.contains(&mv.destination()), || "it does not step between".to_owned())?;
            require(!attacks(&next, taker.from(), square), || "the attack goes on".to_owned())
        }
    }
}
