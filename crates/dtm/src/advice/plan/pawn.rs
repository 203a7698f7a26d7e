//! Kings and pawns.

use super::Plan;
use super::view::{View, count, is_rook_file, list};
use crate::advice::TheoreticalResult;
use bartizan_types::{Bitboard, Color, PieceType, Rank, Square};

/// The squares from which the king wins for a pawn that is not lost at once, whoever is to move.
pub(super) fn key_squares(color: Color, pawn: Square) -> Bitboard {
    let beside = |square: Square| [-1, 0, 1].into_iter().filter_map(move |files| square.offset(files, 0));
    let ahead = |ranks: i8| pawn.relative_to(color).offset(0, ranks).map(|square| square.relative_to(color));
    if is_rook_file(pawn.file()) {
        // The king can escort the pawn to promotion only from the neighbouring file.
        let at = |rank: Rank| Square::new(pawn.file(), color.relative_rank(rank));
        let next = |square: Square| square.offset(1, 0).or_else(|| square.offset(-1, 0));
        return [at(Rank::Seventh), at(Rank::Eighth)].into_iter().filter_map(next).collect();
    }
    let rows: &[i8] = match View::rank_for(color, pawn) {
        Rank::Fifth => &[1, 2],
        Rank::Sixth => &[1],
        Rank::Seventh => &[0, 1],
        _ => &[2],
    };
    rows.iter().filter_map(|&row| ahead(row)).flat_map(beside).filter(|&square| square != pawn).collect()
}

/// The moves that an unescorted pawn needs to promote, plus one for its own king if that stands in front of it.
fn moves_to_promote(view: &View<'_>, color: Color, pawn: Square) -> u8 {
    let king = view.position.king(color);
    let rank = View::rank_for(color, pawn);
    let steps = 7 - rank as u8 - u8::from(rank == Rank::Second);
    steps + u8::from(king.file() == pawn.file() && View::rank_for(color, king) > rank)
}

/// Whether the other king catches an unescorted pawn.
fn is_in_square(view: &View<'_>, color: Color, pawn: Square) -> bool {
    let king = view.position.king(color.flip());
    let lead = u8::from(view.position.turn() != color);
    king.distance(View::promotion(color, pawn)) <= moves_to_promote(view, color, pawn) + lead
}

/// Which side has the opposition, if the kings face each other on a file or rank with an odd number of squares between
/// them.
fn opposition(view: &View<'_>) -> Option<(Color, &'static str)> {
    let (a, b) = (view.king(), view.weak_king());
    let (files, ranks) = (a.file().distance(b.file()), a.rank().distance(b.rank()));
    let apart = files.max(ranks);
    let on_line = files == 0 || ranks == 0;
    let kind = match apart {
        _ if !on_line || apart % 2 == 1 => return None,
        2 => "opposition",
        _ => "distant opposition",
    };
    Some((view.position.turn().flip(), kind))
}

pub(super) fn one(view: &View<'_>) -> Plan {
    let plan = Plan::new("Pawn against king");
    let Some(pawn) = view.piece(view.strong, PieceType::Pawn) else { return plan };
    let (strong, weak) = (view.strong_name(), view.weak_name());
    if view.is_won() && !is_in_square(view, view.strong, pawn) {
        return plan
            .say(format!(
                "The pawn runs: it promotes in {}, and {weak}'s king, on {}, is outside of its square and comes too \
                 late.",
                count(u32::from(moves_to_promote(view, view.strong, pawn)), "move"),
                view.weak_king()
            ))
            .mark(View::promotion(view.strong, pawn).bitboard());
    }
    if view.taken().is_some() {
        return plan.say(view.exception());
    }
    let keys = key_squares(view.strong, pawn);
    let mut plan = plan.mark(keys);
    if view.is_drawn() && keys.contains(view.king()) {
        return plan.say(format!(
            "{strong}'s king stands on {}, a key square of the pawn on {pawn} ({}), but {weak}'s king is too close to \
             the pawn.",
            view.king(),
            list(keys)
        ));
    }
    plan = if keys.contains(view.king()) {
        let ahead = if is_rook_file(pawn.file()) {
            "from which it leads the pawn to its last rank, if the other king does not take it first"
        } else {
            "so the pawn gets through whoever is to move, unless it can be taken"
        };
        plan.say(format!(
            "{strong}'s king stands on {}, a key square of the pawn on {pawn} ({}), {ahead}.",
            view.king(),
            list(keys)
        ))
    } else {
        plan.say(format!(
            "The key squares of the pawn on {pawn} are {}: the pawn gets through if {strong}'s king reaches one of \
             them. {weak}'s king has to keep it away.",
            list(keys)
        ))
    };
    if is_rook_file(pawn.file()) {
        plan = plan.say(format!(
            "It is a rook's pawn: once {weak}'s king is in the corner {}, or shuts {strong}'s king in before its own \
             pawn, it is a draw.",
            View::promotion(view.strong, pawn)
        ));
    } else if let Some((holder, kind)) = opposition(view)
        && view.outcome.is_none_or(|outcome| (outcome == TheoreticalResult::Win) == (holder == view.strong))
    {
        plan = plan.say(format!(
            "The kings stand on {} and {}, and {} has to move: {} has the {kind}, so the king to move has to give way.",
            view.king(),
            view.weak_king(),
            view.position.turn().name(),
            holder.name()
        ));
    } else if view.is_drawn() {
        let is_before = View::rank_for(view.strong, view.weak_king()) > View::rank_for(view.strong, pawn);
        if !is_before {
            return plan;
        }
        plan = plan.say(format!(
            "{weak} stays before the pawn and goes straight back, so that after each step of {strong}'s king it can \
             take the opposition."
        ));
    } else {
        plan = plan.say("The king goes first and the pawn follows; a spare move of the pawn gains the opposition.");
    }
    plan
}

