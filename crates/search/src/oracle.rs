//! Compares the search with plain minimax.

use crate::history::PieceTo;
use crate::job::Job;
use crate::node::{Expected, Pv};
use crate::picker::QuietChecks;
use crate::steps::{Step, Steps};
use crate::worker::{Worker, WorkerState};
use crate::{Limits, Search, TranspositionTable};
use bartizan_eval::HandCrafted;
use bartizan_position::{Game, Position};
use bartizan_testkit::perft_suite;
use bartizan_types::{Depth, Ply, Value};
use std::sync::Arc;

fn worker(position: &Position, steps: Steps) -> Worker<'static, HandCrafted> {
    let search = Search::new(Game::new(position.clone()), Limits::default());
    let table = Arc::new(TranspositionTable::new(1).unwrap());
    let job = Arc::new(Job { steps, ..Job::new(search, table, 1) });
    let mut worker = Worker::new(0, WorkerState::new(HandCrafted::new()), job, None);
    worker.root_depth = Depth(20);
    worker
}

/// Minimax to a fixed depth, then quiescence with the full window.
fn minimax(worker: &mut Worker<'static, HandCrafted>, position: &Position, depth: i32, ply: Ply) -> Value {
    if depth == 0 {
        return worker.quiescence::<Pv>(position, -Value::INFINITE, Value::INFINITE, ply, QuietChecks::Try);
    }
    if ply > Ply::ZERO && worker.is_draw(position, ply) {
        return Value::DRAW;
    }
    let mut best = None;
    for &mv in &position.legal_moves() {
        let mut next = position.clone();
        worker.play(&mut next, mv, ply);
        let value = -minimax(worker, &next, depth - 1, ply + 1);
        worker.undo();
        best = best.max(Some(value));
    }
    best.unwrap_or(if position.in_check() { Value::mated_in(ply) } else { Value::DRAW })
}

/// With all steps off, and with the steps on that only save work, the search returns the value of minimax.
#[test]
fn plain_search_is_minimax() {
    // Move ordering and proven bounds change no value. A table entry from another depth might.
    let sound = [
        Step::PrincipalVariation,
        Step::MateDistance,
        Step::Killers,
        Step::CounterMove,
        Step::ButterflyHistory,
        Step::ContinuationHistory1,
        Step::ContinuationHistory2,
        Step::ContinuationHistory4,
        Step::PawnHistory,
        Step::ThreatHistory,
        Step::ThreatOrder,
        Step::CheckOrder,
        Step::CaptureHistory,
        Step::Aspiration,
    ];
    // Both sides use the same quiescence. With losing captures it would take minutes.
    let plain_steps = Steps::NONE.with(Step::QuiescenceSee);
    let ordered = sound.into_iter().fold(plain_steps, Steps::with);
    let suite = perft_suite("random");
    let mut checked = 0;
    for case in suite.iter().step_by((suite.len() / 520).max(1)) {
        let position = Position::from_fen(&case.fen).unwrap();
        // Positions with few moves can be searched deeper in the same time.
        let depth = match position.legal_moves().len() {
            0 => continue,
            1..=12 => 3,
            13..=25 => 2,
            _ => 1,
        };
        let mut plain = worker(&position, plain_steps);
        let expected = minimax(&mut plain, &position, depth, Ply::ZERO);
        for steps in [plain_steps, ordered] {
            let mut worker = worker(&position, steps);
            let root = position.clone();
            let window = (-Value::INFINITE, Value::INFINITE);
            let value = worker.alphabeta::<Pv>(&root, window.0, window.1, Depth(depth), Ply::ZERO, Expected::All);
            assert_eq!(value, expected, "{} depth {depth} {steps:?}", case.fen);
            assert_eq!(worker.moved(Ply::ZERO, 1), PieceTo::NONE);
        }
        checked += 1;
    }
    assert!(checked >= 500, "{checked}");
}
