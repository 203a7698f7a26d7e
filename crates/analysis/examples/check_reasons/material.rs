//! Checks claims about material.

use crate::line::Line;
use crate::motifs;
use crate::rules::{balance, capture_search};
use crate::second::{CUT, Check, Failure, Verifier, require, require_quiet};
use bartizan_position::Position;
use bartizan_review::reasons::claim::{Chance, Claim};
use bartizan_types::{Color, PieceType};

/// Centipawns that the mistake must cost for each point of material, and for all of it.
const LEAST_COST: (i32, i32) = (25, 300);

/// What material cannot cost alone, in centipawns, and for each point.
const MOST_COST: (i32, i32) = (250, 200);

/// The plies after the end of a line in which the material must not come back.
const AFTERMATH: usize = 6;

/// By how many centipawns the winner's score may rise on a line that gains more than best play does: the other side
/// errs.
const MOST_DRIFT: i32 = 80;

pub(crate) fn check(verifier: &Verifier<'_>, claim: &Claim) -> Check {
    let Claim::Material { chance, line, instead, gain, won, given, motif } = claim else {
        return Err(Failure::Refuted("no claim about material".to_owned()));
    };
    let winner = verifier.winner(*chance);
    let before = &verifier.mistake.before;
    let start = verifier.start(*chance);
    require(*gain >= 1, || format!("the gain is {gain}"))?;
    require(!line.is_empty(), || "no line".to_owned())?;
    let positions = verifier.sound(&start, line, winner)?;
    let end = &positions[line.len()];
    require_quiet(end, winner)?;

    let found = balance(end, winner) - balance(before, winner);
    require(found == *gain, || format!("the line gains {found} points, not {gain}"))?;
    let exchanged = differences(before, end, winner);
    require(exchanged == (sorted(won), sorted(given)), || format!("the line exchanges {exchanged:?}"))?;

    let other_start = verifier.start(match chance {
        Chance::Allowed => Chance::Missed,
        Chance::Missed => Chance::Allowed,
    });
    let others = verifier.sound(&other_start, instead, winner)?;
    let other_end = &others[instead.len()];
    require_quiet(other_end, winner)?;
    // The winner may be to move there and have a capture.
    let in_hand = if other_end.turn() == winner { capture_search(other_end, 6).min(9) } else { 0 };
    let otherwise = balance(other_end, winner) - balance(before, winner) + in_hand;
    let difference = gain - otherwise;
    require(difference >= 1, || format!("otherwise the winner gains {otherwise} ({in_hand} of it by captures left)"))?;

    let loss = verifier.loss()?;
    let (each, all) = LEAST_COST;
    let least = (each * difference).min(all);
    require(loss >= least, || format!("{difference} points, but the move costs only {loss} centipawns"))?;

    if verifier.score(&start, winner)?.abs() < CUT {
        let had = balance(before, winner);
        let (later, later_plies) = verifier.later_balance(end, winner, AFTERMATH)?;
        let (best, best_plies) = verifier.later_balance(&start, winner, line.len() + 4)?;
        let is_less = |kept: i32| kept < 1 || kept <= gain - 2;
        let (later, best) = (later - had, best - had);
        let drift = verifier.score(end, winner)? - verifier.score(&start, winner)?;
        let what = || {
            format!(
                "{later} points remain {later_plies} plies after the line, the best line gains {best} after \
                 {best_plies}, the score changes by {drift} on the line"
            )
        };
        let is_wrong = is_less(best) && (is_less(later) || drift >= MOST_DRIFT);
        require(!is_wrong, what)?;
        verifier.doubt(is_less(later) || is_less(best), what);
        verifier.doubt(loss > MOST_COST.0 + MOST_COST.1 * difference, || {
            format!("{difference} points, but the move costs {loss} centipawns: this is about something else")
        });
    }
    motifs::check(verifier, motif.as_ref(), &Line { moves: line, positions: &positions, winner }, *chance)
}

/// The kinds that the winner has more of, compared with the other side, than before, and those that it has less of.
fn differences(before: &Position, end: &Position, winner: Color) -> (Vec<PieceType>, Vec<PieceType>) {
    let lead = |position: &Position, kind| {
        let count = |color| position.pieces(color, kind).count().cast_signed();
        count(winner) - count(!winner)
    };
    let (mut won, mut given) = (Vec::new(), Vec::new());
    for kind in PieceType::ALL {
        let change = lead(end, kind) - lead(before, kind);
        let list = if change > 0 { &mut won } else { &mut given };
        list.extend(std::iter::repeat_n(kind, change.unsigned_abs() as usize));
    }
    (sorted(&won), sorted(&given))
}

fn sorted(kinds: &[PieceType]) -> Vec<PieceType> {
    let mut kinds = kinds.to_vec();
    kinds.sort_by_key(|kind| kind.index());
    kinds
}
