//! The evaluation in sentences: each feature of the position that one side has and the other lacks, with its worth.

use super::Explanation;
use super::ledger::Ledger;
use super::topics::{Point, Scope, TOPICS, Topic, piece_of};
use crate::formula::{FULL_SCALE, MgEg, strong_side};
use crate::weights::TermGroup;
use bartizan_position::Position;
use bartizan_types::{Color, PieceType, Square};

/// A feature that both sides have counts as balanced if the lesser one has at least this share of the worth of the
/// other.
const BALANCED: f64 = 0.5;

/// Something that the evaluation counts for one side, in words.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reason {
    /// A sentence: "White's rook on d1 controls the open d-file".
    pub text: String,
    /// Its contribution to the score, from White's view, in internal centipawns.
    pub score: f64,
}

/// All reasons for the value of `position`, most important first.
pub(super) fn reasons(position: &Position, ledger: &Ledger, explanation: &Explanation) -> Vec<Reason> {
    let taper = |halves| explanation.tapered(halves);
    let mut reasons = Vec::new();
    for topic in TOPICS {
        for point in points(position, topic, ledger, &taper) {
            reasons.push(Reason { text: (topic.text)(&point), score: point.for_white() });
        }
    }
    reasons.extend(danger(position, explanation));
    reasons.extend(complexity(explanation));
    reasons.extend(scaling(position, explanation));
    reasons.retain(|reason| reason.score.abs() >= 1.0);
    reasons.sort_by(|a, b| b.score.abs().total_cmp(&a.score.abs()));
    reasons
}

fn points<'p>(position: &'p Position, topic: &Topic, ledger: &Ledger, taper: &dyn Fn(MgEg) -> f64) -> Vec<Point<'p>> {
    let mut points: Vec<Point<'p>> = Vec::new();
    for entry in ledger.linear().filter(|entry| topic.terms.contains(&entry.term)) {
        let square = entry.square.filter(|_| topic.scope == Scope::Piece);
        let kind = entry.square.filter(|_| topic.scope == Scope::Kind).and_then(|square| shared_kind(position, square));
        let score = taper(entry.score);
        let is_same = |point: &&mut Point<'_>| (point.side, point.square, point.kind) == (entry.side, square, kind);
        match points.iter_mut().find(is_same) {
            Some(point) => {
                point.score += score;
                if point.main.is_none_or(|main| taper(main.score).abs() < score.abs()) {
                    point.main = Some(*entry);
                }
            }
            None => points.push(Point { position, side: entry.side, square, kind, main: Some(*entry), score }),
        }
    }
    match topic.scope {
        Scope::Piece => without_balanced(points),
        Scope::Side => difference(points, |white, black| white.abs() >= black.abs()),
        Scope::Comparison => difference(points, |white, black| white >= black),
        Scope::Kind => {
            let kinds = PieceType::ALL.map(Some).into_iter().chain([None]);
            kinds
                .flat_map(|kind| difference(points.extract_if(.., |point| point.kind == kind).collect(), |a, b| a >= b))
                .collect()
        }
    }
}

/// The kind of the piece on `square` if both sides have the same number of it.
fn shared_kind(position: &Position, square: Square) -> Option<PieceType> {
    let kind = position.piece_type_at(square)?;
    let count = |color| position.pieces(color, kind).count();
    (count(Color::White) == count(Color::Black)).then_some(kind)
}

/// Leaves out features that both sides have.
fn without_balanced(mut points: Vec<Point<'_>>) -> Vec<Point<'_>> {
    points.sort_by(|a, b| b.score.abs().total_cmp(&a.score.abs()));
    let (mut white, mut black): (Vec<_>, Vec<_>) = points.into_iter().partition(|point| point.side.is_white());
    let mut index = 0;
    while index < white.len() && !black.is_empty() {
        let is_balance = |other: &Point<'_>| {
            let (a, b) = (white[index].score, other.score);
            a * b > 0.0 && a.abs().min(b.abs()) >= BALANCED * a.abs().max(b.abs())
        };
        match black.iter().position(is_balance) {
            Some(other) => {
                white.remove(index);
                black.remove(other);
            }
            None => index += 1,
        }
    }
    white.append(&mut black);
    white
}

/// One point out of both sides' sums. `is_whites` says from the two sums whose feature it is.
fn difference(points: Vec<Point<'_>>, is_whites: impl Fn(f64, f64) -> bool) -> Vec<Point<'_>> {
    let sum = |color| points.iter().filter(|point| point.side == color).map(|point| point.score).sum::<f64>();
    let (white, black) = (sum(Color::White), sum(Color::Black));
    let Some(first) = points.into_iter().next() else { return Vec::new() };
    let (side, score) =
        if is_whites(white, black) { (Color::White, white - black) } else { (Color::Black, black - white) };
    vec![Point { side, score, main: None, ..first }]
}

/// The danger to each king, unless both are in nearly equal danger.
fn danger(position: &Position, explanation: &Explanation) -> Vec<Reason> {
    let row = explanation.row(TermGroup::Danger);
    let point = |side: Color, halves| Point {
        position,
        side,
        square: Some(position.king(!side)),
        kind: None,
        main: None,
        score: explanation.tapered(halves),
    };
    let points = without_balanced(vec![point(Color::White, row.white), point(Color::Black, row.black)]);
    let text = |point: &Point<'_>| format!("{} is exposed to an attack", piece_of(point, !point.side));
    points.iter().map(|point| Reason { text: text(point), score: point.for_white() }).collect()
}

fn complexity(explanation: &Explanation) -> Option<Reason> {
    let row = explanation.row(TermGroup::Complexity);
    let score = explanation.tapered(row.difference());
    let (leader, gain) = if row.black == MgEg::default() { ("White", score) } else { ("Black", -score) };
    let text = match gain > 0.0 {
        true => format!("The pawn structure offers {leader} winning chances in the endgame"),
        false => format!("The pawn structure makes it hard for {leader} to make progress in the endgame"),
    };
    (score != 0.0).then_some(Reason { text, score })
}

fn scaling(position: &Position, explanation: &Explanation) -> Option<Reason> {
    let strong = position.color(strong_side(explanation.sum.eg));
    let can_win = (position.by_type(PieceType::Pawn) | position.orthogonal_sliders()).intersects(strong);
    let text = match explanation.scale {
        FULL_SCALE => return None,
        0 if can_win => "This position is a known draw: the endgame advantage counts for nothing".to_owned(),
        0 => "This material does not win: the endgame advantage counts for nothing".to_owned(),
        scale => format!(
            "Endings of this kind tend to be drawn: only {}% of the endgame advantage counts",
            scale * 100 / FULL_SCALE
        ),
    };
    Some(Reason { text, score: explanation.scaling() })
}
