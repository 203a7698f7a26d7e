//! A network and the hand-written terms together.

use crate::evaluator::NetworkEvaluator;
use crate::network::Network;
use bartizan_eval::{Evaluator, HandCrafted, ORDINARY_MAX, drawn_lead, known_value};
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::sync::Arc;

/// The maximum age, in plies, of the slow part of the terms: the only value tried in matches with the terms above three
/// plies (`docs/lab/combined.md`, "2026-11-23 The network and the hand-written terms together").
const REACH: usize = 12;

/// The value of a network, reduced by endgame knowledge.
#[inline]
pub(crate) fn lead(position: &Position, network: Value) -> Value {
    drawn_lead(position, network).unwrap_or(network)
}

/// The mean of both evaluations, rounded towards zero.
#[inline]
pub(crate) fn mean(network: Value, hand_crafted: Value) -> Value {
    Value((network.0 + hand_crafted.0) / 2)
}

/// The mean of the values of a network and of the hand-written terms, except in endings with a known value.
///
/// The network, material and piece squares cost little, because they are updated incrementally. The other terms cost
/// more. Near the leaves, [`evaluate_roughly`](Evaluator::evaluate_roughly) therefore takes them from a position up to
/// 12 plies earlier. That is a poor estimate, but computing exact terms everywhere cost more than it gained
/// (`docs/lab/combined.md`, "2026-11-24 The terms near the leaves").
#[derive(Clone, Debug)]
pub struct CombinedEvaluator {
    network: NetworkEvaluator,
    hand_crafted: HandCrafted,
    /// For each position of the line, what the other terms add to material and piece squares for White, where computed.
    rests: Vec<Option<Value>>,
}

impl CombinedEvaluator {
    /// Creates an evaluator without a position; call [`Evaluator::reset`] before any other method.
    pub fn new(network: Arc<Network>) -> Self {
        Self { network: NetworkEvaluator::new(network), hand_crafted: HandCrafted::new(), rests: Vec::new() }
    }
}

impl Evaluator for CombinedEvaluator {
    fn evaluate(&mut self, position: &Position) -> Value {
        if let Some(value) = known_value(position) {
            return value;
        }
        let terms = self.hand_crafted.evaluate(position);
        if let Some(last) = self.rests.last_mut() {
            let rest = terms - self.hand_crafted.piece_square_part(position);
            *last = Some(if position.turn().is_white() { rest } else { -rest });
        }
        let network = self.network.evaluate(position);
        mean(lead(position, network), terms)
    }

    #[inline]
    fn evaluate_roughly(&mut self, position: &Position) -> Value {
        let Some(rest) = self.rests.iter().rev().take(REACH + 1).find_map(|&rest| rest) else {
            return self.evaluate(position);
        };
        known_value(position).unwrap_or_else(|| {
            let network = self.network.evaluate(position);
            if let Some(network) = drawn_lead(position, network) {
                // The position of the earlier terms need not have been drawn.
                return mean(network, self.hand_crafted.evaluate(position));
            }
            let rest = if position.turn().is_white() { rest } else { -rest };
            let terms = rest + self.hand_crafted.piece_square_part(position);
            mean(network, terms.clamp(-ORDINARY_MAX, ORDINARY_MAX))
        })
    }

    fn reset(&mut self, position: &Position) {
        self.network.reset(position);
        self.hand_crafted.reset(position);
        self.rests.clear();
        self.rests.push(None);
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        let network = &mut self.network;
        self.hand_crafted.play_by(position, |position, updater| network.play_observed(position, mv, updater));
        self.rests.push(None);
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        let network = &mut self.network;
        self.hand_crafted.play_by(position, |position, _| network.play_null(position));
        self.rests.push(None);
    }

    #[inline]
    fn undo(&mut self) {
        self.network.undo();
        self.hand_crafted.undo();
        self.rests.pop();
    }
}
