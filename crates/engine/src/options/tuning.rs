//! The options of a tuning build: parameters and steps of the search, weights of the evaluation.

use super::{OptionRow, Options};
use crate::EngineError;
use crate::tuning::{Group, Step, TimeRule, disable, load_weights, params};
use std::path::PathBuf;

/// What a tuning build can change for the whole process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The value of each of [`params::ALL`].
    pub params: Vec<i32>,
    /// Whether each of [`Group::ALL`] is part of the evaluation.
    pub groups: Vec<bool>,
    /// A file of weights, as the tuner writes it.
    pub weights: Option<PathBuf>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            params: params::ALL.iter().map(|param| param.default).collect(),
            groups: vec![true; Group::ALL.len()],
            weights: None,
        }
    }
}

impl Tuning {
    /// Changes parameters and weights of this process where they differ from `old`. A group that was disabled stays
    /// disabled.
    pub(crate) fn apply(&self, old: &Self) -> Result<(), EngineError> {
        if let Some(path) = self.weights.as_ref().filter(|_| self.weights != old.weights) {
            load_weights(path)?;
        }
        for (group, (on, was_on)) in Group::ALL.into_iter().zip(self.groups.iter().zip(&old.groups)) {
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

/// The rows of the weights, and of parameters, steps, rules of the time plan, and groups of terms.
pub(super) fn rows() -> impl Iterator<Item = OptionRow> {
    let weights = OptionRow::path("Weights", |options: &mut Options| &mut options.tuning.weights);
    let params = params::ALL.iter().enumerate().map(|(index, param)| {
        OptionRow::spin(param.name, param.min..=param.max, move |options: &mut Options| {
            &mut options.tuning.params[index]
        })
    });
    let steps = Step::ALL.iter().map(|&step| {
        let set = move |options: &mut Options, on| {
            options.steps = if on { options.steps.with(step) } else { options.steps.without(step) };
        };
        OptionRow::flag(step.name(), move |options: &Options| options.steps.has(step), set)
    });
    let rules = TimeRule::ALL.iter().map(|&rule| {
        let set = move |options: &mut Options, on| {
            let rules = options.time_rules;
            options.time_rules = if on { rules.with(rule) } else { rules.without(rule) };
        };
        OptionRow::flag(rule.name(), move |options: &Options| options.time_rules.has(rule), set)
    });
    let groups = Group::ALL.into_iter().enumerate().map(|(index, group)| {
        // The table is made once in a process.
        let name: &'static str = format!("Terms {}", group.name()).leak();
        OptionRow::check(name, move |options: &mut Options| &mut options.tuning.groups[index])
    });
    std::iter::once(weights).chain(params).chain(steps).chain(rules).chain(groups)
}
