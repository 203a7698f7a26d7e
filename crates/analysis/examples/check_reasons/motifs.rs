//! Checks how a line is said to win.

mod attack;
mod defence;
mod hanging;
mod king;

use crate::line::{Line, captured_square, man};
use crate::rules::{attackers, attacks, exchange, worth};
use crate::second::{Check, Verifier, require};
use bartizan_position::{Position, Tolerance};
use bartizan_review::reasons::claim::{Chance, Motif, Target};
use bartizan_types::{Color, PieceType, Square};

pub(crate) fn check(verifier: &Verifier<'_>, motif: Option<&Motif>, line: &Line<'_>, chance: Chance) -> Check {
    let Some(motif) = motif else { return Ok(()) };
    if let Some(index) = index_of(motif) {
        require(index < line.moves.len() && index.is_multiple_of(2), || format!("no move {index} of the winner"))?;
    }
    match motif {
        Motif::Hanging { index, square, piece, exposure } => {
            hanging::check(verifier, line, chance, (*index, *square, *piece), *exposure)
        }
        Motif::Fork { index, piece, targets } => attack::fork(verifier, line, *index, *piece, targets),
        Motif::DoubleAttack { index, targets } => attack::double_attack(line, *index, targets),
        Motif::Pin { index, pinner, pinned, behind, holds } => {
            attack::pin(line, *index, [pinner, pinned, behind], *holds)
        }
        Motif::Skewer { index, slider, front, behind } => attack::skewer(line, *index, slider, front, behind),
        Motif::DiscoveredAttack { index, slider, target } => attack::discovered(line, *index, slider, target),
        Motif::Trapped { index, target } => attack::trapped(verifier, line, *index, target),
        Motif::Threat { index, attacker, target } => attack::threat(line, *index, attacker, target),
        Motif::MateThreat { index, mate } => king::mate_threat(line, *index, *mate),
        Motif::DoubleCheck { index } => king::double_check(line, *index),
        Motif::BackRank { index, king } => king::back_rank(line, *index, *king),
        Motif::SmotheredMate => king::smothered(line),
        Motif::Promotion { index, piece, pawn } => king::promotion(line, *index, *piece, *pawn),
        Motif::Overloaded { index, defender, first, second } => {
            defence::overloaded(line, *index, defender, *first, *second)
        }
        Motif::RemovedDefender { index, defender, target } => {
            defence::removed(verifier, line, *index, defender, target)
        }
        Motif::Deflection { index, defender, target } => defence::deflected(line, *index, defender, target),
        Motif::Zwischenzug { index, square } => defence::in_between(verifier, line, chance, *index, *square),
    }
}

fn index_of(motif: &Motif) -> Option<usize> {
    match motif {
        Motif::Hanging { index, .. }
        | Motif::Fork { index, .. }
        | Motif::DoubleAttack { index, .. }
        | Motif::Pin { index, .. }
        | Motif::Skewer { index, .. }
        | Motif::DiscoveredAttack { index, .. }
        | Motif::Trapped { index, .. }
        | Motif::Threat { index, .. }
        | Motif::MateThreat { index, .. }
        | Motif::DoubleCheck { index }
        | Motif::BackRank { index, .. }
        | Motif::Promotion { index, .. }
        | Motif::Overloaded { index, .. }
        | Motif::RemovedDefender { index, .. }
        | Motif::Deflection { index, .. }
        | Motif::Zwischenzug { index, .. } => Some(*index),
        Motif::SmotheredMate => None,
    }
}

/// Refutes the claim unless a side's man stands where it is said to.
fn require_man(position: &Position, target: &Target, color: Color) -> Check {
    let Target { piece, square } = *target;
    require(man(position, square, color) == Some(piece), || format!("no {piece} on {square}: {}", position.to_fen()))
}

/// The same position with the other side to move; `None` if its king could be captured.
fn passed(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.turn = !setup.turn;
    setup.en_passant = None;
    setup.validate(Tolerance::ALL).ok()
}

