//! What holds for every position.

use crate::slow;
use bartizan_eval::{Evaluator, HandCrafted, evaluate};
use bartizan_position::{MAX_MOVES, MoveGenStage, PackedPosition, Position, Tolerance};
use bartizan_types::{Move, MoveKind, Square, Value, Variant};
use std::cell::RefCell;

/// Keys, checks, pins and rights equal those computed from the setup.
pub(crate) fn check_state(position: &Position) {
    let recomputed = position.to_setup().validate(Tolerance::ALL).expect("a position stays legal");
    assert_eq!(&recomputed, position);
}

/// Everything else.
pub(crate) fn check_all(position: &Position) {
    check_state(position);
    check_texts(position);
    check_moves(position);
    check_evaluation(position);
}

fn check_texts(position: &Position) {
    for fen in [position.to_fen(), format!("{position:#}")] {
        let again = Position::from_fen_with(&fen, Tolerance::ALL).expect("a written FEN is read");
        // Greater counters are not written.
        if position.halfmove_clock() < 10_000 && position.fullmove_number() < 10_000 {
            assert_eq!(&again, position);
        }
    }
    let unpacked = PackedPosition::pack(position).unpack().expect("a packed position is unpacked");
    // The clock has 15 bits.
    if position.halfmove_clock() < 1 << 15 {
        assert_eq!(&unpacked, position);
    }
    assert_eq!(&position.flipped().flipped(), position);
}

fn sorted(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

fn check_moves(position: &Position) {
    let legal = position.legal_moves();
    assert!(legal.len() <= MAX_MOVES);
    assert_eq!(sorted(&legal), sorted(&slow::legal_moves(position)), "{position}");
    assert_eq!(position.checkers().into_iter().collect::<Vec<Square>>(), slow::checkers(position), "{position}");
    assert_eq!(position.count_legal_moves() as usize, legal.len());
    assert_eq!(position.has_legal_move(), !legal.is_empty());
    let (captures, quiets) = (position.moves(MoveGenStage::Captures), position.moves(MoveGenStage::Quiets));
    assert_eq!(sorted(&[&captures[..], &quiets[..]].concat()), sorted(&legal));
    let info = position.check_info();
    let mut checks = Vec::new();
    for &mv in &legal {
        assert!(position.is_legal(mv));
        let next = position.play_unchecked(mv);
        assert_eq!(position.gives_check_with(&info, mv), next.in_check(), "{position} {mv}");
        let same_rights = next.castling() == position.castling() && next.en_passant().is_none();
        if same_rights && mv.kind() != MoveKind::EnPassant {
            assert_eq!(position.key_after(mv), next.key(), "{position} {mv}");
        }
        if quiets.contains(&mv) && next.in_check() {
            checks.push(mv);
        }
        assert_eq!(position.resolve_uci(mv.to_uci(Variant::Chess960)), Ok(mv));
        let _ = position.see_ge(mv, 0);
    }
    assert_eq!(sorted(&position.quiet_checks()), sorted(&checks), "{position}");
}

fn check_evaluation(position: &Position) {
    thread_local!(static EVALUATOR: RefCell<HandCrafted> = RefCell::new(HandCrafted::new()));
    if position.in_check() {
        return;
    }
    let value = evaluate(position);
    assert!(value.0.abs() <= Value::EVAL_MAX.0, "{position}");
    assert_eq!(evaluate(&position.flipped()), value, "{position}");
    EVALUATOR.with_borrow_mut(|evaluator| {
        evaluator.reset(position);
        assert_eq!(evaluator.evaluate(position), value, "{position}");
        for mv in position.legal_moves().into_iter().take(4) {
            let mut next = position.clone();
            evaluator.play(&mut next, mv);
            assert_eq!(next, position.play_unchecked(mv));
            if !next.in_check() {
                assert_eq!(evaluator.evaluate(&next), evaluate(&next), "{position} {mv}");
            }
            evaluator.undo();
        }
    });
}
