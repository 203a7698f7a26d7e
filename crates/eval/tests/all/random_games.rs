//! Properties of the evaluation, tested in positions of random games.

use bartizan_eval::{EvalTracer, Evaluator, HandCrafted, Trace, evaluate, explain, value_of, weights};
use bartizan_position::{Position, Tolerance};
use bartizan_testkit::{mirrored, random_move, random_positions};
use bartizan_types::{SplitMix64, Value};

/// Fewer positions in a debug build.
const POSITIONS: usize = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
const GAMES: usize = if cfg!(debug_assertions) { 100 } else { 1_000 };

#[test]
fn values_are_symmetric() {
    for position in random_positions(1).take(POSITIONS) {
        assert_eq!(evaluate(&position), evaluate(&position.flipped()), "{}", position.to_fen());
    }
}

/// Without castling rights, the wings are alike.
#[test]
fn values_are_the_same_on_both_wings() {
    for position in random_positions(7).filter(|position| position.castling().is_empty()).take(POSITIONS) {
        assert_eq!(evaluate(&position), evaluate(&mirrored(&position)), "{}", position.to_fen());
    }
}

#[test]
fn values_stay_within_their_range() {
    for position in random_positions(2).take(POSITIONS) {
        let value = evaluate(&position);
        assert!(value.0.abs() <= Value::EVAL_MAX.0, "{}: {value:?}", position.to_fen());
    }
}

#[test]
fn the_evaluator_follows_random_games() {
    let mut random = SplitMix64::new(3);
    let mut evaluator = HandCrafted::new();
    for _ in 0..GAMES {
        let mut position = Position::startpos();
        evaluator.reset(&position);
        for _ in 0..200 {
            let Some(mv) = random_move(&position, &mut random) else { break };
            evaluator.play(&mut position, mv);
            assert_eq!(evaluator.evaluate(&position), evaluate(&position), "{}", position.to_fen());
            if !position.in_check() && random.below(8) == 0 {
                let mut passed = position.clone();
                evaluator.play_null(&mut passed);
                assert_eq!(evaluator.evaluate(&passed), evaluate(&passed), "{}", passed.to_fen());
                evaluator.undo();
            }
        }
    }
}

#[test]
fn traces_have_the_value_of_their_position() {
    let weights = weights::default_values();
    let mut tracing = EvalTracer::new();
    let mut trace = Trace::default();
    let mut known = 0;
    let mut check = |position: &Position| {
        if tracing.trace_into(position, &mut trace) {
            assert_eq!(value_of(&trace, &weights), evaluate(position), "{}", position.to_fen());
        } else {
            known += 1;
        }
    };
    random_positions(4).take(POSITIONS).for_each(|position| check(&position));
    for name in bartizan_testkit::PERFT_SUITES {
        for case in bartizan_testkit::perft_suite(name) {
            check(&Position::from_fen_with(&case.fen, Tolerance::ALL).unwrap());
        }
    }
    assert!(known < POSITIONS / 2, "endgame knowledge replaces too many evaluations: {known}");
}

#[test]
fn explanations_add_up() {
    for position in random_positions(5).take(POSITIONS / 100) {
        let explanation = explain(&position);
        let mut sum = (0, 0);
        for row in &explanation.rows {
            sum.0 += row.difference().mg;
            sum.1 += row.difference().eg;
        }
        assert_eq!(sum, (explanation.sum.mg, explanation.sum.eg), "{}", position.to_fen());
        assert_eq!(explanation.value, evaluate(&position));
        if !explanation.is_known {
            let total = explanation.tapered(explanation.sum) + explanation.scaling();
            assert!((total - f64::from(explanation.white.0)).abs() < 1.001, "{}: {total}", position.to_fen());
        }
        assert!(!explanation.to_string().is_empty());
    }
}
