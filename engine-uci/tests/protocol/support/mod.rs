//! Shared code of the protocol tests: the program under test, a reader of `info` lines, and a referee.

pub(crate) mod engine;
pub(crate) mod info;
pub(crate) mod referee;

pub(crate) use engine::{Engine, PROMPT, Search};
pub(crate) use info::{Info, Score};
pub(crate) use referee::Game;

/// Fool's mate: White is mated.
pub(crate) const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
/// Black to move has no move and is not in check.
pub(crate) const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// White's only legal move is `h1g2`.
pub(crate) const SINGLE_REPLY: &str = "7k/8/8/8/8/8/6q1/7K w - - 0 1";
/// Morphy's problem: `a1a6` mates in two.
pub(crate) const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
/// The perft position of Peter McKenzie known as "Kiwipete".
pub(crate) const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Positions of various kinds in which a search must follow the protocol.
pub(crate) const SAMPLES: &[(&str, &str)] = &[
    ("middlegame", KIWIPETE),
    ("en passant", "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    ("in double check", "4r1k1/8/8/8/8/5n2/8/4K3 w - - 0 1"),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("bare kings but one", "8/8/4k3/8/8/3QK3/8/8 w - - 0 1"),
    ("nearly fifty moves", "8/8/4k3/8/8/3RK3/8/8 w - - 97 120"),
    ("single reply", SINGLE_REPLY),
    ("mate in two", MATE_IN_TWO),
    ("about to be mated", "kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1"),
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
];
