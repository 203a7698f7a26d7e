//! Prints the positions of the bench: `cargo run --release -p bartizan-engine --example bench_positions`
//!
//! The engine plays against itself, with 4,000 nodes per move, after random first moves. Each game contributes one
//! position, at a ply that grows from game to game, so that openings, middlegames and endgames are represented. Games
//! that end before that ply are replaced. The same engine prints the same positions, because the random numbers have a
//! fixed seed. The engine has changed since the file was written, so the file cannot be reproduced.
#![allow(clippy::print_stdout)] // A program for the terminal: printing is its output.

use bartizan_engine::{Engine, Limits};
use bartizan_position::Game;
use bartizan_types::{SplitMix64, UciMove, Variant};

const POSITIONS: usize = 46;
const SEED: u64 = 20_261_121;

fn main() {
    let mut random = SplitMix64::new(SEED);
    let mut engine = Engine::new();
    let mut found = 0;
    println!("# Positions of the bench, made by `cargo run --release -p bartizan-engine --example bench_positions`;");
    println!("# the last ones are set up by hand: Chess960, a mate, a stalemate, a pawn ending with en passant.");
    while found < POSITIONS {
        let wanted = 10 + found * 3;
        let mut game = Game::default();
        let mut moves: Vec<UciMove> = Vec::new();
        engine.new_game();
        while game.outcome().is_none() && game.claimable_draw().is_none() && moves.len() < wanted {
            let legal = game.position().legal_moves();
            let mv = if moves.len() < 8 {
                Some(legal[random.below(legal.len())])
            } else {
                engine.set_startpos(&moves).ok();
                engine.go(Limits::nodes(4_000)).ok().and_then(|handle| handle.wait().best)
            };
            let Some(mv) = mv else { break };
            if game.push(mv).is_err() {
                break;
            }
            moves.push(mv.to_uci(Variant::Chess960));
        }
        if moves.len() == wanted && game.outcome().is_none() {
            println!("{}", game.position().to_fen());
            found += 1;
        }
    }
    for fen in [
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "r1r1n1k1/1p3pbp/p2p2p1/3Pp3/PP2P3/2R1BP2/5KPP/2R2N2 b - - 0 24",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/8/6K1/8/8/8/8 b - - 0 1",
        "8/8/1p6/3p3k/2pP4/2P5/1P4K1/8 b - d3 0 40",
    ] {
        println!("{fen}");
    }
}
