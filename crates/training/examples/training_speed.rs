//! Training speed in positions per second: `cargo run --release -p bartizan-training --example training_speed [HIDDEN
//! [THREADS]]`.
#![allow(clippy::print_stdout)] // An example prints.

use bartizan_network::Architecture;
use bartizan_testkit::random_positions;
use bartizan_training::positions::PositionSample;
use bartizan_training::train::{FloatNetwork, Trainer, TrainerSettings};
use std::time::Instant;

/// Positions per batch, and in the data.
const BATCH: usize = 16_384;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let hidden = arguments.next().map_or(Ok(128), |text| text.parse())?;
    let threads = arguments.next().map(|text| text.parse()).transpose()?;
    let threads = threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let samples: Vec<PositionSample> =
        random_positions(1).take(8 * BATCH).map(|position| PositionSample::new(&position, 0, None)).collect();
    let settings = TrainerSettings { threads, ..TrainerSettings::default() };
    let mut trainer = Trainer::new(FloatNetwork::random(Architecture::plain(hidden)?, 1), settings);
    let start = Instant::now();
    let rounds = 8;
    for _ in 0..rounds {
        for batch in samples.chunks(BATCH) {
            trainer.step(batch, 0.001);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = (rounds * samples.len()) as f64 / seconds;
    println!("{hidden} hidden, {threads} threads: {speed:.0} positions/s");
    Ok(())
}
