//! Measures the cost of an evaluation: `cargo bench --bench evaluate` in `benches`.
#![allow(clippy::unwrap_used)] // In a bench a panic is the report.
#![allow(missing_docs)] // criterion_group! makes a public function.

use bartizan_eval::{EvalTracer, Evaluator, HandCrafted, Trace, evaluate};
use bartizan_position::{Position, Tolerance};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;

/// Positions of a perft suite in which the side to move is not in check.
fn positions() -> Vec<Position> {
    bartizan_testkit::perft_suite("random")
        .iter()
        .map(|case| Position::from_fen_with(&case.fen, Tolerance::ALL).unwrap())
        .filter(|position| !position.in_check())
        .take(500)
        .collect()
}

/// Plays, evaluates and undoes every move, as a search does. Returns the number and the sum of evaluations.
fn walk(evaluator: &mut HandCrafted, position: &Position) -> (u64, i32) {
    let (mut count, mut sum) = (0, 0);
    evaluator.reset(position);
    for mv in position.legal_moves() {
        let mut child = position.clone();
        evaluator.play(&mut child, mv);
        if !child.in_check() {
            count += 1;
            sum += evaluator.evaluate(&child).0;
        }
        evaluator.undo();
    }
    (count, sum)
}

fn bench(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("evaluate");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));

    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("from scratch", |b| {
        b.iter(|| positions.iter().map(|position| evaluate(position).0).sum::<i32>());
    });

    let mut evaluator = HandCrafted::new();
    let leaves = positions.iter().map(|position| walk(&mut evaluator, position).0).sum();
    group.throughput(Throughput::Elements(leaves));
    group.bench_function("play, evaluate and undo", |b| {
        b.iter(|| positions.iter().map(|position| walk(&mut evaluator, position).1).sum::<i32>());
    });

    let mut tracing = EvalTracer::new();
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("trace", |b| {
        b.iter_batched_ref(
            Trace::default,
            |trace| positions.iter().filter(|position| tracing.trace_into(black_box(position), trace)).count(),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
