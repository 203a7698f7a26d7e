//! Compares SEE with a slow exchange search on a plain board.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::{Position, SEE_VALUES, Setup};
use bartizan_types::{Bitboard, Color, Direction, Move, MoveKind, PieceType, Square, rays};

fn occupied(setup: &Setup) -> Bitboard {
    Square::ALL.into_iter().filter(|&square| setup.piece_at(square).is_some()).collect()
}

/// Whether the piece on `from` attacks `to`, square by square.
fn attacks(setup: &Setup, from: Square, to: Square) -> bool {
    let Some(piece) = setup.piece_at(from) else { return false };
    let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    let slides = |directions| rays::slider_attacks(from, directions, occupied(setup)).contains(to);
    match piece.piece_type() {
        PieceType::Pawn => files.abs() == 1 && ranks == if piece.color().is_white() { 1 } else { -1 },
        PieceType::Knight => files.abs() * ranks.abs() == 2,
        PieceType::Bishop => slides(&Direction::BISHOP),
        PieceType::Rook => slides(&Direction::ROOK),
        PieceType::Queen => slides(&Direction::ALL),
        PieceType::King => from != to && files.abs() <= 1 && ranks.abs() <= 1,
    }
}

fn attackers(setup: &Setup, to: Square, side: Color) -> Vec<Square> {
    let mine = |square: &Square| setup.piece_at(*square).is_some_and(|piece| piece.color() == side);
    Square::ALL.into_iter().filter(mine).filter(|&from| attacks(setup, from, to)).collect()
}

/// Whether the piece on `from` is pinned in the sense of SEE: without it, a slider other than the target of the
/// exchange would attack the king of `side`.
fn is_pinned(setup: &Setup, from: Square, target: Square, side: Color) -> bool {
    if setup.piece_at(from).is_some_and(|piece| piece.piece_type() == PieceType::King) {
        return false;
    }
    let Some(king) = setup.kings(side).first() else { return false };
    let mut without = setup.clone();
    without.board[from.index()] = None;
    let sliders = |setup: &Setup| {
        attackers(setup, king, !side)
            .into_iter()
            .filter(|&square| square != target)
            .filter(|&square| {
                let kind = setup.piece_at(square).map(|piece| piece.piece_type());
                !matches!(kind, Some(PieceType::Pawn | PieceType::Knight | PieceType::King))
            })
            .count()
    };
    sliders(&without) > sliders(setup)
}

/// The greatest gain of `side` from captures on `to`; 0 if capturing loses.
fn exchange(setup: &Setup, to: Square, side: Color) -> i32 {
    let Some(victim) = setup.piece_at(to) else { return 0 };
    let candidates = attackers(setup, to, side);
    let free = candidates.into_iter().filter(|&from| !is_pinned(setup, from, to, side));
    let Some(from) = free.min_by_key(|&from| (setup.piece_at(from).map(|piece| piece.piece_type()), from)) else {
        return 0;
    };
    let mut after = setup.clone();
    after.board[to.index()] = after.board[from.index()].take();
    let is_king = setup.piece_at(from).is_some_and(|piece| piece.piece_type() == PieceType::King);
    if is_king && !attackers(&after, to, !side).is_empty() {
        return 0;
    }
    (SEE_VALUES[victim.piece_type()] - exchange(&after, to, !side)).max(0)
}

fn slow_see(position: &Position, mv: Move) -> i32 {
    let mut setup = position.to_setup();
    let (from, to) = (mv.from(), mv.to());
    let value = |square: Square| position.piece_at(square).map_or(0, |piece| SEE_VALUES[piece.piece_type()]);
    let mut gain = value(to);
    setup.board[to.index()] = setup.board[from.index()].take();
    match mv.kind() {
        MoveKind::Castling => return 0,
        MoveKind::EnPassant => {
            gain = SEE_VALUES[PieceType::Pawn];
            setup.board[Square::new(to.file(), from.rank()).index()] = None;
        }
        MoveKind::Promotion(piece_type) => {
            gain += SEE_VALUES[piece_type] - SEE_VALUES[PieceType::Pawn];
            setup.board[to.index()] = Some(piece_type.of(position.turn()));
        }
        MoveKind::Normal => {}
    }
    gain - exchange(&setup, to, !position.turn())
}

#[test]
fn see_agrees_with_a_slow_exchange_search() {
    let mut compared = 0;
    for case in bartizan_testkit::perft_suite("random").iter().step_by(9) {
        let position = Position::from_fen(&case.fen).unwrap();
        for mv in position.legal_moves() {
            let slow = slow_see(&position, mv);
            for threshold in [slow - 1, slow, slow + 1, 0, -100, 100, i32::MIN, i32::MAX] {
                assert_eq!(position.see_ge(mv, threshold), slow >= threshold, "{position} {mv:?} {slow} {threshold}");
            }
            compared += 1;
        }
    }
    assert!(compared > 10_000);
}

#[test]
fn known_exchanges() {
    for (fen, mv, value) in [
        // Examples of the chess programming wiki's page on SEE.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(mv).unwrap();
        assert!(position.see_ge(mv, value) && !position.see_ge(mv, value + 1), "{fen}");
    }
}
