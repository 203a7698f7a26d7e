//! Positions to start from.

use bartizan_position::{Position, Tolerance};
use std::sync::LazyLock;

/// Positions that combine castling of both variants, promotions, en passant, pins and checks.
const FENS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
    "4k3/8/8/8/8/8/8/q1RK3R w HC - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 98 120",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "8/8/8/8/8/3k4/3p4/3K4 w - - 0 1",
    "3r1rk1/5ppp/8/8/8/8/N1N1N3/K1N1N1N1 w - - 9990 9990",
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
];

/// The positions of [`FENS`].
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    FENS.iter().map(|fen| Position::from_fen_with(fen, Tolerance::ALL).expect("the FEN is valid")).collect()
});

/// Takes a position: the number of a start, the number of plies played from it, and a byte for each ply.
pub(crate) fn take_position(data: &mut &[u8]) -> Position {
    let start = usize::from(crate::take_byte(data)) % STARTS.len();
    let plies = crate::take_byte(data) % 16;
    let mut position = STARTS[start].clone();
    for _ in 0..plies {
        let Some(next) = take_move(data, &position) else { break };
        position = position.play_unchecked(next);
    }
    position
}

/// Takes a legal move of a position; `None` if there is none.
pub(crate) fn take_move(data: &mut &[u8], position: &Position) -> Option<bartizan_types::Move> {
    let moves = position.legal_moves();
    let choice = usize::from(crate::take_byte(data));
    (!moves.is_empty()).then(|| moves[choice % moves.len()])
}
