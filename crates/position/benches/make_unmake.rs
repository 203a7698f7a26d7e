//! Copy-make against make/unmake, by perft with bulk counting and without.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_position::Position;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn copy(position: &Position, depth: u32, bulk: u32) -> u64 {
    match depth {
        0 => 1,
        _ if depth == bulk => u64::from(position.count_legal_moves()),
        _ => position.legal_moves().iter().map(|&mv| copy(&position.play_unchecked(mv), depth - 1, bulk)).sum(),
    }
}

fn unmake(position: &mut Position, depth: u32, bulk: u32) -> u64 {
    match depth {
        0 => 1,
        _ if depth == bulk => u64::from(position.count_legal_moves()),
        _ => {
            let mut leaves = 0;
            for mv in position.legal_moves() {
                let undo = position.make_move(mv);
                leaves += unmake(position, depth - 1, bulk);
                position.unmake(mv, &undo);
            }
            leaves
        }
    }
}

fn make_unmake(c: &mut Criterion) {
    for (name, fen, leaves) in [
        ("startpos-5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4_865_609),
        ("kiwipete-5", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 193_690_690),
    ] {
        let position = Position::from_fen(fen).unwrap();
        for (kind, bulk) in [("bulk", 1), ("every move made", 0)] {
            let mut group = c.benchmark_group(format!("{name}, {kind}"));
            group.throughput(Throughput::Elements(leaves)).sample_size(10);
            group.bench_function("copy", |b| b.iter(|| assert_eq!(copy(&position, 5, bulk), leaves)));
            group.bench_function("unmake", |b| b.iter(|| assert_eq!(unmake(&mut position.clone(), 5, bulk), leaves)));
            group.finish();
        }
    }
}

criterion_group!(benches, make_unmake);
criterion_main!(benches);
