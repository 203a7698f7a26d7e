//! A queen against a pawn or a piece.

use super::Plan;
use super::view::{View, count};
use bartizan_types::{File, PieceType, Rank};

pub(super) fn against_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Queen against pawn");
    let Some(pawn) = view.piece(view.weak(), PieceType::Pawn) else { return plan };
    let (strong, weak) = (view.strong_name(), view.weak_name());
    let promotion = View::promotion(view.weak(), pawn);
    let plan = plan.mark(promotion.bitboard());
    if let Some(text) = view.capture_by_weak() {
        return plan.say(text);
    }
    let rank = View::rank_for(view.weak(), pawn);
    let is_near = rank == Rank::Seventh;
    if view.is_drawn() && !(is_near && matches!(pawn.file(), File::A | File::C | File::F | File::H)) {
        return plan.say(view.exception());
    }
    if rank == Rank::Sixth && !view.is_strong_to_move() && !view.is_won() {
        return plan.say(format!(
            "The pawn on {pawn} can step on its seventh rank. Usually the queen still stops it, by a check or from \
             before, and {strong}'s king comes; a rook's or bishop's pawn draws if that king is far away.",
        ));
    }
    if !is_near {
        return plan.say(format!(
            "The pawn on {pawn} is not yet on its seventh rank: the queen stops it, by a check or from before, and \
             {strong}'s king comes.",
        ));
    }
    let (kind, rule) = match pawn.file() {
        File::A | File::H => (
            "a rook's pawn",
            format!(
                "When the queen drives {weak}'s king to {promotion}, it is stalemate unless she lets it out again, so \
                 {strong} wins only if its own king is near enough to mate after the promotion."
            ),
        ),
        File::C | File::F => (
            "a bishop's pawn",
            format!(
                "{weak}'s king may go to the corner instead of {promotion}: taking the pawn is stalemate then, so \
                 {strong} wins only if its own king is near."
            ),
        ),
        _ => (
            "a centre's or knight's pawn",
            format!(
                "By checks the queen comes nearer until {weak}'s king has to step to {promotion}, before its pawn. \
                 Each time, {strong}'s king gains a move to come near."
            ),
        ),
    };
    plan.say(format!("The pawn on {pawn} is one step from promotion, and it is {kind}.")).say(rule).say(format!(
        "{strong}'s king on {} is {} away from {promotion}.",
        view.king(),
        count(u32::from(view.king().distance(promotion)), "move")
    ))
}

pub(super) fn against_rook(view: &View<'_>) -> Plan {
    let plan = Plan::new("Queen against rook");
    if view.is_drawn() {
        return plan.say(view.exception());
    }
    plan.say(format!(
        "{}'s king and queen drive the other king to the edge while its rook stays beside it. There {} must be \
             brought to move: then the rook has to leave the king, and the queen wins it by a double attack.",
        view.strong_name(),
        view.weak_name()
    ))
    .say(
        "The rook's best defence is the third rank or file from the edge, where it keeps the king away. Break it \
             by quiet moves of the queen, not by checks. Beware of stalemate in the corner, and of checks by which the \
             rook offers itself for stalemate.",
    )
}

pub(super) fn against_minor(view: &View<'_>) -> Plan {
    let piece = if view.material == "KQKB" { "bishop" } else { "knight" };
    let title = if piece == "bishop" { "Queen against bishop" } else { "Queen against knight" };
    if view.is_drawn() {
        return Plan::new(title).say(view.exception());
    }
    Plan::new(title).say(format!(
        "The queen takes squares from the king, and {}'s king comes near. The {piece} cannot hold both its king and \
         itself: look for double attacks when they stand apart.",
        view.strong_name()
    ))
}
