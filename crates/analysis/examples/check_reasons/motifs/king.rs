//! Attacks on the king, and promotions.

use super::{is_answered_on, passed};
use crate::line::{Line, man};
use crate::rules::{attacked_from, attackers};
use crate::second::{Check, require};
use bartizan_position::Position;
use bartizan_types::{Color, Move, PieceType, Square};

pub(super) fn mate_threat(line: &Line<'_>, index: usize, mate: Move) -> Check {
    let after = line.after(index);
    let Some(ready) = passed(after) else { return require(false, || "the move gives check".to_owned()) };
    require(!after.in_check(), || "the move gives check".to_owned())?;
    let mates = ready.play(mate).is_ok_and(|next| next.is_checkmate());
    require(mates, || format!("{mate} would not mate"))?;
    // A mate that was there before is no threat of this move.
    let earlier = line.at(index).play(mate).is_ok_and(|next| next.is_checkmate());
    require(!earlier, || format!("{mate} mated at once"))
}

pub(super) fn double_check(line: &Line<'_>, index: usize) -> Check {
    let after = line.after(index);
    let checkers = attackers(after, line.winner, after.king(!line.winner));
    require(checkers.len() == 2, || format!("{} pieces give check", checkers.len()))
}

/// Whether a side attacks a square from which the other king has left.
fn is_attacked_without_king(position: &Position, by: Color, king: Square, square: Square) -> bool {
    if !attackers(position, by, square).is_empty() {
        return true;
    }
    // A slider may reach the square through the king.
    attackers(position, by, king).into_iter().any(|slider| {
        let reaches = |at: Square| crate::rules::between(slider, at);
        let is_slider = !matches!(position.piece_type_at(slider), Some(PieceType::Pawn | PieceType::Knight));
        is_slider
            && reaches(square).is_some_and(|passed| {
                passed.contains(&king) && passed.iter().all(|&at| at == king || position.piece_at(at).is_none())
            })
    })
}

pub(super) fn back_rank(line: &Line<'_>, index: usize, king: Square) -> Check {
    let after = line.after(index);
    let color = !line.winner;
    require(after.king(color) == king, || format!("no king on {king}"))?;
    let (first, forward) = if color.is_white() { (0, 1) } else { (7, -1) };
    require(king.rank().index() == first, || "the king is not on its first rank".to_owned())?;
    let heavy = |square| matches!(after.piece_type_at(square), Some(PieceType::Rook | PieceType::Queen));
    let checker = attackers(after, line.winner, king).into_iter().find(|&at| at.rank() == king.rank() && heavy(at));
    require(checker.is_some(), || "no rook or queen checks along the rank".to_owned())?;
    let front: Vec<Square> = [-1, 0, 1].into_iter().filter_map(|files| king.offset(files, forward)).collect();
    let own = front.iter().filter(|&&square| man(after, square, color).is_some()).count();
    require(own >= 1, || "no own man stands in front of the king".to_owned())?;
    let shut = |&square: &Square| {
        man(after, square, color).is_some() || is_attacked_without_king(after, line.winner, king, square)
    };
    require(front.iter().all(shut), || "the king can leave the rank".to_owned())
}

pub(super) fn smothered(line: &Line<'_>) -> Check {
    let end = line.end();
    require(end.is_checkmate(), || "no mate".to_owned())?;
    let king = end.king(!line.winner);
    let checkers = attackers(end, line.winner, king);
    let by_knight = checkers.iter().all(|&square| end.piece_type_at(square) == Some(PieceType::Knight));
    require(by_knight, || "not by a knight".to_owned())?;
    let shut = attacked_from(end, king).into_iter().all(|square| man(end, square, !line.winner).is_some());
    require(shut, || "not all squares beside the king hold own men".to_owned())
}

pub(super) fn promotion(line: &Line<'_>, index: usize, piece: PieceType, pawn: Square) -> Check {
    let mv = line.moves[index];
    require(mv.promotes_to() == Some(piece), || format!("{mv} does not promote to a {piece}"))?;
    let origin = line.origin(mv.from(), index);
    require(origin == Some(pawn), || format!("the pawn starts on {origin:?}"))?;
    require(!is_answered_on(line, index, mv.to()), || "the new piece is captured".to_owned())
}
