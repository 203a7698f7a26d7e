//! Features of the evaluation that a mistake changes, where nothing more tangible is found.

use super::claim::{Claim, Feature, MistakeContext};
use super::ending::for_side;
use super::line::Line;
use super::material::is_quiet_for_both;
use bartizan_eval::{Explanation, MaterialCount, explain, shown};
use bartizan_position::Position;
use bartizan_types::Color;

/// The number of moves of the lines that are compared.
const HORIZON: usize = 10;

/// The least change, in pawns, of a feature that is named, and of a group of terms.
const LEAST_REASON: f64 = 0.25;
const LEAST_GROUP: f64 = 0.35;

/// The least share of what the mistake loses: a smaller change does not explain it. A group of terms says less.
const LEAST_SHARE: f64 = 0.25;
const LEAST_GROUP_SHARE: f64 = 0.5;

/// The most features that are named.
const MOST: usize = 4;

/// The groups that have a sentence. Threats are events, which other claims name.
const GROUPS: [&str; 6] = ["king shelter", "king danger", "passed pawns", "mobility", "pawns", "space"];

/// The features that count most against the player after the mistake, compared with the better line; the largest first.
pub(super) fn find(context: &MistakeContext<'_>) -> Vec<Claim> {
    let player = context.player();
    let better = Line::new(context.before, context.better);
    let refutation = Line::new(&context.after(), context.refutation);
    let before = for_side(context.eval_before, player);
    let after = for_side(context.eval_after, player);
    let (Some(better), Some(refutation)) = (settle(&better, player, before, 1), settle(&refutation, player, after, 0))
    else {
        return Vec::new();
    };
    let ends = [context.before, better.end(), refutation.end()].map(explain);
    let mut changes = changes(&ends, player, f64::from(before - after) / 100.0);
    changes.sort_by_key(|&(_, centipawns)| -centipawns);
    let claim = |(feature, centipawns)| Claim::Positional {
        better: better.moves().to_vec(),
        refutation: refutation.moves().to_vec(),
        feature,
        centipawns,
    };
    changes.into_iter().map(claim).take(MOST).collect()
}

/// The part of a line to the quiet position whose static evaluation is nearest to the score.
fn settle(line: &Line, player: Color, score: i32, least: usize) -> Option<Line> {
    let error = |position: &Position| {
        let value = shown(bartizan_eval::evaluate(position), MaterialCount::of(position));
        let value = if position.turn() == player { value } else { -value };
        value.abs_diff(score)
    };
    (least..=line.len().min(HORIZON))
        .filter(|&length| is_quiet_for_both(line.at(length)))
        .min_by_key(|&length| error(line.at(length)))
        .map(|length| line.prefix(length))
}

/// What counts more against the player after the refutation than after the better line, in internal centipawns: a share
/// of the loss in pawns. The explanations are of the position before the mistake and of the ends of the better line and
/// the refutation.
fn changes([before, better, refutation]: &[Explanation; 3], player: Color, loss: f64) -> Vec<(Feature, i32)> {
    let sign = if player.is_white() { 1.0 } else { -1.0 };
    let pawn = refutation.pawn;
    let mut changes = Vec::new();
    let mut add = |feature, against: f64, least: f64, share: f64| {
        if against >= least.max(share * loss) * pawn {
            changes.push((feature, against as i32));
        }
    };
    for (of_refutation, end) in [(true, refutation), (false, better)] {
        for reason in end.reasons.iter().filter(|reason| is_named(&reason.text)) {
            let [before, better, refutation] = [before, better, refutation].map(|of| sign * worth(of, &reason.text));
            // What was so before the mistake is not where a line leads to.
            let new = if of_refutation { before - refutation } else { better - before };
            let speaks = if of_refutation { refutation < 0.0 } else { better > 0.0 };
            if speaks && new >= LEAST_REASON * pawn {
                let feature = Feature::Reason { text: reason.text.clone(), of_refutation };
                add(feature, better - refutation, LEAST_REASON, LEAST_SHARE);
            }
        }
    }
    for row in &refutation.rows {
        let name = row.group.name();
        if GROUPS.contains(&name) {
            let of = |explanation: &Explanation| {
                let row = explanation.rows.iter().find(|other| other.group == row.group);
                row.map_or(0.0, |row| explanation.tapered(row.difference()))
            };
            add(
                Feature::Group { name: name.to_owned() },
                sign * (of(better) - of(refutation)),
                LEAST_GROUP,
                LEAST_GROUP_SHARE,
            );
        }
    }
    changes
}

