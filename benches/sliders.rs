//! Slider lookups per second: `cargo bench --bench sliders` in `benches`, and with `RUSTFLAGS=-Ctarget-cpu=x86-64` for
//! the magics.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_types::{Bitboard, SplitMix64, Square};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn sliders(c: &mut Criterion) {
    let mut random = SplitMix64::new(1);
    let occupations: Vec<Bitboard> = (0..64).map(|_| Bitboard(random.next_u64() & random.next_u64())).collect();
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
