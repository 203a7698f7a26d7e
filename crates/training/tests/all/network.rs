//! Training on positions with a known value.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_eval::{drawn_lead, known_value};
use bartizan_network::{Architecture, EvaluationModel, NetworkOrigin, Quantisation};
use bartizan_position::Position;
use bartizan_testkit::random_positions;
use bartizan_training::positions::PositionSample;
use bartizan_training::train::{CheckpointError, FloatNetwork, PHASES, Trainer, TrainerSettings};
use bartizan_types::{Color, PieceType, Square, Value};
use std::num::NonZeroUsize;
use std::sync::Arc;

const SETTINGS: TrainerSettings = TrainerSettings {
    lambda: 1.0,
    scale: 400.0,
    weight_decay: 0.01,
    with_terms: false,
    dropout: 0.0,
    factorised: false,
    threads: NonZeroUsize::new(2).unwrap(),
};

/// For a network that is averaged with the hand-written terms.
const WITH_TERMS: TrainerSettings = TrainerSettings { with_terms: true, ..SETTINGS };

const FACTORISED: TrainerSettings = TrainerSettings { factorised: true, ..SETTINGS };
const WITH_DROPOUT: TrainerSettings = TrainerSettings { dropout: 0.25, ..WITH_TERMS };

/// The material of the side to move in centipawns.
fn material(position: &Position) -> i16 {
    let worth = [(PieceType::Pawn, 100), (PieceType::Knight, 300), (PieceType::Bishop, 300), (PieceType::Rook, 500)];
    let count = |color| -> i16 {
        let sum = worth.iter().map(|&(piece, value)| value * position.pieces(color, piece).count() as i16);
        sum.sum::<i16>() + 900 * position.pieces(color, PieceType::Queen).count() as i16
    };
    count(position.turn()) - count(!position.turn())
}

fn samples() -> Vec<PositionSample> {
    let mut samples = Vec::new();
    for position in random_positions(3).take(4_000) {
        let score = material(&position);
        let winner = match score.signum() {
            0 => None,
            sign => Some(if (sign > 0) == position.turn().is_white() { Color::White } else { Color::Black }),
        };
        samples.push(PositionSample::new(&position, score, winner));
    }
    samples
}

fn trained(settings: TrainerSettings, samples: &[PositionSample], steps: usize) -> Trainer {
    let model = FloatNetwork::random(Architecture::plain(32).unwrap(), 1);
    let mut trainer = Trainer::new(model, settings);
    for step in 0..steps {
        let start = step * 512 % samples.len();
        let batch: Vec<PositionSample> = samples.iter().cycle().skip(start).take(512).copied().collect();
        trainer.step(&batch, 0.01);
    }
    trainer
}

/// The mean loss of all positions.
fn mean_loss(trainer: &Trainer, samples: &[PositionSample]) -> f64 {
    let losses = trainer.loss(samples);
    let (sum, count) = losses.iter().fold((0.0, 0), |(sum, count), loss| (sum + loss.sum, count + loss.count));
    assert_eq!(count, samples.len() as u64);
    sum / count as f64
}

#[test]
fn a_network_learns_material() {
    let samples = samples();
    let [before, after] = [0, 200].map(|steps| mean_loss(&trained(SETTINGS, &samples, steps), &samples));
    assert!(after < before / 10.0, "from {before} to {after}");
}

/// The engine's mean of network and terms fits the scores, and the network alone does not.
#[test]
fn a_network_learns_what_the_terms_lack() {
    let samples = samples();
    let [before, after] = [0, 200].map(|steps| trained(WITH_TERMS, &samples, steps));
    let [first, last] = [&before, &after].map(|trainer| mean_loss(trainer, &samples));
    assert!(last < first / 4.0, "from {first} to {last}");
    let network = after.model().quantised(Quantisation::USUAL, NetworkOrigin::default()).unwrap();
    let combined = EvaluationModel::Combined(Arc::new(network.clone()));
    let expected = |value: f64| 1.0 / (1.0 + (-value / 400.0).exp());
    let (mut together, mut alone, mut by_trainer) = (0.0, 0.0, 0.0);
    for &sample in &samples {
        let position = sample.packed().unpack().unwrap();
        let by_network = network.evaluate(&position);
        // The trainer does not know about the engine's known endings.
        if known_value(&position).or_else(|| drawn_lead(&position, by_network)).is_none() {
            let target = expected(f64::from(sample.score()));
            let error = |value: Value| (expected(f64::from(value.0)) - target).powi(2);
            together += error(combined.value(&position));
            alone += error(by_network);
            by_trainer += mean_loss(&after, &[sample]);
        }
    }
    assert!(together < alone / 2.0, "{together} together, {alone} alone");
    assert!((together / by_trainer - 1.0).abs() < 0.2, "{together} by the engine, {by_trainer} by the trainer");
}

