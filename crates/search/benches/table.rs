//! The hash table, 256 MB of it, by random keys: `cargo bench -p bartizan-search`.
#![allow(clippy::unwrap_used)] // In a test a panic is the report.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_search::{TableEntry, TranspositionTable};
use bartizan_types::{Bound, Depth, Key, Value};
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

/// Sebastiano Vigna's splitmix64.
fn mix(number: u64) -> Key {
    let mut key = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    Key(key ^ key >> 31)
}

/// The next key depends on what the last probe found, as it does in a search: the time is the whole latency.
fn after(key: Key, found: Option<TableEntry>) -> Key {
    mix(key.0 ^ u64::from(found.is_some()))
}

/// The work between the making of a move and the probe after it: about 40 ns that wait for nothing.
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
            // A word in each bucket: a clean one would not be written to.
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
