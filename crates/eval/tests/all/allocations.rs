//! Evaluation does not allocate memory. The counter replaces the allocator of the whole program, but counts by thread.

use bartizan_eval::{Evaluator, HandCrafted};
use bartizan_testkit::random_positions;

#[test]
fn evaluating_allocates_nothing() {
    let mut evaluator = HandCrafted::new();
    let positions: Vec<_> = random_positions(6).take(5_000).collect();
    let mut allocations = 0;
    for position in &positions {
        evaluator.reset(position);
        allocations += allocation_counter::measure(|| {
            std::hint::black_box(evaluator.evaluate(position));
        })
        .count_total;
    }
    assert_eq!(allocations, 0, "in {} evaluations", positions.len());
    // The counter works.
    assert_ne!(allocation_counter::measure(|| drop(HandCrafted::new())).count_total, 0);
}
