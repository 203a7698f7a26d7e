//! Locked positions in which one side is far ahead and has one lever to make progress: it must not shuffle its pieces
//! for 30 moves.
//!
//! The engine plays both sides with a fixed number of nodes for each move, so that the games are the same on every
//! machine. Any change of the search changes them; the test tolerates failures in a third of them.

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use std::sync::Arc;

/// White is ahead and to move.
const LOCKED: [&str; 2] = [
    // An extra rook; only b2-b3 opens the position.
    "5k2/4bp2/4p1p1/3pP1Pp/p1pP1P1P/P1P2K2/1P1B4/3R4 w - - 0 1",
    // The exchange up; f4-f5 gives up a pawn for an open file.
    "5k2/4np2/4p1p1/1p1pP1Pp/1PpP1P1P/2P2K2/3BR3/2b5 w - - 0 1",
];

/// Halfmove clock of a side that has shuffled for 30 moves.
const SHUFFLED: u16 = 60;

/// Value in centipawns of a position that is no longer locked.
const WON: i32 = 1_000;

/// The largest halfmove clock before White is winning, at most [`SHUFFLED`]. A draw counts as shuffled.
fn longest_wait(fen: &str, nodes: u64) -> u16 {
    let mut pool = ThreadPool::new(1, HandCrafted::new).unwrap();
    let table = Arc::new(TranspositionTable::new(8).unwrap());
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    let mut longest = 0;
    while longest < SHUFFLED {
        if game.outcome().is_some() || game.claimable_draw().is_some() {
            return SHUFFLED;
        }
        let result = pool.go(Search::new(game.clone(), Limits::nodes(nodes)), table.clone()).wait();
        if result.value.0.abs() >= WON {
            break;
        }
        game.push(result.best.unwrap()).unwrap();
        longest = longest.max(game.position().halfmove_clock());
    }
    longest
}

#[test]
fn a_plan_is_not_put_off_for_30_moves() {
    let games = LOCKED.iter().flat_map(|fen| [3_000, 6_000, 12_000].map(|nodes| longest_wait(fen, nodes)));
    let waits: Vec<u16> = games.collect();
    let shuffled = waits.iter().filter(|&&wait| wait >= SHUFFLED).count();
    assert!(shuffled <= 2, "{waits:?}");
}
