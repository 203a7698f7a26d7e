//! Slider lookups per second: `cargo bench -p bartizan-attacks`, and with `RUSTFLAGS=-Ctarget-cpu=x86-64` for the magics.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_types::{Bitboard, Square};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn sliders(c: &mut Criterion) {
    let occupations: Vec<Bitboard> = (1..=64_u64)
        .map(|i| Bitboard(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & i.wrapping_mul(0xbf58_476d_1ce4_e5b9)))
        .collect();
    let mut group = c.benchmark_group("sliders");
    group.throughput(Throughput::Elements(64 * 64));
    for (name, f) in [
        ("rook", bartizan_attacks::rook as fn(Square, Bitboard) -> Bitboard),
        ("bishop", bartizan_attacks::bishop),
        ("queen", bartizan_attacks::queen),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut sum = Bitboard::EMPTY;
                for &occupied in &occupations {
                    for square in Square::ALL {
                        sum ^= f(black_box(square), occupied);
                    }
                }
                sum
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sliders);
criterion_main!(benches);
