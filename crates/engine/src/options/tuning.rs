//! What a tuning build can change for the whole process: search parameters and evaluation weights.

use crate::EngineError;
use crate::tuning::{TermGroup, disable, load_weights, params};
use std::path::PathBuf;

/// What a tuning build can change for the whole process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The value of each of [`params::ALL`].
    pub params: Vec<i32>,
    /// Whether each of [`TermGroup::ALL`] is part of the evaluation.
    pub groups: Vec<bool>,
    /// A file of weights in the tuner's format.
    pub weights: Option<PathBuf>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            params: params::ALL.iter().map(|param| param.default).collect(),
            groups: vec![true; TermGroup::ALL.len()],
            weights: None,
        }
    }
}

impl Tuning {
    /// Applies the parameters and weights that differ from `old` to this process. A disabled group stays disabled.
    pub(crate) fn apply(&self, old: &Self) -> Result<(), EngineError> {
        if let Some(path) = self.weights.as_ref().filter(|_| self.weights != old.weights) {
            load_weights(path)?;
        }
        for (group, (on, was_on)) in TermGroup::ALL.into_iter().zip(self.groups.iter().zip(&old.groups)) {
            if *was_on && !on {
                disable(group)?;
            }
        }
        for (param, (value, old)) in params::ALL.iter().zip(self.params.iter().zip(&old.params)) {
            if value != old {
                params::set(param.name, *value);
            }
        }
        Ok(())
    }
}
