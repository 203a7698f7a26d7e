//! The first verifier of claims: rules, and searches from an empty table. It is stricter than what a claim asserts, so
//! that a deeper search by someone else agrees.

use super::claim::{Chance, Claim, Feature, MistakeContext, Motif};
use super::line::Line;
use super::search::{LIMIT, NODES, Searcher, score, score_with};
use super::{detect, draw, ending, material, positional, remedy};
use crate::points::{balance, points};
use bartizan_position::Position;
use bartizan_protocol::Score;
use bartizan_types::{Color, Move, PieceType};

/// The least loss of a mistake in centipawns.
const LEAST_LOSS: i32 = 80;

/// How far the scores at the two ends of a line may be apart, in centipawns, besides an eighth of the score.
const SLACK: i32 = 60;

/// The least loss for each point of material, and the loss that suffices for any material.
const LOSS_PER_POINT: i32 = 35;
const LARGE_LOSS: i32 = 400;

/// The number of moves up to which a mate must not be longer than claimed.
const EXACT_MATE: u32 = 5;

/// Whether rules and searches confirm a claim. This takes up to five searches.
pub fn verify(claim: &Claim, context: &MistakeContext<'_>, searcher: &mut dyn Searcher) -> bool {
    check(claim, context, searcher).is_some()
}

/// `Some` if the claim is confirmed.
fn check(claim: &Claim, context: &MistakeContext<'_>, searcher: &mut dyn Searcher) -> Option<()> {
    let player = context.player();
    holds(!starts_with(claim, context.played))?;
    if let Claim::Remedy { mv, square, remedy } = claim {
        let capture = *context.refutation.first()?;
        return holds(remedy::of(context, *mv, *square, capture) == Some(*remedy));
    }
    let before = score(searcher, context.before, player)?;
    let loss = before - score(searcher, &context.after(), player)?;
    holds(loss >= LEAST_LOSS)?;
    match claim {
        Claim::Mate { chance, line, moves, motif } => {
            let start = context.start(*chance);
            let line = full(&start, line)?;
            holds(line.end().is_checkmate() && line.len() + 1 == 2 * *moves as usize)?;
            has_motif(&line, context, *chance, None, motif.as_ref())?;
            let (score, _) = searcher.search(&start, NODES)?;
            let limit = if *moves > EXACT_MATE { i32::MAX } else { *moves as i32 };
            holds(matches!(score, Score::Mate(found) if found > 0 && found <= limit))
        }
        Claim::Material { chance, line, instead, gain, won, given, motif } => {
            let start = context.start(*chance);
            let line = full(&start, line)?;
            let winner = start.turn();
            let other = full(&context.start(opposite(*chance)), instead)?;
            holds(material::is_quiet(line.end(), winner) && material::is_quiet_for_both(other.end()))?;
            let [had, has, otherwise] =
                [context.before, line.end(), other.end()].map(|position| balance(position, winner));
            let difference = has - otherwise;
            holds(*gain >= 1 && has - had == *gain && difference >= 1)?;
            let (really_won, really_given) = material::exchanged(context.before, line.end(), winner);
            holds((&really_won, &really_given) == (won, given))?;
            has_motif(&line, context, *chance, material::prize(won, given), motif.as_ref())?;
            holds(loss >= (LOSS_PER_POINT * difference).min(LARGE_LOSS))?;
            sound(&line, searcher)?;
            sound(&other, searcher)?;
            let least = (had + (*gain - 1).max(1)).max(otherwise + 1);
            kept(line.end(), winner, least, searcher)?;
            is_best(&line, had, *gain, searcher)?;
            let wins = |end: &Position| {
                let (other_won, other_given) = material::exchanged(context.before, end, winner);
                let [prize, other] =
                    [(won, given), (&other_won, &other_given)].map(|(won, given)| material::prize(won, given));
                balance(end, winner) >= least && other.map(points) >= prize.map(points)
            };
            is_forced(&line, wins, searcher)
        }
        Claim::Draw { chance, line, draw } => {
            let line = full(&context.start(*chance), line)?;
            holds(draw::draw(&line) == Some(*draw))?;
            let now = score(searcher, line.start(), player)?;
            let end = score(searcher, line.end(), player)?;
            holds(now.abs() <= 40 && end.abs() <= 40 && loss >= 180)?;
            sound(&line, searcher)
        }
        Claim::UnstoppablePawn { chance, line, pawn } => {
            let line = full(&context.start(*chance), line)?;
            let winner = line.winner();
            holds(ending::runner(line.end(), winner) == Some(*pawn))?;
            holds(score(searcher, line.start(), winner)? >= 350)?;
            sound(&line, searcher)
        }
        Claim::Ending { kind, from, to, source } => {
            holds(ending::kind(context.before).is_some() && ending::kind(&context.after()) == Some(*kind))?;
            holds(ending::verify(context, [*from, *to], *source, searcher))
        }
        Claim::Positional { better, refutation, feature, centipawns } => {
            let better = full(context.before, better)?;
            let refutation = full(&context.after(), refutation)?;
            let ends = [better.end(), refutation.end()];
            holds(ends.into_iter().all(material::is_quiet_for_both))?;
            holds(positional::against(feature, ends[0], ends[1], player) >= f64::from(*centipawns))?;
            holds(is_told_truly(feature, ends, player))?;
            sound(&better, searcher)?;
            sound(&refutation, searcher)
        }
        Claim::Remedy { .. } => None,
    }
}

