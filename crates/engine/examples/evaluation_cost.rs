//! Measures the cost of the evaluation on the positions of the bench: nodes per second with each of the engine's
//! evaluations and with piece-square values alone, how often the search calls them, and the hit rates of the caches of
//! the hand-written terms.
//!
//! `cargo run --release -p bartizan-engine --example evaluation_cost [DEPTH]`
#![allow(clippy::print_stdout)] // A program for the terminal: printing is its output.

use bartizan_engine::bench;
use bartizan_eval::{CacheStats, Evaluator};
use bartizan_network::{AnyEvaluator, EvaluationModel, Network};
use bartizan_position::{Game, Observer, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_types::{Color, Move, Piece, Square, Value};
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Counts a search's calls of an evaluation.
#[derive(Clone, Copy, Default)]
struct Calls {
    exact: u64,
    rough: u64,
    caches: CacheStats,
}

/// Adds its counts to a total when it is dropped.
struct Counted {
    evaluation: AnyEvaluator,
    calls: Calls,
    total: Arc<Mutex<Calls>>,
}

impl Evaluator for Counted {
    fn reset(&mut self, position: &Position) {
        self.evaluation.reset(position);
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        self.evaluation.play(position, mv);
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        self.evaluation.play_null(position);
    }

    #[inline]
    fn undo(&mut self) {
        self.evaluation.undo();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        self.calls.exact += 1;
        self.evaluation.evaluate(position)
    }

    #[inline]
    fn evaluate_roughly(&mut self, position: &Position) -> Value {
        self.calls.rough += 1;
        self.evaluation.evaluate_roughly(position)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Ok(mut total) = self.total.lock() {
            total.exact += self.calls.exact;
            total.rough += self.calls.rough;
            if let AnyEvaluator::HandCrafted(terms) = &self.evaluation {
                let stats = terms.cache_stats();
                total.caches.probes += stats.probes;
                total.caches.pawn_hits += stats.pawn_hits;
                total.caches.shelter_hits += stats.shelter_hits;
                total.caches.material_hits += stats.material_hits;
            }
        }
    }
}

/// A minimal evaluation: material and distance from the centre, updated incrementally.
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
        position.make_null_unchecked();
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

fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Searches with an evaluation and prints its cost; returns the counts.
fn measure(name: &str, depth: u32, model: EvaluationModel) -> Result<Calls, Box<dyn Error>> {
    let total = Arc::new(Mutex::new(Calls::default()));
    let sum = Arc::clone(&total);
    let counted =
        move || Counted { evaluation: AnyEvaluator::new(&model), calls: Calls::default(), total: Arc::clone(&total) };
    let (nodes, time) = search(depth, counted)?;
    let calls = *sum.lock().map_err(|_| "a search panicked")?;
    print_speed(name, nodes, time);
    let (exact, rough) = (share(calls.exact, nodes), share(calls.rough, nodes));
    println!("    evaluated in {exact:.1} % of the nodes, roughly in {rough:.1} %");
    Ok(calls)
}

fn print_speed(name: &str, nodes: u64, time: Duration) {
    println!("{name}: {nodes} nodes, {:.2} million a second", nodes as f64 / 1e6 / time.as_secs_f64());
}

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(bench::DEPTH), |text| text.parse())?;
    let network = Network::shared().ok_or("the built-in network is damaged")?;
    measure("both", depth, EvaluationModel::built_in())?;
    measure("network alone", depth, EvaluationModel::Network(Arc::clone(network)))?;
    let caches = measure("terms alone", depth, EvaluationModel::HandCrafted)?.caches;
    println!("    pawns known      {:.1} %", share(caches.pawn_hits, caches.probes));
    println!("    shelter known    {:.1} %", share(caches.shelter_hits, 2 * caches.probes));
    println!("    material known   {:.1} %", share(caches.material_hits, caches.probes));
    let (nodes, time) = search(depth, || PieceSquares { line: Vec::new() })?;
    print_speed("piece squares alone", nodes, time);
    Ok(())
}
