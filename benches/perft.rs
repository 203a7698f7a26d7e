//! Perft leaves per second, compared with other libraries: `cargo bench --bench perft` in `benches`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.
#![allow(missing_docs)] // criterion_group! makes a public function.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use std::time::Duration;

const POSITIONS: [(&str, &str, u32, u64); 4] = [
    ("startpos-6", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("kiwipete-5", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("position3-7", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("promotion-5", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
];

fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                leaves += cozy(&child, depth - 1);
            }
            false
        });
    }
    leaves
}

fn chess_crate(board: &chess::Board, depth: usize) -> u64 {
    chess::MoveGen::movegen_perft_test(board, depth) as u64
}

fn shakmaty_perft(position: &shakmaty::Chess, depth: u32) -> u64 {
    shakmaty::perft(position, depth)
}

fn perft(c: &mut Criterion) {
    for (name, fen, depth, leaves) in POSITIONS {
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(leaves));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(6));
        let ours = bartizan_position::Position::from_fen(fen).unwrap();
        group.bench_function("bartizan", |b| b.iter(|| assert_eq!(bartizan_position::perft(&ours, depth), leaves)));
        let board: cozy_chess::Board = fen.parse().unwrap();
        group.bench_function("cozy-chess", |b| b.iter(|| assert_eq!(cozy(&board, depth), leaves)));
        let setup: shakmaty::fen::Fen = fen.parse().unwrap();
        let position: shakmaty::Chess = setup.into_position(shakmaty::CastlingMode::Standard).unwrap();
        group.bench_function("shakmaty", |b| b.iter(|| assert_eq!(shakmaty_perft(&position, depth), leaves)));
        let board: chess::Board = fen.parse().unwrap();
        group.bench_function("chess", |b| b.iter(|| assert_eq!(chess_crate(&board, depth as usize), leaves)));
        group.finish();
    }
}

criterion_group!(benches, perft);
criterion_main!(benches);
