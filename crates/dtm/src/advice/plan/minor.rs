//! Bishops and knights.

use super::Plan;
use super::view::{View, color_of, count, is_rook_file};
use bartizan_attacks as attacks;
use bartizan_types::{Bitboard, PieceType, Rank, Square};

pub(super) fn bishop_and_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Bishop and pawn against king");
    let (Some(bishop), Some(pawn)) =
        (view.piece(view.strong, PieceType::Bishop), view.piece(view.strong, PieceType::Pawn))
    else {
        return plan;
    };
    let corner = View::promotion(view.strong, pawn);
    if !is_rook_file(pawn.file()) || corner.is_light() == bishop.is_light() {
        if view.is_drawn() {
            return plan.say(view.exception());
        }
        if let Some((piece, square)) = view.capture().filter(|_| view.is_won() && !view.is_strong_to_move()) {
            return plan.say(format!(
                "{} can take the {piece} on {square}, but the pawn promotes all the same.",
                view.weak_name()
            ));
        }
        if view.is_won() {
            return plan.say("The bishop guards the pawn and its square while the king comes: the pawn promotes.");
        }
        return plan
            .say("As a rule, the bishop guards the pawn and its square while the king comes, and the pawn promotes.");
    }
    plan.mark(corner.bitboard())
        .say(format!(
            "It is the wrong bishop: the pawn promotes on {corner}, and the bishop runs on {} squares. If {}'s king \
             reaches the corner, nothing drives it out, and it is a draw.",
            color_of(bishop.is_light()),
            view.weak_name()
        ))
        .say(format!(
            "{}'s king on {} is {} away from {corner}; to win, {} has to cut it off.",
            view.weak_name(),
            view.weak_king(),
            count(u32::from(view.weak_king().distance(corner)), "move"),
            view.strong_name()
        ))
}

pub(super) fn knight_and_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Knight and pawn against king");
    let Some(pawn) = view.piece(view.strong, PieceType::Pawn) else { return plan };
    if view.is_drawn() && (view.taken().is_some() || !is_rook_file(pawn.file())) {
        return plan.say(view.exception());
    }
    let plan = plan.say(format!(
        "The knight guards the pawn from behind, where the king cannot drive it away, while {}'s king comes.",
        view.strong_name()
    ));
    if !is_rook_file(pawn.file()) {
        return plan;
    }
    let corner = View::promotion(view.strong, pawn);
    plan.mark(corner.bitboard()).say(format!(
        "It is a rook's pawn: do not push it to the seventh rank while {}'s king can reach {corner}. There it could \
         neither be driven out nor be given a move.",
        view.weak_name()
    ))
}

pub(super) fn bishops(view: &View<'_>) -> Plan {
    let plan = Plan::new("Bishop and pawn against bishop");
    let bishop = |color| view.piece(color, PieceType::Bishop);
    let (Some(ours), Some(theirs), Some(pawn)) =
        (bishop(view.strong), bishop(view.weak()), view.piece(view.strong, PieceType::Pawn))
    else {
        return plan;
    };
    let (strong, weak) = (view.strong_name(), view.weak_name());
    let is_quiet = view.capture().is_none();
    if ours.is_light() != theirs.is_light() {
        let rank = View::rank_for(view.strong, pawn);
        let is_early = rank <= if view.is_strong_to_move() { Rank::Fourth } else { Rank::Fifth };
        let path: Bitboard = (rank.index() + 1..8)
            .map(|rank| Square::new(pawn.file(), view.strong.relative_rank(Rank::from_index(rank))))
            .collect();
        // The other bishop attacks neither the squares of this one nor a king on such a square.
        let guarded = attacks::bishop(theirs, view.position.occupied()) | theirs.bitboard();
        let king = if view.weak_king().is_light() == theirs.is_light() {
            view.weak_king().bitboard()
        } else {
            Bitboard::EMPTY
        };
        let is_stopped = (guarded | king).intersects(path);
        if view.is_won() {
            return plan.say("As a rule, bishops on squares of different colours draw, but this position is won.");
        }
        if !view.is_drawn() && !(is_quiet && (is_early || is_stopped)) {
            return plan.say(format!(
                "Bishops on squares of different colours: it is a draw if {weak}'s bishop reaches a diagonal that \
                 crosses the pawn's path, or the king a square before it, and no bishop is lost."
            ));
        }
        return plan.say(format!(
            "Bishops on squares of different colours: {weak} gives the bishop for the pawn, or stops it on a square \
             that the other bishop cannot attack. It is nearly always a draw."
        ));
    }
    let promotion = View::promotion(view.strong, pawn);
    let plan = plan.mark(promotion.bitboard());
    if (view.is_drawn() || view.outcome.is_none() && is_quiet)
        && view.weak_king().file() == pawn.file()
        && View::rank_for(view.strong, view.weak_king()) > View::rank_for(view.strong, pawn)
        && view.weak_king().is_light() != ours.is_light()
    {
        return plan.say(format!(
            "{weak}'s king stands before the pawn on a square that the bishop cannot attack: nothing drives it away, \
             and it is a draw."
        ));
    }
    plan.say(format!(
        "Bishops on squares of the same colour: {weak}'s bishop must hold a diagonal that crosses the pawn's path. \
         {strong} drives it off one diagonal and closes the other, and wins if the shorter one has \
         less than four squares."
    ))
}

pub(super) fn two_knights_against_pawn(view: &View<'_>) -> Plan {
    let plan = Plan::new("Two knights against pawn");
    let Some(pawn) = view.piece(view.weak(), PieceType::Pawn) else { return plan };
    let rank = View::rank_for(view.weak(), pawn);
    // Troitsky's line by files a to d, in ranks from the pawn's side: a4, b6, c5 and d4 for a black pawn.
    let line = [Rank::Fifth, Rank::Third, Rank::Fourth, Rank::Fifth];
    let line = line[pawn.file().index().min(7 - pawn.file().index())];
    let safe = if rank <= line { "not beyond" } else { "beyond" };
    let start = if view.is_drawn() { "To win, one knight" } else { "One knight" };
    plan.say(format!(
        "{start} blocks the pawn, the king and the other knight drive {}'s king into a corner, and then the \
         blocking knight comes to mate: the pawn's move saves the king from stalemate.",
        view.weak_name()
    ))
    .say(format!(
        "The pawn on {pawn} is {safe} Troitsky's line, up to which the blocked pawn is always lost in the end, but \
         often not within the 50-move rule."
    ))
}

pub(super) fn two_bishops_against_knight(view: &View<'_>) -> Plan {
    let plan = Plan::new("Two bishops against knight");
    if view.has_bishops_of_one_color() {
        return plan.say(if view.is_won() {
            "As a rule, bishops on squares of one colour cannot force mate, but this position is won."
        } else {
            "Both bishops run on squares of one colour, so they cannot force mate."
        });
    }
    if view.is_drawn() {
        return plan.say(view.exception());
    }
    plan.say(format!(
        "The bishops win against the knight, but it may take 78 moves, so the 50-move rule often saves {}. Take the \
         squares from the knight and drive it away from its king; it holds longest on b2, b7, g2 or g7 beside \
         the king.",
        view.weak_name()
    ))
}
