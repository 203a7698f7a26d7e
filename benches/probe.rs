//! Time per probe with all tables in memory: `cargo bench --bench probe` in `benches`.
//!
//! `SYZYGY_PATH` selects tables other than those of `testdata`. `SYZYGY_ORACLE` selects a file of positions in the
//! format of `testdata/syzygy/golden.txt`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::{TablebaseConfig, Tablebases};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::PathBuf;

fn positions() -> Vec<Position> {
    let text = std::env::var("SYZYGY_ORACLE")
        .map_or_else(|_| bartizan_testkit::read("syzygy/golden.txt"), |path| std::fs::read_to_string(path).unwrap());
    let fens = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(';').next());
    fens.map(|fen| Position::from_fen_with(fen, Tolerance::ALL).unwrap()).collect()
}

fn probe(c: &mut Criterion) {
    let folders: Vec<PathBuf> = std::env::var_os("SYZYGY_PATH")
        .map_or_else(|| vec![bartizan_testkit::testdata("syzygy")], |paths| std::env::split_paths(&paths).collect());
    let positions = positions();
    let mut paged = TablebaseConfig::default();
    paged.whole_file = 0;
    for (name, config) in [("whole files", TablebaseConfig::default()), ("paged", paged)] {
        let tables = Tablebases::open_with(&folders, config).unwrap();
        let with_dtz: Vec<&Position> =
            positions.iter().filter(|position| tables.probe_dtz(position).unwrap().is_some()).collect();
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function("probe_wdl", |b| {
            b.iter(|| positions.iter().filter(|p| black_box(tables.probe_wdl(p)).is_ok()).count());
        });
        group.throughput(Throughput::Elements(with_dtz.len() as u64));
        group.bench_function("probe_dtz", |b| {
            b.iter(|| with_dtz.iter().filter(|p| black_box(tables.probe_dtz(p)).is_ok()).count());
        });
        group.finish();
    }
}

criterion_group!(benches, probe);
criterion_main!(benches);