/// Whether a line from before the mistake begins with the mistake.
fn starts_with(claim: &Claim, played: Move) -> bool {
    let first = match claim {
        Claim::Material { chance: Chance::Allowed, instead, .. } => instead.first(),
        Claim::Positional { better, .. } => better.first(),
        Claim::Remedy { mv, .. } => Some(mv),
        claim if claim.chance() == Some(Chance::Missed) => claim.line().first(),
        _ => None,
    };
    first == Some(&played)
}

fn holds(is_true: bool) -> Option<()> {
    is_true.then_some(())
}

fn opposite(chance: Chance) -> Chance {
    match chance {
        Chance::Allowed => Chance::Missed,
        Chance::Missed => Chance::Allowed,
    }
}

/// The line, if all its moves are legal.
fn full(start: &Position, moves: &[Move]) -> Option<Line> {
    Some(Line::new(start, moves)).filter(|line| line.len() == moves.len())
}

fn has_motif(
    line: &Line,
    context: &MistakeContext<'_>,
    chance: Chance,
    won: Option<PieceType>,
    motif: Option<&Motif>,
) -> Option<()> {
    let Some(motif) = motif else { return Some(()) };
    holds(detect::motifs(line, Some((context, chance)), won).contains(motif))
}

/// The nodes of the short search of the end of a line.
const SHORT_SEARCH: u64 = 100_000;

/// Whether the scores at both ends of a line agree.
fn sound(line: &Line, searcher: &mut dyn Searcher) -> Option<()> {
    let start = score(searcher, line.start(), line.winner())?;
    let agrees = |end: i32| (start - end).abs() <= SLACK + start.abs() / 8;
    holds(agrees(score(searcher, line.end(), line.winner())?))?;
    // Where a shorter search says something else, a longer one may, too.
    holds(line.len() == 0 || agrees(score_with(searcher, line.end(), line.winner(), SHORT_SEARCH)?))
}

/// The number of moves after a line in which its gain must not be lost either.
const AFTERMATH: usize = 6;

/// Whether the winner still has this balance in the last quiet position of the best line from here, and soon.
fn kept(position: &Position, winner: Color, least: i32, searcher: &mut dyn Searcher) -> Option<()> {
    if score(searcher, position, winner)? >= LIMIT {
        return Some(());
    }
    let (_, moves) = searcher.search(position, NODES)?;
    let line = Line::new(position, &moves);
    let keeps = |line: &Line| {
        let last = line.positions().iter().rev().find(|position| material::is_quiet_for_both(position));
        last.is_none_or(|last| balance(last, winner) >= least)
    };
    holds(keeps(&line) && keeps(&line.prefix(AFTERMATH)))
}

/// The most centipawns by which the winner's score may rise on a line that wins more than the best line does.
const DRIFT: i32 = 30;

/// Whether the best line from the start wins about as much as the line, or the other side did not err on it.
fn is_best(line: &Line, had: i32, gain: i32, searcher: &mut dyn Searcher) -> Option<()> {
    let winner = line.winner();
    let drift = score(searcher, line.end(), winner)? - score(searcher, line.start(), winner)?;
    let (_, moves) = searcher.search(line.start(), NODES)?;
    let best = Line::new(line.start(), &moves).prefix(line.len() + 4);
    let last = best.positions().iter().rev().find(|position| material::is_quiet_for_both(position));
    let best = last.map_or(0, |last| balance(last, winner) - had);
    holds(best >= (gain - 1).max(1) || drift < DRIFT)
}

