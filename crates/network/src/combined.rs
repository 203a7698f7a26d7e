//! A network and the hand-written terms together.

use crate::evaluator::NetworkEvaluator;
use crate::network::Network;
use bartizan_eval::{Evaluator, HandCrafted, ORDINARY_MAX, known_value};
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::sync::Arc;

/// How many plies back a correction may have been computed. The only value that was tried in matches with corrections
/// above three plies (`testdata/ledger.md`).
const REACH: usize = 12;

/// The mean of both evaluations, rounded towards zero.
#[inline]
pub(crate) fn mean(network: Value, hand_crafted: Value) -> Value {
    Value((network.0 + hand_crafted.0) / 2)
}

/// The mean of a network's value and that of the hand-written terms, except for endings with a known value.
///
/// The network costs little, because it follows the moves; the terms cost more. What the mean adds to the network's
/// value, the correction, says how the terms see king safety, pawns and mobility, which a few moves hardly change. Near
/// the leaves, [`evaluate_roughly`](Evaluator::evaluate_roughly) therefore takes the correction of a position up to
/// 12 plies before.
#[derive(Clone, Debug)]
pub struct CombinedEvaluator {
    network: NetworkEvaluator,
    hand_crafted: HandCrafted,
    /// For each position of the line its correction for White, where it was computed.
    corrections: Vec<Option<Value>>,
}

impl CombinedEvaluator {
    /// Creates an evaluator without a position; call [`Evaluator::reset`] before any other method.
    pub fn new(network: Arc<Network>) -> Self {
        Self { network: NetworkEvaluator::new(network), hand_crafted: HandCrafted::new(), corrections: Vec::new() }
    }
}

impl Evaluator for CombinedEvaluator {
    fn evaluate(&mut self, position: &Position) -> Value {
        if let Some(value) = known_value(position) {
            return value;
        }
        let by_network = self.network.evaluate(position);
        let value = mean(by_network, self.hand_crafted.evaluate_alone(position));
        if let Some(last) = self.corrections.last_mut() {
            let correction = value - by_network;
            *last = Some(if position.turn().is_white() { correction } else { -correction });
        }
        value
    }

    #[inline]
    fn evaluate_roughly(&mut self, position: &Position) -> Value {
        let Some(correction) = self.corrections.iter().rev().take(REACH + 1).find_map(|&correction| correction) else {
            return self.evaluate(position);
        };
        known_value(position).unwrap_or_else(|| {
            let correction = if position.turn().is_white() { correction } else { -correction };
            let value = self.network.evaluate(position) + correction.0;
            Value(value.0.clamp(-ORDINARY_MAX.0, ORDINARY_MAX.0))
        })
    }

    fn reset(&mut self, position: &Position) {
        self.network.reset(position);
        self.corrections.clear();
        self.corrections.push(None);
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        self.network.play(position, mv);
        self.corrections.push(None);
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        self.network.play_null(position);
        self.corrections.push(None);
    }

    #[inline]
    fn undo(&mut self) {
        self.network.undo();
        self.corrections.pop();
    }
}
