//! One game of the engine against itself.

use super::Args;
use crate::interrupt::Interrupt;
use crate::random;
use anyhow::Context;
use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Outcome};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_types::{Color, Move, SplitMix64, Value};
use std::sync::Arc;

/// The engine of a thread.
pub(super) struct Player {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
}

impl Player {
    pub(super) fn new(hash: usize) -> anyhow::Result<Self> {
        let pool = ThreadPool::new(1, HandCrafted::new)?;
        Ok(Self { pool, table: Arc::new(TranspositionTable::new(hash).context("selfplay")?) })
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.pool.clear();
    }

    fn search(&mut self, game: &Game, nodes: u64) -> (Option<Move>, Value, u32) {
        let result = self.pool.go(Search::new(game.clone(), Limits::nodes(nodes)), self.table.clone()).wait();
        (result.best, result.value, result.depth)
    }
}

/// A move that the engine chose, and the result of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchedMove {
    pub(super) mv: Move,
    /// Score for the side that moves.
    pub(super) value: Value,
    /// Depth in plies. The binary format does not contain it.
    pub(super) depth: u32,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FinishedGame {
    pub(super) id: usize,
    /// The position after the opening and the random plies.
    pub(super) start: bartizan_position::Position,
    pub(super) moves: Vec<SearchedMove>,
    pub(super) winner: Option<Color>,
}

/// Plays a game; `None` if interrupted. The game depends on the seed and its number, not on the number of threads.
pub(super) fn game(
    player: &mut Player,
    args: &Args,
    opening: &Game,
    id: usize,
    interrupt: &Interrupt,
) -> Option<FinishedGame> {
    for attempt in 0.. {
        if interrupt.is_set() {
            return None;
        }
        let Some(start) = random_start(opening, args, &mut random::of_game(args.seed, id as u64, attempt)) else {
            continue;
        };
        player.new_game();
        // Give up on balance after 100 attempts, so that an unbalanced opening cannot hang the program.
        if attempt < 100 {
            let (_, value, _) = player.search(&start, args.nodes);
            if value.0.abs() > args.balance {
                continue;
            }
            player.new_game();
        }
        return play_on(player, args, start, id, interrupt);
    }
    None
}

/// The opening and the random plies; `None` if the game is over by then.
fn random_start(opening: &Game, args: &Args, random: &mut SplitMix64) -> Option<Game> {
    let mut game = opening.clone();
    // One ply more in half of the games, so that either side may be the first to choose a move.
    let plies = args.random_plies + (args.random_plies > 0 && random.next_u64() % 2 == 1) as usize;
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let mv = *moves.get((random.next_u64() % moves.len().max(1) as u64) as usize)?;
        game.push(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

fn play_on(player: &mut Player, args: &Args, start: Game, id: usize, interrupt: &Interrupt) -> Option<FinishedGame> {
    let mut game = start.clone();
    let mut moves: Vec<SearchedMove> = Vec::new();
    let winner = loop {
        if interrupt.is_set() {
            return None;
        }
        match game.outcome() {
            Some(Outcome::Checkmate(winner)) => break Some(winner),
            Some(Outcome::Draw(_)) => break None,
            None if game.claimable_draw().is_some() || moves.len() >= args.max_plies => break None,
            None => {}
        }
        if let Some(winner) = adjudicate(args, &game, &moves) {
            break winner;
        }
        let (mv, value, depth) = player.search(&game, args.nodes);
        let mv = mv?;
        game.push(mv).ok()?;
        moves.push(SearchedMove { mv, value, depth });
    };
    Some(FinishedGame { id, start: start.position().clone(), moves, winner })
}

/// The agreed result, `Some(winner)` or `Some(None)` for a draw; `None` while the sides do not agree.
fn adjudicate(args: &Args, game: &Game, moves: &[SearchedMove]) -> Option<Option<Color>> {
    const WIN_PLIES: usize = 4;
    const DRAW_PLIES: usize = 12;
    const DRAW_SCORE: i32 = 5;
    const DRAW_MOVE: u16 = 40;
    // The last score is that of the side that just moved. Going back, the sides alternate.
    let mover = !game.position().turn();
    let for_mover =
        |(back, scored): (usize, &SearchedMove)| if back % 2 == 0 { scored.value.0 } else { -scored.value.0 };
    let last = |plies: usize| moves.iter().rev().take(plies).enumerate().map(for_mover);
    if moves.len() >= WIN_PLIES {
        if last(WIN_PLIES).all(|score| score >= args.win_score) {
            return Some(Some(mover));
        }
        if last(WIN_PLIES).all(|score| score <= -args.win_score) {
            return Some(Some(!mover));
        }
    }
    let drawn = args.adjudicate_draws
        && moves.len() >= DRAW_PLIES
        && game.position().fullmove_number() >= DRAW_MOVE
        && last(DRAW_PLIES).all(|score| score.abs() <= DRAW_SCORE);
    drawn.then_some(None)
}
