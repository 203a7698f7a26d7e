//! Speed of a hash table of 256 MB with random keys: `cargo bench --bench table` in `benches`.
#![allow(clippy::unwrap_used)] // In a benchmark a panic is the report.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_search::{TableEntry, TranspositionTable};
use bartizan_types::{Bound, Depth, Key, SplitMix64, Value};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

const MEGABYTES: usize = 256;

const ENTRY: TableEntry = TableEntry {
    mv: None,
    value: Value(17),
    eval: Some(Value(-17)),
    depth: Depth(9),
    bound: Bound::Lower,
    is_pv: false,
};

/// A key for each number, spread over the whole table.
fn mix(number: u64) -> Key {
    Key(SplitMix64::new(number).next_u64())
}

/// The next key depends on the result of the last probe, as in a search, so that the benchmark measures the latency.
fn after(key: Key, found: Option<TableEntry>) -> Key {
    mix(key.0 ^ u64::from(found.is_some()))
}

/// Simulates the work between making a move and probing the table: about 40 ns without memory accesses.
fn work(seed: u64) -> u64 {
    (0..20).fold(seed, |state, _| mix(state).0)
}

fn table(criterion: &mut Criterion) {
    let table = TranspositionTable::new(MEGABYTES).unwrap();
    (0..1 << 25).for_each(|number| table.store(mix(number), ENTRY));
    let mut group = criterion.benchmark_group("table");
    let mut key = Key(1);
    group.bench_function("probe", |bencher| bencher.iter(|| key = after(key, table.probe(key))));
    group.bench_function("work, probe", |bencher| {
        bencher.iter(|| {
            black_box(work(key.0));
            key = after(key, table.probe(key));
        });
    });
    group.bench_function("prefetch, work, probe", |bencher| {
        bencher.iter(|| {
            table.prefetch(key);
            black_box(work(key.0));
            key = after(key, table.probe(key));
        });
    });
    group.bench_function("store", |bencher| {
        bencher.iter(|| {
            key = mix(key.0);
            table.store(key, ENTRY);
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("clear");
    group.sample_size(10);
    for threads in [1, 2] {
        group.bench_function(format!("{threads} threads"), |bencher| {
            // Every bucket must hold an entry, because empty buckets are not written to.
            bencher.iter_batched(
                || (0..1 << 23).for_each(|number| table.store(mix(number), ENTRY)),
                |()| table.clear_parallel(threads),
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, table);
criterion_main!(benches);
