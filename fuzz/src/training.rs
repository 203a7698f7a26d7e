//! Networks and their training data.

use crate::{starts, take_byte, take_bytes};
use bartizan_eval::{Evaluator, ORDINARY_MAX};
use bartizan_network::{
    Architecture, BLOCK, KING_SQUARES, Network, NetworkEvaluator, NetworkOrigin, NetworkWeights, Quantisation,
};
use bartizan_training::positions::{POSITIONS_MAGIC, PositionSample, SAMPLE_SIZE, SampleReader};
use bartizan_training::train::{CheckpointError, Trainer};
use std::sync::Arc;

/// The maximum size of a checkpoint made from an input.
const MOST_BYTES: usize = 1 << 20;

/// Network files. If the first byte is odd, the rest is a file. Otherwise it gives the numbers of a small network, the
/// weights repeated: an accepted network keeps its values as a file, and an incrementally updated value is that of the
/// position and an ordinary one.
pub fn network(mut data: &[u8]) {
    if take_byte(&mut data) & 1 != 0 {
        match Network::from_bytes(data) {
            // Two bytes of the head are reserved.
            Ok(network) => assert_eq!(network.to_bytes().len(), data.len()),
            Err(error) => assert!(error.to_string().chars().count() < 2_000),
        }
        return;
    }
    let outputs = 1 + usize::from(take_byte(&mut data) % 8);
    let buckets = take_byte(&mut data) % 4;
    let king_buckets = std::array::from_fn::<u8, KING_SQUARES, _>(|square| (square as u8) % (buckets + 1));
    let architecture = Architecture::new(BLOCK, king_buckets, outputs).expect("a supported shape");
    let mut number = || i16::from_le_bytes(take_bytes(&mut data));
    let quantisation = Quantisation { hidden: number(), output: number(), scale: number() };
    let some = |count: usize, data: &mut &[u8]| -> Vec<i16> {
        let length = usize::from(take_byte(data)) % 32;
        let numbers: Vec<i16> = (0..=length).map(|_| i16::from_le_bytes(take_bytes(data))).collect();
        numbers.into_iter().cycle().take(count).collect()
    };
    let weights = NetworkWeights {
        input: some(architecture.inputs() * BLOCK, &mut data),
        hidden_bias: some(BLOCK, &mut data),
        output: some(2 * BLOCK * outputs, &mut data),
        output_bias: (0..outputs).map(|_| i32::from_le_bytes(take_bytes(&mut data))).collect(),
    };
    let network = match Network::new(architecture, quantisation, &weights, NetworkOrigin::default()) {
        Ok(network) => network,
        Err(error) => {
            assert!(error.to_string().chars().count() < 2_000);
            return;
        }
    };
    assert_eq!(Network::from_bytes(&network.to_bytes()).as_ref(), Ok(&network));
    let mut evaluator = NetworkEvaluator::new(Arc::new(network));
    let mut position = starts::take_position(&mut data);
    evaluator.reset(&position);
    for _ in 0..8 {
        let value = evaluator.evaluate(&position);
        assert_eq!(value, evaluator.network().evaluate(&position), "{}", position.to_fen());
        assert!((-ORDINARY_MAX..=ORDINARY_MAX).contains(&value), "{value:?}");
        let Some(mv) = starts::take_move(&mut data, &position) else { break };
        evaluator.play(&mut position, mv);
    }
}

/// Files of positions: each is a position that survives being packed again, or an error. If the first byte is even, the
/// magic number is prepended.
pub fn positions(mut data: &[u8]) {
    let is_headed = take_byte(&mut data) & 1 == 0;
    let bytes = if is_headed { [&POSITIONS_MAGIC[..], data].concat() } else { data.to_vec() };
    let mut reader = match SampleReader::new(&bytes[..]) {
        Ok(reader) => reader,
        Err(error) => return assert!(error.to_string().chars().count() < 2_000),
    };
    let mut samples = Vec::new();
    let is_whole = reader.read(&mut samples, 64).is_ok();
    assert!(!is_whole || samples.len() == 64 || (bytes.len() - POSITIONS_MAGIC.len()).is_multiple_of(SAMPLE_SIZE));
    for sample in samples {
        assert!([0.0, 0.5, 1.0].contains(&sample.result()));
        // Training also reads the men of a record that is not a position.
        assert!(sample.packed().pieces().count() <= 32);
        let Ok(position) = sample.packed().unpack() else { continue };
        let again = PositionSample::new(&position, sample.score(), None);
        assert_eq!(again.packed().unpack().as_ref(), Ok(&position));
        assert_eq!(again.score(), sample.score());
    }
}

/// Training checkpoints. If the first byte is even, numbers are appended up to the length that the header requires, and
/// the checksum is corrected. An accepted checkpoint survives a round trip.
pub fn checkpoint(mut data: &[u8]) {
    let is_completed = take_byte(&mut data) & 1 == 0;
    let mut bytes = data.to_vec();
    if is_completed
        && let Err(CheckpointError::Length { expected, .. }) = Trainer::from_checkpoint(&bytes)
        && (bytes.len() + 4..MOST_BYTES).contains(&expected)
    {
        let missing = expected - 4 - bytes.len();
        bytes.extend(data.iter().rev().cycle().take(missing));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    }
    match Trainer::from_checkpoint(&bytes) {
        Ok((trainer, note)) => {
            let written = trainer.to_checkpoint(&note);
            let (again, same) = Trainer::from_checkpoint(&written).expect("what was written is read");
            assert_eq!(same, note);
            assert!(again.to_checkpoint(&note) == written);
        }
        Err(error) => assert!(error.to_string().chars().count() < 2_000),
    }
}
