//! Checks claims about features of the evaluation.

use crate::second::{Check, Verifier, require, require_quiet};
use bartizan_eval::{Explanation, explain};
use bartizan_review::reasons::claim::Feature;
use bartizan_types::Move;

/// How far the numbers may differ, in internal centipawns: the claim rounds.
const ROUNDING: f64 = 1.0;

pub(crate) fn check(
    verifier: &Verifier<'_>,
    better: &[Move],
    refutation: &[Move],
    feature: &Feature,
    centipawns: i32,
) -> Check {
    let player = verifier.player();
    let (before, after) = (&verifier.mistake.before, verifier.mistake.after());
    require(better.first() != Some(&verifier.mistake.played), || "the better move was played".to_owned())?;
    let mut worth = [0.0; 2];
    for ((start, line), worth) in [(before, better), (&after, refutation)].into_iter().zip(&mut worth) {
        let positions = verifier.sound(start, line, player)?;
        let end = &positions[line.len()];
        // Quiet for either side.
        require_quiet(end, !end.turn())?;
        *worth = of_feature(&explain(end), feature);
    }
    let for_white = worth[1] - worth[0];
    let against = if player.is_white() { -for_white } else { for_white };
    require(centipawns > 0 && against + ROUNDING >= f64::from(centipawns), || {
        format!("the feature counts {against:.0} against the player, not {centipawns}")
    })?;
    if let Feature::Reason { of_refutation, text } = feature {
        let own = if player.is_white() { 1.0 } else { -1.0 } * worth[usize::from(*of_refutation)];
        let is_against = own < 0.0;
        require(is_against == *of_refutation, || format!("'{text}' counts for the wrong side"))?;
    }
    Ok(())
}

/// What a feature counts for White.
fn of_feature(explanation: &Explanation, feature: &Feature) -> f64 {
    match feature {
        Feature::Reason { text, .. } => {
            explanation.reasons.iter().filter(|reason| reason.text == *text).map(|reason| reason.score).sum()
        }
        Feature::Group { name } => {
            let rows = explanation.rows.iter().filter(|row| row.group.name() == name);
            rows.map(|row| explanation.tapered(row.difference())).sum()
        }
    }
}
