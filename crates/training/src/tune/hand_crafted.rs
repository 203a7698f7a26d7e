//! The engine's own evaluation as a [`Model`].

use crate::error::{Error, FileAction};
use crate::tune::TuningSettings;
use crate::tune::model::{Layout, Model, SafetyForm, Term, TermKind, WeightCounts, WeightPair};
use crate::tune::weights::WeightsFile;
use bartizan_eval::weights::{WeightKind, default_values, terms, write_source};
use bartizan_eval::{DANGER_EG_DIVISOR, DANGER_MG_DIVISOR, EvalTracer, FULL_SCALE, Phase, Trace, evaluate};
use bartizan_network::Network;
use bartizan_position::Position;
use bartizan_types::Color;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// The hand-written evaluation, or its sum with a network's value: twice the mean, so that a weight counts in full.
#[derive(Clone, Debug)]
pub struct HandCraftedModel {
    layout: Layout,
    network: Option<Arc<Network>>,
}

impl HandCraftedModel {
    /// The model with all terms of the evaluation.
    pub fn new() -> Self {
        Self::with_network(None)
    }

    /// The model of the terms for the mean with a network, if there is one.
    pub fn with_network(network: Option<Arc<Network>>) -> Self {
        let terms = terms().iter().map(|term| Term {
            name: term.name.to_owned(),
            offset: term.offset,
            len: term.len,
            kind: match term.kind {
                WeightKind::Linear => TermKind::Linear,
                WeightKind::Safety => TermKind::Safety,
                WeightKind::Complexity => TermKind::Complexity,
            },
        });
        let safety = SafetyForm { mg_divisor: f64::from(DANGER_MG_DIVISOR), eg_divisor: f64::from(DANGER_EG_DIVISOR) };
        Self { layout: Layout { terms: terms.collect(), safety }, network }
    }

    /// The model that `decisions` ask for, with the network from a file or else the built-in one.
    ///
    /// # Errors
    /// If the network cannot be read.
    pub fn of(decisions: &TuningSettings, network: Option<&Path>) -> Result<Self, Error> {
        let network = match network {
            _ if !decisions.with_network => None,
            Some(file) => Some(Network::open(file).map_err(FileAction::Read.failed(file))?),
            None => Some(Network::built_in()?),
        };
        Ok(Self::with_network(network.map(Arc::new)))
    }

    /// The checksum of the network.
    pub fn checksum(&self) -> Option<u32> {
        self.network.as_deref().map(Network::checksum)
    }

    /// The network's value in centipawns for White, or 0.
    fn base(&self, position: &Position) -> f64 {
        let value = self.network.as_ref().map_or(0.0, |network| f64::from(network.evaluate(position).0));
        if position.turn().is_white() { value } else { -value }
    }

    /// The source text that compiles these weights into the evaluation.
    ///
    /// # Panics
    /// If the weights do not match this model's layout.
    pub fn source(&self, weights: &WeightsFile) -> String {
        write_source(&weights.flat())
    }
}

impl Default for HandCraftedModel {
    fn default() -> Self {
        Self::new()
    }
}

thread_local! {
    /// Buffers for tracing, reused from position to position.
    static BUFFERS: RefCell<(EvalTracer, Trace)> = RefCell::default();
}

impl Model for HandCraftedModel {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn start(&self) -> Vec<WeightPair> {
        default_values().into_iter().map(|(mg, eg)| [f64::from(mg), f64::from(eg)]).collect()
    }

    fn trace(&self, position: &Position, counts: &mut WeightCounts) -> bool {
        BUFFERS.with_borrow_mut(|(tracing, trace)| {
            if !tracing.trace_into(position, trace) {
                return false;
            }
            for &(weight, count) in &trace.linear {
                counts.add(weight, i32::from(count));
            }
            for (attacker, danger) in Color::ALL.into_iter().zip(&trace.safety) {
                for &(weight, count) in danger {
                    counts.add_safety(attacker, weight, i32::from(count));
                }
            }
            for &(weight, count) in &trace.complexity {
                counts.add_complexity(weight, i32::from(count));
            }
            counts.mg_share = trace.phase as f32 / Phase::FULL as f32;
            counts.scale = trace.scale.map(|scale| scale as f32 / FULL_SCALE as f32);
            counts.base = self.base(position) as f32;
            true
        })
    }

    fn reference(&self, position: &Position) -> Option<f64> {
        let value = f64::from(evaluate(position).0);
        Some(self.base(position) + if position.turn().is_white() { value } else { -value })
    }
}
