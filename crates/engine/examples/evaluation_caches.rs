//! How often the search asks for an evaluation, and how often its tables know the pawns, the shelters and the material.
//!
//! `cargo run --release -p bartizan-engine --example evaluation_caches [DEPTH]`, on the positions of the bench.
#![allow(clippy::print_stdout)] // It is a program.

use bartizan_engine::bench;
use bartizan_eval::{CacheStats, Evaluator, HandCrafted};
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable};
use bartizan_types::{Move, Value};
use std::error::Error;
use std::sync::{Arc, Mutex};

/// Tells what it has done when it is dropped.
struct Counted {
    evaluator: HandCrafted,
    total: Arc<Mutex<CacheStats>>,
}

impl Evaluator for Counted {
    fn reset(&mut self, position: &Position) {
        self.evaluator.reset(position);
    }

    fn play(&mut self, position: &Position, mv: Move) -> Position {
        self.evaluator.play(position, mv)
    }

    fn play_null(&mut self, position: &Position) -> Position {
        self.evaluator.play_null(position)
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

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(bench::DEPTH), |text| text.parse())?;
    let total = Arc::new(Mutex::new(CacheStats::default()));
    let mut nodes = 0;
    for fen in bench::positions() {
        // A pool of its own for each position: the tables are empty at the beginning, as in the bench.
        let evaluator = || Counted { evaluator: HandCrafted::new(), total: Arc::clone(&total) };
        let mut pool = ThreadPool::new(1, evaluator)?;
        let table = Arc::new(TranspositionTable::new(bench::HASH)?);
        let game = Game::new(Position::from_fen(fen)?);
        nodes += pool.go(Search::new(game, Limits::depth(depth)), table).wait().nodes;
    }
    let stats = *total.lock().map_err(|_| "a search panicked")?;
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    println!("nodes                 {nodes}");
    println!("evaluations           {} ({:.1} % of the nodes)", stats.probes, share(stats.probes, nodes));
    println!("pawn structure known  {:.2} %", share(stats.pawn_hits, stats.probes));
    println!("shelter known         {:.2} %", share(stats.shelter_hits, 2 * stats.probes));
    println!("material known        {:.2} %", share(stats.material_hits, stats.probes));
    Ok(())
}
