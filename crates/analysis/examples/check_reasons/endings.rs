//! Checks claims about endings: results, and pawns that cannot be stopped.

use crate::draws::DRAWN;
use crate::rules::attackers;
use crate::second::{Check, Verifier, require};
use bartizan_position::Position;
use bartizan_review::reasons::claim::{Chance, EndingKind, Source, Verdict};
use bartizan_types::{Color, Move, PieceType, Square};

/// The least score of a won ending, in centipawns.
const WON: i32 = 200;

/// The most men of an ending besides kings and pawns.
const MOST_PIECES: usize = 5;

/// The least score of the side with a pawn that cannot be stopped.
const RUNNING: i32 = 300;

pub(crate) fn check_result(
    verifier: &Verifier<'_>,
    kind: EndingKind,
    (from, to): (Verdict, Verdict),
    source: Source,
) -> Check {
    let (before, after) = (&verifier.mistake.before, verifier.mistake.after());
    for position in [before, &after] {
        let count = pieces(position).len();
        require(count <= MOST_PIECES, || format!("{count} pieces are no ending"))?;
    }
    let found = kind_of(&after);
    require(found == kind, || format!("the ending is {found:?}"))?;
    let rank = |verdict| match verdict {
        Verdict::Won => 2,
        Verdict::Drawn => 1,
        Verdict::Lost => 0,
    };
    require(rank(from) > rank(to), || "the result does not get worse".to_owned())?;
    // Without tables here, a verdict of theirs must at least not contradict the search.
    let slack = if source == Source::Table { 100 } else { 0 };
    for (position, verdict, name) in [(before, from, "before"), (&after, to, "after")] {
        let score = verifier.score(position, verifier.player())?;
        let holds = match verdict {
            Verdict::Won => score >= WON - slack,
            Verdict::Drawn => score.abs() <= DRAWN + slack,
            Verdict::Lost => score <= slack - WON,
        };
        require(holds, || format!("{name} the move the search gives {score}, not {verdict:?}"))?;
    }
    Ok(())
}

/// The kinds of all men besides kings and pawns.
fn pieces(position: &Position) -> Vec<PieceType> {
    let kinds = position.placement().map(|(_, piece)| piece.piece_type());
    kinds.filter(|kind| !matches!(kind, PieceType::King | PieceType::Pawn)).collect()
}

fn kind_of(position: &Position) -> EndingKind {
    let kinds = pieces(position);
    let only = |allowed: &[PieceType]| kinds.iter().all(|kind| allowed.contains(kind));
    match () {
        () if kinds.is_empty() => EndingKind::Pawns,
        () if only(&[PieceType::Knight]) => EndingKind::Knights,
        () if only(&[PieceType::Bishop]) => EndingKind::Bishops,
        () if only(&[PieceType::Knight, PieceType::Bishop]) => EndingKind::Minors,
        () if only(&[PieceType::Rook]) => EndingKind::Rooks,
        () if only(&[PieceType::Queen]) => EndingKind::Queens,
        () => EndingKind::Mixed,
    }
}

pub(crate) fn check_pawn(verifier: &Verifier<'_>, chance: Chance, line: &[Move], pawn: Square) -> Check {
    let winner = verifier.winner(chance);
    let start = verifier.start(chance);
    let score = verifier.score(&start, winner)?;
    require(score >= RUNNING, || format!("the search gives only {score}"))?;
    let positions = verifier.sound(&start, line, winner)?;
    let end = &positions[line.len()];
    let is_pawn = end.piece_at(pawn) == Some(PieceType::Pawn.of(winner));
    require(is_pawn, || format!("no pawn on {pawn}"))?;
    let mut others = end.placement().filter(|(_, piece)| piece.color() != winner);
    let is_bare = others.all(|(_, piece)| matches!(piece.piece_type(), PieceType::King | PieceType::Pawn));
    require(is_bare, || "the other side has pieces".to_owned())?;
    let left = distance(pawn, winner);
    let mut path = (1..=left).filter_map(|ranks| pawn.offset(0, if winner.is_white() { ranks } else { -ranks }));
    let blocked = path.find(|&square| end.piece_at(square).is_some());
    require(blocked.is_none(), || "the pawn is blocked".to_owned())?;
    for (square, piece) in end.placement() {
        if piece == PieceType::Pawn.of(!winner) {
            let near = distance(square, !winner);
            require(near > left, || format!("the pawn on {square} is as near"))?;
        }
    }
    require(runs(end, pawn, winner), || "the pawn can be stopped".to_owned())
}

/// The ranks that a pawn has left.
fn distance(pawn: Square, color: Color) -> i8 {
    let rank = pawn.rank().index() as i8;
    if color.is_white() { 7 - rank } else { rank }
}

/// Whether a pawn that does nothing but run promotes and is not taken at once, against any play. The winner's other men
/// stay where they are.
fn runs(position: &Position, pawn: Square, winner: Color) -> bool {
    if position.turn() == winner {
        let pushes = position.legal_moves().into_iter().filter(|mv| mv.from() == pawn && mv.to().file() == pawn.file());
        let promotes = |mv: &Move| mv.promotes_to().is_none_or(|kind| kind == PieceType::Queen);
        return pushes.filter(promotes).any(|mv| {
            let next = position.play_unchecked(mv);
            if mv.is_promotion() {
                // Taken at once, or mated by what the other side has: it has only pawns.
                let takers = attackers(&next, !winner, mv.to());
                return takers.is_empty() || !next.legal_moves().into_iter().any(|reply| reply.to() == mv.to());
            }
            runs(&next, mv.to(), winner)
        });
    }
    let replies = position.legal_moves();
    // Stalemate stops it, too.
    let is_stopped = |reply| {
        let next = position.play_unchecked(reply);
        next.piece_at(pawn) != Some(PieceType::Pawn.of(winner)) || !runs(&next, pawn, winner)
    };
    if replies.is_empty() { position.in_check() } else { !replies.into_iter().any(is_stopped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs_from(fen: &str, pawn: Square) -> bool {
        runs(&Position::from_fen(fen).unwrap(), pawn, Color::White)
    }

    #[test]
    fn a_king_in_the_square_stops_a_pawn() {
        assert!(runs_from("8/8/7k/1P6/8/8/8/K7 w - - 0 1", Square::B5));
        assert!(!runs_from("8/8/5k2/1P6/8/8/8/K7 b - - 0 1", Square::B5));
        // With the double step, one square further.
        assert!(runs_from("8/8/8/7k/8/8/1P6/7K w - - 0 1", Square::B2));
        assert!(!runs_from("8/8/8/5k2/8/8/1P6/7K w - - 0 1", Square::B2));
    }

    #[test]
    fn a_king_beside_it_keeps_the_other_king_away() {
        // Black's king must go around White's on c7.
        assert!(runs_from("8/2K5/8/1P1k4/8/8/8/8 w - - 0 1", Square::B5));
        assert!(!runs_from("8/8/8/1P1k4/8/8/8/7K b - - 0 1", Square::B5));
    }

    #[test]
    fn a_pawn_that_is_taken_or_met_with_check_does_not_run() {
        // g6 takes on the way.
        assert!(!runs_from("8/8/6pk/7P/8/8/8/K7 w - - 0 1", Square::H5));
        // Black promotes with check.
        assert!(!runs_from("8/8/7k/1P6/8/8/2p5/K7 b - - 0 1", Square::B5));
    }
}