pub(super) fn race(view: &View<'_>) -> Plan {
    let plan = Plan::new("Pawn against pawn");
    let (Some(ours), Some(theirs)) =
        (view.piece(view.strong, PieceType::Pawn), view.piece(view.weak(), PieceType::Pawn))
    else {
        return plan;
    };
    let run = |color: Color, pawn: Square| {
        let caught = if is_in_square(view, color, pawn) { "is within its square" } else { "does not catch it alone" };
        format!(
            "{}'s pawn on {pawn} needs {}; the other king, on {}, {caught}.",
            color.name(),
            count(u32::from(moves_to_promote(view, color, pawn)), "move"),
            view.position.king(color.flip()),
        )
    };
    let plan = plan.say(run(view.strong, ours)).say(run(view.weak(), theirs));
    let blocked =
        ours.file() == theirs.file() && View::rank_for(view.strong, ours) < View::rank_for(view.strong, theirs);
    if blocked {
        plan.say(
            "The pawns block each other: the king that attacks the other pawn from the side first, with its own king's \
             pawn still protected, wins it. Kings that come from two sides must not step on the critical square first.",
        )
    } else {
        plan.say(
            "Count the moves of both pawns. A king may go for both aims at once: towards the enemy's pawn and to the \
             help of its own. Look whether the first queen gives check, or takes the square on which the other one \
             promotes.",
        )
    }
}

pub(super) fn two(view: &View<'_>) -> Plan {
    let plan = Plan::new("Two pawns against king");
    let pawns = view.position.pieces(view.strong, PieceType::Pawn);
    let files: Vec<usize> = pawns.into_iter().map(|pawn| pawn.file().index()).collect();
    let apart = files.iter().max().zip(files.iter().min()).map_or(0, |(most, least)| most - least);
    let rook_file = pawns.into_iter().all(|pawn| is_rook_file(pawn.file()));
    match apart {
        0 if rook_file => plan.say(format!(
            "Doubled rook's pawns win no more than one: with {}'s king in the corner it is a draw.",
            view.weak_name()
        )),
        _ if view.is_drawn() => plan.say(view.exception()),
        0 => plan.say("Doubled pawns: the rear one gives a spare move, which gains the opposition for the king."),
        1 => plan.say(format!(
            "Connected pawns protect each other: if the king takes the rear one, the front one runs. {}'s king comes, \
             and then the pawns advance side by side.",
            view.strong_name()
        )),
        _ => plan.say(format!(
            "The pawns are {} apart. The king of {} has to watch both; when it goes for one, the other advances.",
            count(apart as u32, "file"),
            view.weak_name()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_attacks as attacks;
    use bartizan_eval::kpk;

    /// The textbook rule holds in every legal position but four: a king on a key square wins unless the pawn is
    /// captured at once. A rook's pawn may also be lost later, because the king is far from it.
    #[test]
    fn a_king_on_a_key_square_wins() {
        let (mut positions, mut lost) = (0, Vec::new());
        for color in [Color::White, Color::Black] {
            for pawn in (0..64).map(Square::from_index) {
                if matches!(pawn.rank(), Rank::First | Rank::Eighth) || is_rook_file(pawn.file()) {
                    continue;
                }
                for king in key_squares(color, pawn) {
                    for other in (0..64).map(Square::from_index) {
                        let taken = other == pawn || other == king || attacks::king(king).contains(other);
                        for turn in [Color::White, Color::Black] {
                            let in_check = turn == color && attacks::pawn(color, pawn).contains(other);
                            let hangs = attacks::king(other).contains(pawn) && !attacks::king(king).contains(pawn);
                            if taken || in_check || hangs {
                                continue;
                            }
                            positions += 1;
                            let won = kpk::is_win(color, king, pawn, other, turn);
                            if !won {
                                lost.push(format!("{king} {pawn} {other}"));
                            }
                        }
                    }
                }
            }
        }
        assert!(positions > 28_000, "{positions}");
        // Stalemate.
        assert_eq!(lost, ["c7 b6 a8", "f7 g6 h8", "c2 b3 a1", "f2 g3 h1"]);
    }

    #[test]
    fn key_squares_are_those_of_the_books() {
        let list_of = |color, pawn: &str| list(key_squares(color, pawn.parse().unwrap()));
        assert_eq!(list_of(Color::White, "e2"), "d4, e4 and f4");
        assert_eq!(list_of(Color::White, "e5"), "d6, e6, f6, d7, e7 and f7");
        assert_eq!(list_of(Color::Black, "b5"), "a3, b3 and c3");
        assert_eq!(list_of(Color::White, "a2"), "b7 and b8");
        assert_eq!(list_of(Color::Black, "h4"), "g1 and g2");
    }
}
