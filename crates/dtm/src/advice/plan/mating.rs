//! Mates against a bare king.

use super::Plan;
use super::view::{View, color_of, corners, count, list, nearest};
use bartizan_types::{PieceType, Square};

/// The outer ring of the board.
fn is_on_edge(square: Square) -> bool {
    matches!(square.file().index(), 0 | 7) || matches!(square.rank().index(), 0 | 7)
}

fn cage_sentence(view: &View<'_>) -> String {
    let cage = view.cage();
    format!(
        "{}'s king can reach {} as the pieces stand; each move of {} should make it fewer, or keep them and bring a \
         piece nearer.",
        view.weak_name(),
        count(cage.count(), "square"),
        view.strong_name()
    )
}

/// A queen or a rook, alone or with another piece.
pub(super) fn heavy(view: &View<'_>) -> Plan {
    let (strong, weak) = (view.strong_name(), view.weak_name());
    let (title, method) = match view.material.as_str() {
        "KQK" => (
            "Queen against king",
            format!(
                "The queen takes squares from the king, best from a knight's move away, until it stands on the edge; \
                 then {strong}'s king comes, and they mate together. Beware of stalemate when the king is in a corner."
            ),
        ),
        "KRK" => (
            "Rook against king",
            format!(
                "The rook shuts the king in behind a rank or a file, and {strong}'s king protects it and takes the \
                 squares before {weak}'s king. When the kings stand face to face, a check drives it one line back. A \
                 waiting move of the rook gains the turn where that is needed."
            ),
        ),
        _ => (
            "Two pieces against king",
            format!(
                "The pieces drive {weak}'s king to the edge; two heavy pieces do so alone, line by line, and another \
                 pair with the help of {strong}'s king. Beware of stalemate."
            ),
        ),
    };
    if view.is_drawn() {
        return Plan::new(title).say(view.exception());
    }
    let plan = Plan::new(title).say(method);
    if view.is_won() { plan.say(cage_sentence(view)).mark(view.cage()) } else { plan }
}

pub(super) fn two_bishops(view: &View<'_>) -> Plan {
    let plan = Plan::new("Two bishops against king");
    if view.has_bishops_of_one_color() {
        return plan.say("Both bishops run on squares of one colour, so there is no mate.");
    }
    if view.is_drawn() {
        return plan.say(view.exception());
    }
    let plan = plan.say(format!(
        "Side by side, the bishops close neighbouring diagonals like a wall, and {}'s king drives the other one along \
         it into a corner: any corner will do.",
        view.strong_name()
    ));
    if view.is_won() { plan.say(cage_sentence(view)).mark(view.cage()) } else { plan }
}

pub(super) fn bishop_and_knight(view: &View<'_>) -> Plan {
    let plan = Plan::new("Bishop and knight against king");
    let Some(bishop) = view.piece(view.strong, PieceType::Bishop) else { return plan };
    if view.is_drawn() {
        return plan.say(view.exception());
    }
    let light = bishop.is_light();
    let (right, wrong) = (corners(light), corners(!light));
    let king = view.weak_king();
    let (to, from) = (nearest(king, right), nearest(king, wrong));
    let squares = right[0].bitboard() | right[1].bitboard();
    let plan = plan
        .say(format!(
            "Mate can be forced only in a corner of the bishop's colour. The bishop runs on {} squares, so the corners \
             are {}.",
            color_of(light),
            list(squares)
        ))
        .mark(squares);
    let plan = if !is_on_edge(king) {
        plan.say(format!(
            "First drive the king to the edge: {}'s king stands near it, the knight and the bishop take the squares \
             that it leaves free. The king runs to {from}, which is the wrong corner.",
            view.strong_name()
        ))
    } else if king.distance(to) <= king.distance(from) {
        plan.say(format!(
            "The king is on the edge, near {to}. Keep it there: the bishop and the king shut the way back towards \
             {from}, and the knight takes the last squares."
        ))
    } else {
        plan.say(format!(
            "The king is on the edge, near the wrong corner {from}. Drive it along the edge to {to}: the knight goes \
             on the path of the letter W, the king keeps pace on the third line, and the bishop closes the gap through \
             which it would escape."
        ))
    };
    plan.say("Done well, this takes at most 33 moves, so there is time within the 50-move rule, but not for two tries.")
}

pub(super) fn two_knights(view: &View<'_>) -> Plan {
    let plan = Plan::new("Two knights against king");
    if view.is_won() {
        return plan.say("As a rule, two knights cannot force mate, but this position is won.");
    }
    plan.say(
        "Two knights cannot force mate: where the king would be mated in the corner, the move before was stalemate. A \
         pawn of the other side would change this.",
    )
}
