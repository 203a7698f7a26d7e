//! The evaluation of an engine: a network, the hand-written terms, or both.

use crate::combined::{CombinedEvaluator, lead, mean};
use crate::evaluator::NetworkEvaluator;
use crate::network::Network;
use bartizan_eval::{Evaluator, HandCrafted, evaluate, known_value};
use bartizan_position::Position;
use bartizan_types::{Move, Value};
use std::sync::{Arc, LazyLock};

/// The built-in network.
static BUILT_IN: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| Network::built_in().ok().map(Arc::new));

impl Network {
    /// The built-in network, unpacked once and shared. `None` only in a program built with a damaged network, which the
    /// tests exclude.
    pub fn shared() -> Option<&'static Arc<Self>> {
        BUILT_IN.as_ref()
    }

    /// The value of a position for the side to move in a search with this network alone: that of a known ending, or
    /// else [`evaluate`](Self::evaluate), reduced by [`drawn_lead`](bartizan_eval::drawn_lead) in drawn endings.
    pub fn value(&self, position: &Position) -> Value {
        known_value(position).unwrap_or_else(|| lead(position, self.evaluate(position)))
    }
}

/// How to evaluate positions.
#[derive(Clone, Debug)]
pub enum EvaluationModel {
    /// The hand-written terms.
    HandCrafted,
    /// A network, which endings with a known value override.
    Network(Arc<Network>),
    /// The mean of both, which has beaten the network alone (`docs/lab/combined.md`).
    Combined(Arc<Network>),
}

impl EvaluationModel {
    /// The default evaluation of the engine: the hand-written terms combined with the built-in network.
    pub fn built_in() -> Self {
        Network::shared().map_or(Self::HandCrafted, |network| Self::Combined(Arc::clone(network)))
    }

    /// The value of a position for the side to move in a search.
    pub fn value(&self, position: &Position) -> Value {
        match self {
            Self::HandCrafted => evaluate(position),
            Self::Network(network) => network.value(position),
            Self::Combined(network) => {
                known_value(position).unwrap_or_else(|| mean(network.value(position), evaluate(position)))
            }
        }
    }

    /// Identifies an evaluation: evaluations with the same values have the same number, others a different one, except
    /// for a 32-bit collision. The hand-written evaluation has 0.
    pub fn checksum(&self) -> u32 {
        match self {
            Self::HandCrafted => 0,
            Self::Network(network) => network.checksum(),
            Self::Combined(network) => !network.checksum(),
        }
    }
}

/// The evaluation of one of the engine's search threads.
#[derive(Debug)]
pub enum AnyEvaluator {
    /// The hand-written terms.
    HandCrafted(HandCrafted),
    /// A network, which endings with a known value override.
    Network(NetworkEvaluator),
    /// The mean of both.
    Combined(CombinedEvaluator),
}

impl AnyEvaluator {
    /// An evaluation for a thread.
    pub fn new(model: &EvaluationModel) -> Self {
        match model {
            EvaluationModel::HandCrafted => Self::HandCrafted(HandCrafted::new()),
            EvaluationModel::Network(network) => Self::Network(NetworkEvaluator::new(Arc::clone(network))),
            EvaluationModel::Combined(network) => Self::Combined(CombinedEvaluator::new(Arc::clone(network))),
        }
    }

    /// The default evaluation of the engine.
    pub fn built_in() -> Self {
        Self::new(&EvaluationModel::built_in())
    }
}

impl Evaluator for AnyEvaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        match self {
            Self::HandCrafted(evaluator) => evaluator.evaluate(position),
            // A known ending needs no network.
            Self::Network(evaluator) => {
                known_value(position).unwrap_or_else(|| lead(position, evaluator.evaluate(position)))
            }
            Self::Combined(evaluator) => evaluator.evaluate(position),
        }
    }

    #[inline]
    fn evaluate_roughly(&mut self, position: &Position) -> Value {
        match self {
            Self::Combined(evaluator) => evaluator.evaluate_roughly(position),
            Self::HandCrafted(_) | Self::Network(_) => self.evaluate(position),
        }
    }

    fn reset(&mut self, position: &Position) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.reset(position),
            Self::Network(evaluator) => evaluator.reset(position),
            Self::Combined(evaluator) => evaluator.reset(position),
        }
    }

    #[inline]
    fn play(&mut self, position: &mut Position, mv: Move) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.play(position, mv),
            Self::Network(evaluator) => evaluator.play(position, mv),
            Self::Combined(evaluator) => evaluator.play(position, mv),
        }
    }

    #[inline]
    fn play_null(&mut self, position: &mut Position) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.play_null(position),
            Self::Network(evaluator) => evaluator.play_null(position),
            Self::Combined(evaluator) => evaluator.play_null(position),
        }
    }

    #[inline]
    fn undo(&mut self) {
        match self {
            Self::HandCrafted(evaluator) => evaluator.undo(),
            Self::Network(evaluator) => evaluator.undo(),
            Self::Combined(evaluator) => evaluator.undo(),
        }
    }
}
