//! The evaluation of an engine: by a network, or by the hand-written terms.

use crate::evaluator::NetworkEvaluator;
use crate::network::Network;
use bartizan_eval::{Evaluator, HandCrafted, known_value};
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::sync::{Arc, LazyLock};

/// The network that is compiled in.
static BUILT_IN: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| Network::built_in().ok().map(Arc::new));

impl Network {
    /// The network that is compiled in, unpacked once and shared by all who ask. `None` only in a program that was
    /// built with a damaged one, which the tests exclude.
    pub fn shared() -> Option<&'static Arc<Self>> {
        BUILT_IN.as_ref()
    }

    /// The value of a position for the side to move, as a search sees it: that of a known ending, or else
    /// [`evaluate`](Self::evaluate).
    pub fn value(&self, position: &Position) -> Value {
        known_value(position).unwrap_or_else(|| self.evaluate(position))
    }
}

/// The evaluation of a search thread, as the engine has it.
#[derive(Debug)]
pub enum Evaluation {
    /// The hand-written terms.
    HandCrafted(HandCrafted),
    /// A network, which endings with a known value override.
    Network(NetworkEvaluator),
}

impl Evaluation {
    /// The evaluation by a network, or the hand-written one.
    pub fn new(network: Option<&Arc<Network>>) -> Self {
        match network {
            Some(network) => Self::Network(NetworkEvaluator::new(Arc::clone(network))),
            None => Self::HandCrafted(HandCrafted::new()),
        }
    }

    /// The evaluation by the network that is compiled in.
    pub fn built_in() -> Self {
        Self::new(Network::shared())
    }
}

impl Evaluator for Evaluation {
    fn reset(&mut self, position: &Position) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.reset(position),
            Self::Network(evaluator) => evaluator.reset(position),
        }
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.play(position, mv),
            Self::Network(evaluator) => evaluator.play(position, mv),
        }
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.play_null(position),
            Self::Network(evaluator) => evaluator.play_null(position),
        }
    }

    #[inline]
    fn undo(&mut self) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.undo(),
            Self::Network(evaluator) => evaluator.undo(),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            Self::HandCrafted(evaluator) => evaluator.evaluate(position),
            // What is known exactly needs no network.
            Self::Network(evaluator) => known_value(position).unwrap_or_else(|| evaluator.evaluate(position)),
        }
    }
}
