//! Measures the cost of the evaluation on the positions of the bench: nodes per second with it and with piece-square
//! values alone, how often the search calls it, and the hit rates of its caches.
//!
//! `cargo run --release -p bartizan-engine --example evaluation_cost [DEPTH]`
#![allow(clippy::print_stdout)] // A program for the terminal: printing is its output.

use bartizan_engine::bench;
use bartizan_eval::{CacheStats, Evaluator, HandCrafted};
use bartizan_position::{Game, Observer, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_types::{Color, Move, Piece, Square, Value};
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Adds its cache statistics to a total when it is dropped.
struct Counted {
    evaluator: HandCrafted,
    total: Arc<Mutex<CacheStats>>,
}

impl Evaluator for Counted {
    fn reset(&mut self, position: &Position) {
        self.evaluator.reset(position);
    }

    fn play(&mut self, position: &mut Position, mv: Move) {
        self.evaluator.play(position, mv);
    }

    fn play_null(&mut self, position: &mut Position) {
        self.evaluator.play_null(position);
    }

    fn undo(&mut self) {
        self.evaluator.undo();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        self.evaluator.evaluate(position)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Ok(mut total) = self.total.lock() {
            let stats = self.evaluator.cache_stats();
            total.probes += stats.probes;
            total.pawn_hits += stats.pawn_hits;
            total.shelter_hits += stats.shelter_hits;
            total.material_hits += stats.material_hits;
        }
    }
}

/// A minimal evaluation: material and distance from the centre, updated move by move.
struct PieceSquares {
    line: Vec<i32>,
}

/// White minus black.
struct Balance(i32);

/// In centipawns, by type.
const MATERIAL: [i32; 6] = [100, 320, 330, 500, 950, 0];

fn worth(piece: Piece, square: Square) -> i32 {
    let from_middle = |coordinate: usize| (2 * coordinate as i32 - 7).abs();
    let steps = from_middle(square.file().index()) + from_middle(square.rank().index());
    let worth = MATERIAL[piece.piece_type().index()] + 2 * (14 - steps);
    if piece.color() == Color::White { worth } else { -worth }
}

impl Observer for Balance {
    fn put(&mut self, piece: Piece, square: Square) {
        self.0 += worth(piece, square);
    }

    fn take(&mut self, piece: Piece, square: Square) {
        self.0 -= worth(piece, square);
    }
}

impl PieceSquares {
    fn last(&self) -> i32 {
        self.line.last().copied().unwrap_or_default()
    }
}

impl Evaluator for PieceSquares {
    fn reset(&mut self, position: &Position) {
        let on_board = Square::ALL.into_iter().filter_map(|square| Some(worth(position.piece_at(square)?, square)));
        self.line = vec![on_board.sum()];
    }

    fn play(&mut self, position: &mut Position, mv: Move) {
        let mut balance = Balance(self.last());
        position.make_observed(mv, &mut balance);
        self.line.push(balance.0);
    }

    fn play_null(&mut self, position: &mut Position) {
        self.line.push(self.last());
        position.make_null();
    }

    fn undo(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        Value(if position.turn() == Color::White { self.last() } else { -self.last() })
    }
}

/// Searches all positions, each with empty tables as in the bench; returns nodes and time.
fn search<E: Evaluator + 'static>(
    depth: u32,
    evaluator: impl Fn() -> E + Clone + Send + Sync + 'static,
) -> Result<(u64, Duration), Box<dyn Error>> {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for fen in bench::positions() {
        let mut pool = ThreadPool::new(1, evaluator.clone())?;
        let table = Arc::new(TranspositionTable::new(bench::HASH)?);
        let search = Search::new(Game::new(Position::from_fen(fen)?), Limits::depth(depth));
        let start = Instant::now();
        nodes += pool.go(search, table).wait().nodes;
        time += start.elapsed();
    }
    Ok((nodes, time))
}

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(bench::DEPTH), |text| text.parse())?;
    let total = Arc::new(Mutex::new(CacheStats::default()));
    let sum = Arc::clone(&total);
    let counted = move || Counted { evaluator: HandCrafted::new(), total: Arc::clone(&sum) };
    let (nodes, time) = search(depth, counted)?;
    let (plain_nodes, plain_time) = search(depth, || PieceSquares { line: Vec::new() })?;

    let stats = *total.lock().map_err(|_| "a search panicked")?;
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let speed = |nodes: u64, time: Duration| nodes as f64 / 1e6 / time.as_secs_f64();
    println!("hand-written         {nodes} nodes, {:.2} million a second", speed(nodes, time));
    println!("piece squares alone  {plain_nodes} nodes, {:.2} million a second", speed(plain_nodes, plain_time));
    println!("evaluations          {} ({:.1} % of the nodes)", stats.probes, share(stats.probes, nodes));
    println!("pawns known          {:.1} %", share(stats.pawn_hits, stats.probes));
    println!("shelter known        {:.1} %", share(stats.shelter_hits, 2 * stats.probes));
    println!("material known       {:.1} %", share(stats.material_hits, stats.probes));
    Ok(())
}