/// Whether a man could be taken back if the other side captured it with the man on `taker`.
fn is_protected(position: &Position, taker: Square, target: Square) -> bool {
    let Some(owner) = position.piece_at(target).map(|piece| piece.color()) else { return false };
    let ready = if position.turn() == owner { passed(position) } else { Some(position.clone()) };
    let capture = ready.and_then(|ready| {
        let mv = ready.legal_moves().into_iter().find(|mv| mv.from() == taker && mv.to() == target)?;
        Some(ready.play_unchecked(mv))
    });
    match capture {
        Some(next) => next.legal_moves().into_iter().any(|mv| mv.to() == target && next.is_capture(mv)),
        // Nobody can tell by moves: the owner's king is in check. Men that are pinned to it protect nothing.
        None => {
            let pinned = position.pinned();
            attackers(position, owner, target).into_iter().any(|square| !pinned.contains(square))
        }
    }
}

/// What a side could win by captures on a square if it were its move, in pawns; `None` if it cannot be its move.
fn threat_on(position: &Position, by: Color, square: Square) -> Option<i32> {
    let ready = if position.turn() == by { Some(position.clone()) } else { passed(position) };
    ready.map(|ready| exchange(&ready, square))
}

/// Whether the man that a side attacks is a king or can be won by captures on its square.
fn is_threatened(position: &Position, by: Color, square: Square) -> bool {
    match position.piece_type_at(square) {
        Some(PieceType::King) => !attackers(position, by, square).is_empty(),
        Some(_) => threat_on(position, by, square).map_or_else(
            || attackers(position, by, square).into_iter().any(|taker| pays(position, taker, square)),
            |gain| gain >= 1,
        ),
        None => false,
    }
}

/// Whether the man on `taker` attacks one that is worth more or not protected.
fn pays(position: &Position, taker: Square, target: Square) -> bool {
    let kind = |square| position.piece_type_at(square).map_or(0, worth);
    attacks(position, taker, target) && (kind(target) > kind(taker) || !is_protected(position, taker, target))
}

