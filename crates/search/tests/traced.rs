//! The trace of a search, which needs the feature `trace`.

#![allow(clippy::unwrap_used)] // In a test a panic is the report.

use bartizan_position::{Game, Position};
use bartizan_search::{Limits, Search, ThreadPool, TranspositionTable, TreeSummary, TreeTrace};
use parking_lot::Mutex;
use std::io::{self, Write};
use std::sync::Arc;

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The trace of a search on two threads, and the nodes that it searched.
fn trace(fen: &str, depth: u32, most_bytes: u64) -> (String, TreeSummary, u64) {
    let memory = Memory::default();
    let tree = TreeTrace::new(memory.clone(), most_bytes);
    let mut pool = ThreadPool::new(2, bartizan_eval::HandCrafted::new).unwrap();
    let mut search = Search::new(Game::new(Position::from_fen(fen).unwrap()), Limits::depth(depth));
    search.tree = Some(tree.clone());
    let result = pool.search(search, Arc::new(TranspositionTable::new(1).unwrap()));
    let summary = tree.finish().unwrap();
    let text = String::from_utf8(memory.0.lock().clone()).unwrap();
    (text, summary, result.nodes)
}

const MIDDLEGAME: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";

/// Every node is written once, after its children, and the numbers of nodes add up.
#[test]
fn a_trace_has_every_node_after_its_children() {
    let (text, summary, nodes) = trace(MIDDLEGAME, 7, u64::MAX);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("bartizan-trace 1"));
    assert_eq!(lines.next(), Some(format!("position {MIDDLEGAME}").as_str()));
    let (mut sums, mut total, mut records) = (vec![0_u64; 600], 0, 0);
    for line in lines {
        let fields: Vec<&str> = line.split(' ').collect();
        match fields[0] {
            "n" => {
                let level: usize = fields[1].parse().unwrap();
                let below = std::mem::take(&mut sums[level + 1]);
                let nodes: u64 = fields[9].parse().unwrap();
                // Quiescence that razoring or the horizon needs counts as its node's, which is counted once more.
                assert!(nodes > below, "{line}: {below}");
                sums[level] += nodes;
                total += if level == 0 { nodes } else { 0 };
                records += 1;
            }
            "p" => records += 1,
            _ => assert_eq!(line, format!("end {records} 0")),
        }
    }
    assert_eq!((summary.records, summary.left_out, total), (records, 0, nodes));
    for step in ["hash", "reverse-futility", "null-move", "fail-high", "fail-low", "stand-pat", "late-move", "exact"] {
        assert!(text.contains(&format!(" {step}")), "{step}");
    }
    for purpose in [" root ", " reduced ", " null-move ", " quiescence ", " research "] {
        assert!(text.contains(purpose), "{purpose}");
    }
}

/// A trace that is full keeps the open nodes, so that the tree stays connected.
#[test]
fn a_full_trace_stays_connected() {
    let (text, summary, _) = trace(MIDDLEGAME, 7, 20_000);
    assert!(text.len() < 60_000, "{}", text.len());
    assert!(summary.left_out > 0 && text.ends_with(&format!("end {} {}\n", summary.records, summary.left_out)));
    assert!(text.lines().rev().nth(1).unwrap().starts_with("n 0 - root "));
}

#[test]
fn a_failure_to_write_is_reported_at_the_end() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let tree = TreeTrace::new(Full, u64::MAX);
    let mut pool = ThreadPool::new(1, bartizan_eval::HandCrafted::new).unwrap();
    let mut search = Search::new(Game::default(), Limits::depth(4));
    search.tree = Some(tree.clone());
    assert_eq!(pool.search(search, Arc::new(TranspositionTable::new(1).unwrap())).depth, 4);
    assert_eq!(tree.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
}

/// A trace changes nothing about the search.
#[test]
fn a_traced_search_is_the_same_search() {
    let (_, _, traced) = trace(MIDDLEGAME, 8, 1_000);
    let mut pool = ThreadPool::new(1, bartizan_eval::HandCrafted::new).unwrap();
    let search = Search::new(Game::new(Position::from_fen(MIDDLEGAME).unwrap()), Limits::depth(8));
    let result = pool.search(search, Arc::new(TranspositionTable::new(1).unwrap()));
    assert_eq!(result.nodes, traced);
}