/// Squares that occur in no position take the values of their rank and file.
#[test]
fn squares_learn_from_their_rank_and_file() {
    let on_d4 =
        |position: &Position| position.piece_at(Square::D4).is_some_and(|piece| piece.piece_type() != PieceType::King);
    let (unknown, known): (Vec<_>, Vec<_>) =
        samples().into_iter().partition(|sample| on_d4(&sample.packed().unpack().unwrap()));
    assert!(unknown.len() > 100, "{}", unknown.len());
    let [alone, together] = [SETTINGS, FACTORISED].map(|settings| mean_loss(&trained(settings, &known, 200), &unknown));
    assert!(together < 0.75 * alone, "{together} with shared parts, {alone} without");
}

/// The network also learns with dropout; its evaluation drops nothing and is the same each time.
#[test]
fn dropout_is_for_training_alone() {
    let samples = samples();
    let settings = TrainerSettings { dropout: 0.25, ..SETTINGS };
    let [before, after] = [0, 200].map(|steps| trained(settings, &samples, steps));
    let [first, last] = [&before, &after].map(|trainer| mean_loss(trainer, &samples));
    assert!(last < first / 5.0, "from {first} to {last}");
    assert_eq!(mean_loss(&after, &samples), last);
    assert_eq!(after.model(), trained(settings, &samples, 200).model());
    // A step reports the loss with dropout.
    let with_dropout = after.clone().step(&samples, 0.01).mean();
    assert!(with_dropout > 1.2 * last, "{with_dropout} while learning, {last} afterwards");
}

#[test]
fn the_same_training_gives_the_same_network() {
    let samples = samples();
    assert_eq!(trained(SETTINGS, &samples, 20).model(), trained(SETTINGS, &samples, 20).model());
}

/// An interrupted training gives the same network as an uninterrupted one.
#[test]
fn checkpoints_go_on_where_they_stopped() {
    let samples = samples();
    for settings in
        [SETTINGS, WITH_TERMS, FACTORISED, WITH_DROPOUT, TrainerSettings { factorised: true, ..WITH_DROPOUT }]
    {
        let mut trainer = trained(settings, &samples, 5);
        let (mut resumed, note) = Trainer::from_checkpoint(&trainer.to_checkpoint("batch 5")).unwrap();
        assert_eq!((note.as_str(), resumed.steps(), resumed.settings()), ("batch 5", 5, settings));
        for batch in samples.chunks(500) {
            trainer.step(batch, 0.001);
            resumed.step(batch, 0.001);
        }
        assert_eq!(trainer.model(), resumed.model());
    }
}

/// Versions 1 and 2 of the format have neither dropout nor flags.
#[test]
fn checkpoints_of_older_versions_are_read() {
    for (version, settings) in [(b'1', SETTINGS), (b'2', WITH_TERMS)] {
        let trainer = trained(settings, &samples(), 3);
        let mut bytes = trainer.to_checkpoint("note");
        bytes[7] = version;
        bytes.drain(72..80);
        let content = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[..content]);
        bytes[content..].copy_from_slice(&checksum.to_le_bytes());
        let (read, note) = Trainer::from_checkpoint(&bytes).unwrap();
        assert_eq!((note.as_str(), read.steps(), read.settings()), ("note", 3, settings));
        assert_eq!(read.model(), trainer.model());
    }
}

#[test]
fn damaged_checkpoints_are_refused() {
    let bytes = trained(FACTORISED, &samples(), 1).to_checkpoint("note");
    assert_eq!(Trainer::from_checkpoint(b"").err(), Some(CheckpointError::Magic));
    for cut in [8, 40, 71, 72, 79, 80, bytes.len() - 1] {
        assert!(matches!(Trainer::from_checkpoint(&bytes[..cut]), Err(CheckpointError::Length { .. })), "{cut}");
    }
    for at in (0..bytes.len()).step_by(997).chain(0..84) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(Trainer::from_checkpoint(&changed).is_err(), "byte {at}");
    }
}

#[test]
fn records_that_are_no_position_are_counted_and_left_out() {
    let mut trainer = trained(SETTINGS, &samples(), 0);
    let mut batch = vec![PositionSample::from_bytes([0; 32]), PositionSample::from_bytes([0xFF; 32])];
    let loss = trainer.step(&batch, 0.01);
    assert_eq!((loss.count, loss.invalid), (0, 2));
    batch.push(samples()[0]);
    let loss = trainer.step(&batch, 0.01);
    assert_eq!((loss.count, loss.invalid), (1, 2));
    assert_eq!(trainer.loss(&batch).iter().map(|loss| loss.invalid).sum::<u64>(), 2);
    assert_eq!(PHASES.len(), trainer.loss(&[]).len());
}
