//! Every legal position of three tables: its value follows from the values after each legal move.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // A test reports by panicking; it prints statistics.

use bartizan_position::{Position, Setup, Tolerance};
use bartizan_tablebase::{Dtz, Tablebases, Wdl, WinRanking};
use bartizan_types::{Color, Piece, PieceType, Rank, Square};

fn tables() -> Tablebases {
    Tablebases::open_folders(&[bartizan_testkit::testdata("syzygy")]).unwrap()
}

/// Two kings and a white piece on all squares, with either side to move.
fn for_each_position(piece_type: PieceType, mut f: impl FnMut(&Position)) {
    let mut setup = Setup::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap();
    let squares = || (0..64).map(Square::from_index);
    for white in squares() {
        for black in squares().filter(|&black| black.distance(white) > 1) {
            for square in squares().filter(|&square| square != white && square != black) {
                if piece_type == PieceType::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth) {
                    continue;
                }
                setup.board = [None; 64];
                setup.board[white.index()] = Some(Piece::WhiteKing);
                setup.board[black.index()] = Some(Piece::BlackKing);
                setup.board[square.index()] = Some(piece_type.of(Color::White));
                for turn in Color::ALL {
                    setup.turn = turn;
                    if let Ok(position) = setup.validate(Tolerance::ALL) {
                        f(&position);
                    }
                }
            }
        }
    }
}

/// The squares of white's king, black's king, white's piece, and the side to move.
fn place(position: &Position) -> usize {
    let men = position.occupied() - position.by_type(PieceType::King);
    let square = men.first().unwrap().index();
    let kings = position.king(Color::White).index() << 6 | position.king(Color::Black).index();
    (kings << 6 | square) << 1 | position.turn().index()
}

fn check(piece_type: PieceType) {
    let tables = tables();
    let mut known: Vec<Option<(Wdl, Dtz)>> = vec![None; 1 << 19];
    for_each_position(piece_type, |position| {
        let wdl = tables.probe_wdl(position).unwrap().unwrap();
        let dtz = tables.probe_dtz(position).unwrap().unwrap();
        assert_eq!(dtz.wdl(), wdl, "{position:?}");
        known[place(position)] = Some((wdl, dtz));
    });
    let after = |position: &Position| -> (Wdl, Dtz) {
        let men = position.occupied() - position.by_type(PieceType::King);
        match men.first().and_then(|square| position.piece_at(square)) {
            None => (Wdl::Draw, Dtz::DRAW),
            Some(piece) if piece.piece_type() == piece_type => known[place(position)].unwrap(),
            // A promotion.
            Some(_) => (tables.probe_wdl(position).unwrap().unwrap(), tables.probe_dtz(position).unwrap().unwrap()),
        }
    };
    let (mut positions, mut won) = (0, 0);
    for_each_position(piece_type, |position| {
        let (wdl, dtz) = known[place(position)].unwrap();
        let moves = position.legal_moves();
        let best = moves.iter().map(|&mv| -after(&position.play_unchecked(mv)).0).max();
        let expected = best.unwrap_or(if position.in_check() { Wdl::Loss } else { Wdl::Draw });
        assert_eq!(wdl, expected, "{}", position.to_fen());
        // The distance by a search of one ply.
        let distances = moves.iter().filter_map(|&mv| {
            let child = position.play_unchecked(mv);
            let (wdl, dtz) = after(&child);
            if -wdl != expected {
                None
            } else if child.halfmove_clock() == 0 || child.is_checkmate() {
                Some(1)
            } else {
                Some(dtz.plies() + 1)
            }
        });
        let distance = match wdl {
            Wdl::Draw => 0,
            Wdl::Win => distances.min().unwrap(),
            _ => distances.max().unwrap_or(1),
        };
        // Tables may round by one ply.
        assert!(distance.abs_diff(dtz.plies()) <= 1, "{}: {dtz}, not {distance}", position.to_fen());
        positions += 1;
        won += usize::from(wdl != Wdl::Draw);
    });
    eprintln!("{piece_type:?}: {positions} positions, {won} decided");
    assert!(positions > 250_000 && won > positions / 2);
}

#[test]
fn every_position_of_a_queen() {
    check(PieceType::Queen);
}

#[test]
fn every_position_of_a_rook() {
    check(PieceType::Rook);
}

#[test]
fn every_position_of_a_pawn() {
    check(PieceType::Pawn);
}

/// Playing the highest-ranked move wins every won position within the 50-move rule.
#[test]
fn ranked_moves_win() {
    let tables = tables();
    for (fen, clock) in [
        ("8/8/8/4k3/8/8/8/K6R w", 0),
        ("8/8/8/4k3/8/8/8/K6R w", 50),
        ("8/8/8/3k4/8/8/8/KQ6 w", 70),
        ("8/8/4k3/8/8/3K4/3P4/8 w", 60),
        ("8/8/8/8/8/2k5/8/K6R w", 60),
    ] {
        let mut position = Position::from_fen(&format!("{fen} - - {clock} 80")).unwrap();
        assert_eq!(tables.probe_wdl(&position).unwrap(), Some(Wdl::Win), "{fen}");
        for ply in 0.. {
            if position.is_checkmate() {
                break;
            }
            assert!(position.halfmove_clock() < 100 && ply < 200, "{fen}");
            // The winner follows the distance, as after a repetition. The loser chooses the longest.
            let moves = tables.probe_root(&position, WinRanking::ByDistance).unwrap().unwrap();
            assert_eq!(moves.len() as u32, position.count_legal_moves());
            assert!(ply % 2 == 1 || moves[0].rank > 900, "{fen}: {moves:?}");
            position = position.play(moves[0].mv).unwrap();
        }
    }
}

/// A win that the 50-move rule spoils ranks below certain wins and above draws.
#[test]
fn ranks_depend_on_the_halfmove_clock() {
    let tables = tables();
    let fen = |clock: u32| format!("8/8/8/4k3/8/8/8/K6R w - - {clock} 90");
    let rank = |clock| {
        tables.probe_root(&Position::from_fen(&fen(clock)).unwrap(), WinRanking::Equal).unwrap().unwrap()[0].rank
    };
    assert!(rank(0) > 900 && rank(60) > 900);
    assert!((1..=900).contains(&rank(90)));
    let mate = Position::from_fen("k7/8/1K6/8/8/8/8/7R w - - 99 120").unwrap();
    assert!(tables.probe_root(&mate, WinRanking::Equal).unwrap().unwrap()[0].rank > 900);
}
