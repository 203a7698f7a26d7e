//! Properties of every position in random legal games of chess and Chess960.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::{Game, MoveGenStage, MoveList, PackedPosition, Position, Setup, Tolerance};
use bartizan_types::{Bitboard, Color, Move, MoveKind, Square, UciMove, Variant};
use proptest::prelude::*;

/// A game: the number of a Chess960 start position (518 is chess) and the choices of moves.
fn games(plies: usize) -> impl Strategy<Value = (usize, Vec<u16>)> {
    (prop_oneof![Just(518_usize), 0..960_usize], prop::collection::vec(any::<u16>(), 1..plies))
}

/// Every position of a random game.
fn positions((start, choices): &(usize, Vec<u16>)) -> Vec<Position> {
    let mut position = Position::chess960(*start).unwrap();
    let mut all = vec![position.clone()];
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[usize::from(choice) % moves.len()]).unwrap();
        all.push(position.clone());
    }
    all
}

fn sorted(moves: &MoveList) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Except for castling and en passant.
    #[test]
    fn the_key_after_a_move_is_predicted(game in games(120)) {
        for position in positions(&game) {
            if !position.in_check() {
                prop_assert_eq!(position.key_after_null(), position.play_null().unwrap().key());
            }
            for mv in position.legal_moves() {
                let next = position.play(mv).unwrap();
                let same_rights = next.castling() == position.castling() && next.en_passant().is_none();
                if same_rights && mv.kind() != MoveKind::EnPassant {
                    prop_assert_eq!(position.key_after(mv), next.key());
                }
            }
        }
    }

    /// Incrementally updated keys, checks, pins and rights equal those computed from the setup.
    #[test]
    fn incremental_equals_recomputed(game in games(120)) {
        for position in positions(&game) {
            prop_assert_eq!(&position.to_setup().validate(Tolerance::NONE).unwrap(), &position);
        }
    }

    #[test]
    fn fen_and_packed_positions_round_trip(game in games(120)) {
        for position in positions(&game) {
            let xfen = position.to_fen();
            prop_assert_eq!(&Position::from_fen(&xfen).unwrap(), &position);
            let shredder = format!("{position:#}");
            prop_assert_eq!(&Position::from_fen(&shredder).unwrap(), &position);
            prop_assert_eq!(&PackedPosition::pack(&position).unpack().unwrap(), &position);
        }
    }

    /// What a piece attacks is attacked by it.
    #[test]
    fn attacks_from_are_attacks_to(game in games(40)) {
        for position in positions(&game) {
            let mut attacked = [Bitboard::EMPTY; 2];
            for (square, piece) in position.placement() {
                prop_assert_eq!(position.piece_at(square), Some(piece));
                let attacks = position.attacks_from(square);
                attacked[piece.color().index()] |= attacks;
                for to in Square::ALL {
                    let attackers = position.all_attackers_to(to, position.occupied());
                    prop_assert_eq!(attackers.contains(square), attacks.contains(to));
                }
            }
            prop_assert_eq!(attacked, Color::ALL.map(|color| position.attacked_by(color, position.occupied())));
            prop_assert!(position.placement().map(|(square, _)| square).eq(position.occupied()));
            prop_assert!((!position.occupied()).into_iter().all(|empty| position.attacks_from(empty).is_empty()));
        }
    }

    #[test]
    fn mirroring_twice_is_the_identity(game in games(120)) {
        for position in positions(&game) {
            let flipped = position.flipped();
            prop_assert_eq!(flipped.count_legal_moves(), position.count_legal_moves());
            prop_assert_eq!(flipped.in_check(), position.in_check());
            prop_assert_ne!(flipped.key(), position.key());
            prop_assert_eq!(flipped.flipped(), position);
        }
    }

    #[test]
    fn stages_partition_the_legal_moves(game in games(120)) {
        for position in positions(&game) {
            let all = position.legal_moves();
            prop_assert_eq!(all.len() as u32, position.count_legal_moves());
            prop_assert_eq!(!all.is_empty(), position.has_legal_move());
            let (captures, quiets) = (position.moves(MoveGenStage::Captures), position.moves(MoveGenStage::Quiets));
            prop_assert!(captures.iter().all(|&mv| position.is_tactical(mv)));
            prop_assert!(quiets.iter().all(|&mv| !position.is_tactical(mv)));
            prop_assert!(all.iter().all(|&mv| position.is_capture(mv) == position.captured(mv).is_some()));
            let mut both = captures;
            both.extend(quiets.iter().copied());
            prop_assert_eq!(sorted(&both), sorted(&all));
            let checks: Vec<Move> =
                quiets.iter().copied().filter(|&mv| position.play_unchecked(mv).in_check()).collect();
            let mut sorted_checks = checks.clone();
            sorted_checks.sort_unstable();
            prop_assert_eq!(sorted(&position.quiet_checks()), sorted_checks);
        }
    }

    #[test]
    fn gives_check_predicts_checks(game in games(120)) {
        for position in positions(&game) {
            let info = position.check_info();
            for mv in position.legal_moves() {
                let expected = position.play_unchecked(mv).in_check();
                prop_assert_eq!(position.gives_check(mv), expected, "{} {:?}", position, mv);
                prop_assert_eq!(position.gives_check_with(&info, mv), expected, "{} {:?}", position, mv);
            }
        }
    }

    #[test]
    fn coordinate_notation_round_trips(game in games(80)) {
        for position in positions(&game) {
            for mv in position.legal_moves() {
                let king_takes_rook = mv.to_uci(Variant::Chess960);
                prop_assert_eq!(position.resolve_uci(king_takes_rook), Ok(mv));
                prop_assert_eq!(position.parse_uci(&king_takes_rook.to_string()), Ok(mv));
                if game.0 == 518 {
                    prop_assert_eq!(position.resolve_uci(mv.to_uci(Variant::Standard)), Ok(mv));
                }
            }
        }
    }

    /// An independent library generates the same moves.
    #[test]
    fn cozy_chess_generates_the_same_moves(game in games(120)) {
        for position in positions(&game) {
            let fen = format!("{position:#}");
            let board = cozy_chess::Board::from_fen(&fen, true).unwrap();
            let mut theirs = Vec::new();
            board.generate_moves(|moves| {
                theirs.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            let moves = position.legal_moves();
            let mut ours: Vec<String> = moves.iter().map(|mv| mv.to_uci(Variant::Chess960).to_string()).collect();
            theirs.sort_unstable();
            ours.sort_unstable();
            prop_assert_eq!(ours, theirs, "{}", fen);
            prop_assert_eq!(position.checkers().0, board.checkers().0);
        }
    }

    /// Two null moves restore the position except for the counters and en passant.
    #[test]
    fn null_moves(game in games(80)) {
        for position in positions(&game).into_iter().filter(|position| !position.in_check()) {
            let passed = position.play_null().unwrap();
            prop_assert_ne!(passed.key(), position.key());
            prop_assert_eq!(passed.turn(), !position.turn());
            prop_assert_eq!(passed.material_key(), position.material_key());
            let mut setup = position.to_setup();
            setup.turn = !setup.turn;
            setup.en_passant = None;
            if let Ok(expected) = setup.validate(Tolerance::ALL) {
                prop_assert_eq!(passed.key(), expected.key());
                prop_assert_eq!(passed.checkers(), expected.checkers());
                prop_assert_eq!(passed.pinned(), expected.pinned());
            }
        }
    }

    /// No text makes the parser panic, and every accepted text round-trips.
    #[test]
    fn any_text_parses_or_fails(text in "\\PC*") {
        if let Ok(position) = Position::from_fen_with(&text, Tolerance::ALL) {
            prop_assert!(Position::from_fen(&position.to_fen()).is_ok());
        }
    }

    /// Text that resembles a FEN does not panic either, and accepted positions can be searched.
    #[test]
    fn any_fen_like_text_parses_or_fails(
        ranks in prop::collection::vec("[pnbrqkPNBRQK1-8]{1,8}", 8),
        rest in "( [wb]( ([KQkqA-Ha-h]{1,4}|-)( (-|[a-h][36])( [0-9]{1,5}( [0-9]{1,5})?)?)?)?)?",
    ) {
        let fen = format!("{}{rest}", ranks.join("/"));
        if let Ok(position) = Position::from_fen_with(&fen, Tolerance::ALL) {
            for mv in position.legal_moves() {
                let next = position.play(mv).unwrap();
                prop_assert_eq!(&next.to_setup().validate(Tolerance::ALL).unwrap(), &next);
            }
        }
    }

    /// Any 32 bytes unpack to a position or an error.
    #[test]
    fn any_bytes_unpack_or_fail(bytes in any::<[u8; 32]>()) {
        if let Ok(position) = PackedPosition(bytes).unpack() {
            prop_assert!(position.legal_moves().len() <= bartizan_position::MAX_MOVES);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// `is_legal` agrees with the generator for every possible move.
    #[test]
    fn is_legal_agrees_with_the_generator(game in games(60)) {
        for position in positions(&game).iter().step_by(4) {
            let legal = position.legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{} {:?}", position, mv);
            }
        }
    }
}

/// `is_legal` and `gives_check` in positions that combine pins, checks, en passant and castling.
#[test]
fn is_legal_in_tricky_positions() {
    for case in bartizan_testkit::perft_suite("tricky").iter().chain(&bartizan_testkit::perft_suite("classic")) {
        let position = Position::from_fen_with(&case.fen, Tolerance::ALL).unwrap();
        for reply in std::iter::once(position.clone())
            .chain(position.legal_moves().iter().map(|&mv| position.play_unchecked(mv)))
        {
            let legal = reply.legal_moves();
            for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
                assert_eq!(reply.is_legal(mv), legal.contains(&mv), "{reply} {mv:?}");
            }
            let info = reply.check_info();
            for &mv in &legal {
                let expected = reply.play_unchecked(mv).in_check();
                assert_eq!(reply.gives_check(mv), expected, "{reply} {mv:?}");
                assert_eq!(reply.gives_check_with(&info, mv), expected, "{reply} {mv:?}");
            }
            let mut checks = reply.moves(MoveGenStage::Quiets);
            checks.retain(|mv| reply.gives_check(*mv));
            assert_eq!(reply.quiet_checks(), checks, "{reply}");
        }
    }
}

#[test]
fn the_castling_rights_determine_the_variant() {
    for (fen, variant) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::Standard),
        ("4k3/8/8/8/8/8/8/1R1K4 w - - 0 1", Variant::Standard),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", Variant::Chess960),
        ("3k3r/8/8/8/8/8/8/4K3 w h - 0 1", Variant::Chess960),
    ] {
        assert_eq!(Position::from_fen(fen).unwrap().variant(), variant, "{fen}");
    }
}