/// Whether the move after `index` captures on a square.
fn is_answered_on(line: &Line<'_>, index: usize, square: Square) -> bool {
    line.moves.get(index + 1).is_some_and(|&reply| captured_square(line.after(index), reply) == Some(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mistakes::Mistake;
    use crate::searches::{Found, Searches};
    use crate::second::Failure;
    use bartizan_analysis::Score;
    use bartizan_position::Game;
    use bartizan_types::Move;

    fn target(piece: PieceType, square: Square) -> Target {
        Target { piece, square }
    }

    /// Why a motif of a missed line of White is wrong, if it is.
    fn refutation(fen: &str, line: &str, motif: &Motif) -> Option<String> {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in line.split(' ') {
            game.push(game.position().parse_uci(text).unwrap()).unwrap();
        }
        let moves: Vec<Move> = game.moves().collect();
        let positions: Vec<Position> = game.positions().cloned().collect();
        let line = Line { moves: &moves, positions: &positions, winner: positions[0].turn() };
        let nothing = Found { score: Score::Cp(0), line: Vec::new() };
        let mistake = Mistake {
            game: 1,
            before: positions[0].clone(),
            previous: None,
            played: moves[0],
            better: nothing.clone(),
            refutation: nothing,
            loss: 20.0,
        };
        let journal = tempfile::NamedTempFile::new().unwrap();
        let searches = Searches::open(journal.path()).unwrap();
        let verifier = Verifier::new(&searches, &mistake, &[]);
        match check(&verifier, Some(motif), &line, Chance::Missed) {
            Ok(()) => None,
            Err(Failure::Refuted(why)) => Some(why),
            Err(Failure::Search(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn a_fork_attacks_at_least_two_men_and_wins_one() {
        let (rook, king) = (target(PieceType::Rook, Square::A8), target(PieceType::King, Square::E8));
        let fork = |targets| Motif::Fork { index: 0, piece: PieceType::Knight, targets };
        let fen = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
        assert_eq!(refutation(fen, "d5c7 e8d7 c7a8", &fork(vec![king, rook])), None);
        assert!(refutation(fen, "d5c7 e8d7 c7a8", &fork(vec![king])).is_some());
        assert!(refutation(fen, "d5c7 e8d7 e1d1", &fork(vec![king, rook])).is_some());
        let away = target(PieceType::Rook, Square::H8);
        assert!(refutation("4k2r/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 e1d1", &fork(vec![king, away])).is_some());
        // The knight on b6 protects the rook on a8 no better than before, but the pawn on e6 is protected.
        let pawn = target(PieceType::Pawn, Square::E6);
        let guarded = "r3k3/5p2/4p3/3N4/8/8/8/4K3 w - - 0 1";
        assert!(refutation(guarded, "d5c7 e8d7 c7a8", &fork(vec![king, rook, pawn])).is_some());
    }

    #[test]
    fn a_skewer_needs_the_front_man_to_be_worth_as_much() {
        let (slider, king) = (target(PieceType::Rook, Square::A8), target(PieceType::King, Square::D8));
        let queen = target(PieceType::Queen, Square::G8);
        let skewer = Motif::Skewer { index: 0, slider, front: king, behind: queen };
        let fen = "3k2q1/8/8/8/8/8/8/R3K3 w - - 0 1";
        assert_eq!(refutation(fen, "a1a8 d8d7 a8g8", &skewer), None);
        assert!(refutation(fen, "a1a8 d8d7 e1d1", &skewer).is_some());
    }

    #[test]
    fn a_pin_is_to_something_worth_more() {
        let pinner = target(PieceType::Rook, Square::E1);
        let (pinned, king) = (target(PieceType::Knight, Square::E5), target(PieceType::King, Square::E8));
        let fen = "4k3/8/8/4n3/8/5P2/8/R3K3 w - - 0 1";
        assert!(refutation(fen, "a1d1 e8f8 e1f2", &pin(pinner, pinned, king)).is_some());
        let fen = "4k3/8/8/4n3/8/5P2/8/R5K1 w - - 0 1";
        assert_eq!(refutation(fen, "a1e1 e8f7 e1e5", &pin(pinner, pinned, king)), None);
        assert!(refutation(fen, "a1e1 e8f7 g1g2", &pin(pinner, pinned, king)).is_some());
    }

    fn pin(pinner: Target, pinned: Target, behind: Target) -> Motif {
        Motif::Pin { index: 0, pinner, pinned, behind, holds: None }
    }

    #[test]
    fn a_king_on_the_back_rank_must_have_no_way_out() {
        let motif = Motif::BackRank { index: 0, king: Square::G8 };
        assert_eq!(refutation("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", &motif), None);
        assert!(refutation("6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1", "a1a8", &motif).is_some());
    }

    #[test]
    fn a_piece_with_a_way_out_is_not_trapped() {
        let bishop = target(PieceType::Bishop, Square::A7);
        let motif = Motif::Trapped { index: 0, target: bishop };
        let shut = "4k3/B4pp1/2p4p/8/8/8/6PP/6K1 b - - 0 1";
        assert!(refutation(shut, "e8d7 a7b8 d7c8", &motif).is_some());
        let caught = "1k6/B4ppp/8/2p5/8/8/6PP/6K1 b - - 0 1";
        assert!(refutation(caught, "b8a7 g1f1", &motif).is_some());
        let trapped = "2k5/B4ppp/1pp5/8/8/8/6PP/6K1 b - - 0 1";
        assert_eq!(refutation(trapped, "c8b7 g1f1 b7a7", &motif), None);
    }

    #[test]
    fn a_hanging_man_is_lost_by_the_exchange() {
        let motif = |square| Motif::Hanging {
            index: 0,
            square,
            piece: PieceType::Knight,
            exposure: bartizan_review::reasons::claim::Exposure::Other,
        };
        let fen = "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1";
        assert!(refutation(fen, "d1d5", &motif(Square::D5)).is_some());
        let free = "4k3/2p5/8/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(refutation(free, "d1d5", &motif(Square::D5)), None);
    }
}
