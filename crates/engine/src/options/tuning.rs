//! The options of a tuning build: parameters and steps of the search, weights of the evaluation.

use super::OptionRow;
use crate::session::ConfigError;
use bartizan_engine::tuning::{Group, Step, Steps, TimeRule, TimeRules, disable, load_weights, params};
use std::path::PathBuf;

/// What only a tuning build can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The value of each of [`params::ALL`]; the same in the whole process.
    pub params: Vec<i32>,
    /// Whether each of [`Step::ALL`] is on.
    pub steps: Vec<bool>,
    /// Whether each of [`TimeRule::ALL`] is on.
    pub time_rules: Vec<bool>,
    /// Whether each of [`Group::ALL`] is part of the evaluation of this process.
    pub groups: Vec<bool>,
    /// A file of weights, as the tuner writes it.
    pub weights: Option<PathBuf>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            params: params::ALL.iter().map(|param| param.default).collect(),
            steps: Step::ALL.iter().map(|&step| Steps::DEFAULT.has(step)).collect(),
            time_rules: vec![true; TimeRule::ALL.len()],
            groups: vec![true; Group::ALL.len()],
            weights: None,
        }
    }
}

impl Tuning {
    /// The steps as a set.
    pub(crate) fn steps(&self) -> Steps {
        let on = Step::ALL.iter().zip(&self.steps).filter(|&(_, &on)| on);
        on.fold(Steps::NONE, |steps, (&step, _)| steps.with(step))
    }

    /// The rules of the time plan as a set.
    pub(crate) fn time_rules(&self) -> TimeRules {
        let off = TimeRule::ALL.iter().zip(&self.time_rules).filter(|&(_, &on)| !on);
        off.fold(TimeRules::ALL, |rules, (&rule, _)| rules.without(rule))
    }

    /// Changes parameters and weights of this process where they differ from `old`. A group that was disabled stays
    /// disabled.
    pub(crate) fn apply(&self, old: &Self) -> Result<(), ConfigError> {
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

/// The rows of parameters, steps, rules of the time plan, and groups of terms.
pub(super) fn rows() -> impl Iterator<Item = OptionRow> {
    let params = params::ALL.iter().enumerate().map(|(index, param)| {
        OptionRow::spin(param.name, param.min..=param.max, move |config| &mut config.tuning.params[index])
    });
    let steps = Step::ALL
        .iter()
        .enumerate()
        .map(|(index, step)| OptionRow::check(step.name(), move |config| &mut config.tuning.steps[index]));
    let rules = TimeRule::ALL
        .iter()
        .enumerate()
        .map(|(index, rule)| OptionRow::check(rule.name(), move |config| &mut config.tuning.time_rules[index]));
    let groups = Group::ALL.into_iter().enumerate().map(|(index, group)| {
        // The table is made once in a process.
        let name = format!("Terms {}", group.name()).leak();
        OptionRow::check(name, move |config| &mut config.tuning.groups[index])
    });
    params.chain(steps).chain(rules).chain(groups)
}