#[test]
fn the_longest_move_lists_fit() {
    // 218 moves, the record for positions that can arise in a game (Nenad Petrović, 1964).
    let record = Position::from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1").unwrap();
    assert_eq!(record.legal_moves().len(), 218);
    // Tolerated positions with many promoted pieces have more moves.
    let crowd = "Q6Q/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBQQ1KQ1 w - - 0 1";
    let setup = Setup::from_fen(crowd).unwrap();
    assert!(setup.validate(Tolerance::NONE).is_err());
    let position = setup.validate(Tolerance::ALL).unwrap();
    let moves = position.legal_moves().len();
    assert!(moves > 218 && moves <= bartizan_position::MAX_MOVES, "{moves}");
}

#[test]
fn parsing_moves_of_a_game() {
    let mut game = Game::default();
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"] {
        let uci: UciMove = text.parse().unwrap();
        game.push(game.position().resolve_uci(uci).unwrap()).unwrap();
    }
    assert_eq!(game.position().to_fen(), "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
    assert_eq!(game.moves().len(), 7);
}

#[test]
#[cfg(feature = "serde")]
fn json_round_trips() {
    let mut game = Game::default();
    game.push(game.position().parse_uci("e2e4").unwrap()).unwrap();
    let text = serde_json::to_string(&game).unwrap();
    assert_eq!(serde_json::from_str::<Game>(&text).unwrap(), game);
    assert!(serde_json::from_str::<Position>("\"8/8/8/8/8/8/8/8 w\"").is_err());
    let start = "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    assert_eq!(serde_json::to_string(&Position::startpos()).unwrap(), start);
    assert_eq!(serde_json::from_str::<Position>(&start.replace("KQkq", "HAha")).unwrap(), Position::startpos());
    // Read without a tolerance, as `from_fen` does.
    for fen in ["4k3/8/8/4K2R/8/8/8/8 w K - 0 1", "4k3/8/8/8/4p3/8/8/4K3 w - e3 0 1", "4k3/8/8/8/8/8/44/4K3 w - - 0 1"]
    {
        assert!(Position::from_fen(fen).is_err(), "{fen}");
        assert!(serde_json::from_str::<Position>(&format!("\"{fen}\"")).is_err(), "{fen}");
        assert!(serde_json::from_str::<Game>(&format!("{{\"start\":\"{fen}\",\"moves\":[]}}")).is_err(), "{fen}");
    }
    assert!(serde_json::from_str::<Position>(&start.replace("KQkq", "kKQQ")).is_err());
    // A pinned pawn cannot capture, but the double step is kept.
    let setup = Setup::from_fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    let game = Game::try_from(&setup).unwrap();
    assert_eq!(game.start_setup(), setup);
    assert_eq!(serde_json::from_str::<Game>(&serde_json::to_string(&game).unwrap()).unwrap(), game);
    // The inner rooks may castle, but not the outer ones.
    let inner = Position::from_fen("1r1k1rr1/8/8/8/8/8/8/RR1K1R1R w BFbf - 0 1").unwrap();
    for position in (0..960).map(|number| Position::chess960(number).unwrap()).chain([inner]) {
        let text = serde_json::to_string(&position).unwrap();
        assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position, "{text}");
    }
}

#[test]
fn standard_chess_drops_the_rights_of_chess960() {
    for (fen, dropped, left) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "-", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "KQ", "kq"),
        ("1r2k2r/8/8/8/8/8/8/R3KR2 w FQkb - 0 1", "Fb", "Qk"),
        ("rk5r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "kq", "KQ"),
        // The kings have changed sides.
        ("r1k1K2r/8/8/8/8/8/8/8 w q - 0 1", "q", "-"),
    ] {
        let mut position = Position::from_fen(fen).unwrap();
        assert_eq!(position.variant(), Variant::from_chess960(dropped != "-"), "{fen}");
        assert_eq!(position.drop_nonstandard_castling().to_string(), dropped, "{fen}");
        assert_eq!(position.castling().to_string(), left, "{fen}");
        assert_eq!(position, Position::from_fen(&position.to_fen()).unwrap());
        let mut setup = Setup::from_fen(fen).unwrap();
        assert_eq!(setup.drop_nonstandard_castling().to_string(), dropped, "{fen}");
        assert_eq!(setup, position.to_setup());
    }
}
