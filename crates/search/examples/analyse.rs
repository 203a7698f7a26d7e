//! Analyses a position and prints each iteration's principal variation.
//!
//! `cargo run --release -p bartizan-search --example analyse -- "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"`
#![allow(clippy::print_stdout)]

use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, SearchEvent, ThreadPool, TranspositionTable};
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = match std::env::args().nth(1) {
        Some(fen) => Position::from_fen(&fen)?,
        None => Position::startpos(),
    };
    let mut pool = ThreadPool::new(1, HandCrafted::new)?;
    let table = Arc::new(TranspositionTable::new(16)?);
    let limits = Limits::depth(20).with_move_time(Duration::from_secs(3));
    for event in pool.go(Search::new(Game::new(root), limits), table) {
        match event {
            SearchEvent::Info(info) => {
                let line: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
                println!("{:>3} {:>7} {:>10} nodes  {}", info.depth, info.value.0, info.nodes, line.join(" "));
            }
            SearchEvent::Finished(result) => println!("best move: {:?}", result.best.map(|mv| mv.to_string())),
            _ => {}
        }
    }
    Ok(())
}