/// The nodes for each reply that a line could have instead, and of the search of one that is as good at first sight.
const GLANCE: u64 = 2_000;
const SECOND_LOOK: u64 = 100_000;

/// The number of replies that get such a search, and by how many centipawns one that loses less material may be worse.
const LOOKED_AT: usize = 3;
const AS_GOOD: i32 = 50;

/// Whether the loser's first reply of a line has no alternative that is about as good and loses less: the last quiet
/// position of the best line after it is not what the winner `wins`.
fn is_forced(line: &Line, wins: impl Fn(&Position) -> bool, searcher: &mut dyn Searcher) -> Option<()> {
    let Some(&reply) = line.moves().get(1) else { return Some(()) };
    let (position, winner) = (line.after(0), line.winner());
    let end = score(searcher, line.end(), winner)?;
    let mut others = Vec::new();
    for mv in position.legal_moves().into_iter().filter(|&mv| mv != reply) {
        let next = position.play_unchecked(mv);
        others.push((score_with(searcher, &next, winner, GLANCE)?, next));
    }
    others.sort_by_key(|&(score, _)| score);
    for (_, next) in others.iter().take(LOOKED_AT) {
        if next.has_legal_move() && score_with(searcher, next, winner, SECOND_LOOK)? <= end + AS_GOOD {
            let (_, moves) = searcher.search(next, SECOND_LOOK)?;
            let best = Line::new(next, &moves).prefix(line.len());
            let last = best.positions().iter().rev().find(|position| material::is_quiet_for_both(position));
            holds(last.is_none_or(&wins))?;
        }
    }
    Some(())
}

/// Whether a reason is one of the position that it is told of, and speaks against the mistake there.
fn is_told_truly(feature: &Feature, [better, refutation]: [&Position; 2], player: Color) -> bool {
    let Feature::Reason { text, of_refutation } = feature else { return true };
    let told = if *of_refutation { refutation } else { better };
    let sign = if player.is_white() { 1.0 } else { -1.0 };
    let reasons = bartizan_eval::explain(told).reasons;
    let speaks = |score: f64| if *of_refutation { sign * score < 0.0 } else { sign * score > 0.0 };
    reasons.iter().any(|reason| &reason.text == text && speaks(reason.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reasons::tests::{Case, Fixed};

    fn hanging_knight() -> Case {
        Case::new(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
            "f3d4",
            "b1c3 b8c6 f1b5",
            "e5d4 f1c4 g8f6",
        )
    }

    #[test]
    fn scores_confirm_or_refute() {
        let case = hanging_knight();
        let context = case.context();
        let claim = material::find(&context, Chance::Allowed, context.refutation).remove(0);
        let after = context.after().key();
        let before = context.before.key();
        let in_line = Line::new(context.before, context.better).prefix(1).end().key();
        let end = Line::new(&context.after(), claim.line()).end().key();
        let mut searcher = Fixed::new([(before, 30), (in_line, -30), (after, 300), (end, -310)]);
        assert!(verify(&claim, &context, &mut searcher));
        // The mistake is none.
        let mut searcher = Fixed::new([(before, 30), (in_line, -30), (after, 0), (end, 0)]);
        assert!(!verify(&claim, &context, &mut searcher));
        // The line is not sound.
        let mut searcher = Fixed::new([(before, 30), (in_line, -30), (after, 300), (end, 0)]);
        assert!(!verify(&claim, &context, &mut searcher));
    }

    #[test]
    fn a_false_gain_is_refuted() {
        let case = hanging_knight();
        let context = case.context();
        let claim = material::find(&context, Chance::Allowed, context.refutation).remove(0);
        let Claim::Material { chance, line, instead, won, given, motif, .. } = claim else { panic!() };
        let false_claim = Claim::Material { chance, line, instead, gain: 5, won, given, motif };
        let mut searcher = Fixed::new([(context.before.key(), 30), (context.after().key(), 300)]);
        assert!(!verify(&false_claim, &context, &mut searcher));
    }
}