/// Reasons without a sentence here: about material, which other claims count, or too fleeting.
const UNNAMED: [&str; 10] = [
    "ahead by",
    "behind by",
    " for ",
    "endgame advantage",
    "is to move",
    "better placed",
    "may still castle",
    "more mobile",
    " attacks ",
    "can attack",
];

/// Whether a reason is worth a sentence here.
fn is_named(text: &str) -> bool {
    !UNNAMED.iter().any(|part| text.contains(part))
}

/// The score of a reason for White, 0 if the evaluation does not have it.
fn worth(explanation: &Explanation, text: &str) -> f64 {
    explanation.reasons.iter().filter(|reason| reason.text == text).map(|reason| reason.score).sum()
}

/// Whether a claim names a feature and not a group of them.
pub(super) fn is_specific(claim: &Claim) -> bool {
    matches!(claim, Claim::Positional { feature: Feature::Reason { .. }, .. })
}

/// How much a feature counts against the player at the end of the refutation compared with the better line.
pub(super) fn against(feature: &Feature, better: &Position, refutation: &Position, player: Color) -> f64 {
    let [better, refutation] = [better, refutation].map(explain);
    let of = |explanation: &Explanation| match feature {
        Feature::Reason { text, .. } => worth(explanation, text),
        Feature::Group { name } => {
            let row = explanation.rows.iter().find(|row| row.group.name() == name);
            row.map_or(0.0, |row| explanation.tapered(row.difference()))
        }
    };
    let white = of(&better) - of(&refutation);
    if player.is_white() { white } else { -white }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WhiteEval;
    use crate::reasons::tests::Case;

    fn features(case: &Case) -> Vec<String> {
        let claims = find(&case.context());
        let name = |claim: Claim| match claim {
            Claim::Positional { feature: Feature::Reason { text, .. }, .. } => text,
            Claim::Positional { feature: Feature::Group { name }, .. } => name,
            _ => String::new(),
        };
        claims.into_iter().map(name).collect()
    }

    #[test]
    fn a_passed_pawn_is_named() {
        // 1. d5 passes; instead White lets Black blockade and exchange.
        let mut case = Case::new("6k1/pp3ppp/4p3/8/3P4/8/PP3PPP/3R2K1 w - - 0 1", "g2g4", "d4d5 e6d5 d1d5", "g8f8");
        case.evals = (WhiteEval::Cp(100), WhiteEval::Cp(0));
        assert!(features(&case).iter().all(|text| !text.contains("ahead")));
    }

    #[test]
    fn a_reckless_pawn_move_has_a_feature() {
        let mut case = Case::new(
            "r1bq1rk1/pppn1ppp/3bpn2/3p4/3P4/2NBPN2/PPP2PPP/R1BQ1RK1 w - - 0 8",
            "g2g4",
            "e3e4 d5e4 c3e4",
            "e6e5 d4e5 d7e5",
        );
        case.evals = (WhiteEval::Cp(30), WhiteEval::Cp(-50));
        let found = features(&case);
        assert!(!found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_feature_is_new_and_explains_a_share_of_the_loss() {
        let passed = Position::from_fen("6k1/5ppp/8/8/4p3/3p4/5PPP/6K1 w - - 0 1").unwrap();
        let start = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1").unwrap();
        let of = |positions: [&Position; 3], loss| changes(&positions.map(explain), Color::White, loss);
        let is_reason = |(feature, _): &(Feature, i32)| matches!(feature, Feature::Reason { .. });
        let found = of([&start, &start, &passed], 0.0);
        assert!(found.iter().any(is_reason), "{found:?}");
        assert!(!of([&passed, &start, &passed], 0.0).iter().any(is_reason));
        let largest = found.iter().map(|&(_, centipawns)| centipawns).max().unwrap();
        assert!(of([&start, &start, &passed], f64::from(largest + 1) / explain(&passed).pawn / LEAST_SHARE).is_empty());
    }

    #[test]
    fn the_same_position_has_no_change() {
        let position = Position::startpos();
        let feature = Feature::Group { name: "mobility".to_owned() };
        assert!(against(&feature, &position, &position, Color::White).abs() < 1e-9);
    }
}
