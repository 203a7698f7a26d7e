//! Time of an evaluation: `cargo run --release -p bartizan-network --example evaluation_speed [HIDDEN [ROUNDS]]`.
//!
//! The weights are random, which does not affect the time. Each figure is the minimum of all rounds, which reduces the
//! effect of other load.
#![allow(clippy::print_stdout)] // An example prints.

use bartizan_eval::Evaluator;
use bartizan_network::{
    Architecture, KING_SQUARES, Network, NetworkEvaluator, NetworkOrigin, NetworkWeights, Quantisation,
};
use bartizan_position::Position;
use bartizan_testkit::random_positions;
use bartizan_types::SplitMix64;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Nanoseconds for each of `count` operations: the minimum of all rounds.
fn nanoseconds(rounds: usize, count: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) / count as f64 * 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let hidden = arguments.next().map_or(Ok(128), |text| text.parse())?;
    let rounds = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let architecture = Architecture::new(hidden, [0; KING_SQUARES], 8)?;
    let mut random = SplitMix64::new(1);
    let mut shorts =
        |count: usize, most: usize| (0..count).map(|_| random.below(2 * most + 1) as i16 - most as i16).collect();
    let weights = NetworkWeights {
        input: shorts(architecture.inputs() * hidden, 60),
        hidden_bias: shorts(hidden, 60),
        output: shorts(16 * hidden, (30_000 / hidden).min(127)),
        output_bias: vec![0; 8],
    };
    let network = Arc::new(Network::new(architecture, Quantisation::USUAL, &weights, NetworkOrigin::default())?);
    let positions: Vec<Position> = random_positions(1).step_by(7).take(64).collect();
    let moves: Vec<_> = positions.iter().map(|position| position.legal_moves().to_vec()).collect();
    let count = moves.iter().map(Vec::len).sum::<usize>();

    let scratch = nanoseconds(rounds, positions.len(), || {
        for position in &positions {
            black_box(network.evaluate(position));
        }
    });
    let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
    let mut tree = |evaluates: bool| {
        nanoseconds(rounds, count, || {
            for (position, moves) in positions.iter().zip(&moves) {
                evaluator.reset(position);
                evaluator.evaluate(position);
                for &mv in moves {
                    let mut child = position.clone();
                    evaluator.play(&mut child, mv);
                    if evaluates {
                        black_box(evaluator.evaluate(&child));
                    }
                    black_box(&child);
                    evaluator.undo();
                }
            }
        })
    };
    let (played, evaluated) = (tree(false), tree(true));
    println!("{hidden} hidden neurons, {count} moves");
    println!("from scratch {scratch:8.1} ns");
    println!("after a move {:8.1} ns, and {played:.1} ns to play the move", evaluated - played);
    Ok(())
}
