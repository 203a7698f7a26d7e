//! What is fitted: the hand-written evaluation, alone or for the mean with a network.

use super::plan::Plan;
use crate::files::cannot_read;
use anyhow::Context;
use bartizan_network::Network;
use bartizan_position::Position;
use bartizan_training::tune::{Counts, HandCraftedModel, Layout, Model, Pair, Weights};

/// The hand-written evaluation, or its sum with a network's value: twice their mean, so that a weight counts in full.
pub(super) struct TunedModel {
    terms: HandCraftedModel,
    network: Option<Network>,
}

impl TunedModel {
    /// What a plan asks for.
    pub(super) fn new(plan: &Plan) -> anyhow::Result<Self> {
        if !plan.decisions.with_network {
            return Ok(Self { terms: HandCraftedModel::new(), network: None });
        }
        let network = match &plan.inputs.network {
            Some(file) => Network::open(file).with_context(|| cannot_read(file))?,
            None => Network::built_in()?,
        };
        Ok(Self { terms: HandCraftedModel::new(), network: Some(network) })
    }

    /// The checksum of the network.
    pub(super) fn checksum(&self) -> Option<u32> {
        self.network.as_ref().map(Network::checksum)
    }

    /// The text with which these weights are compiled into the evaluation.
    pub(super) fn source(&self, weights: &Weights) -> String {
        self.terms.source(weights)
    }

    /// The network's value in centipawns for White, or 0.
    fn base(&self, position: &Position) -> f64 {
        let value = self.network.as_ref().map_or(0.0, |network| f64::from(network.evaluate(position).0));
        if position.turn().is_white() { value } else { -value }
    }
}

impl Model for TunedModel {
    fn layout(&self) -> &Layout {
        self.terms.layout()
    }

    fn start(&self) -> Vec<Pair> {
        self.terms.start()
    }

    fn trace(&self, position: &Position, counts: &mut Counts) -> bool {
        let is_traced = self.terms.trace(position, counts);
        if is_traced {
            counts.base = self.base(position) as f32;
        }
        is_traced
    }

    fn reference(&self, position: &Position) -> Option<f64> {
        Some(self.terms.reference(position)? + self.base(position))
    }
}
