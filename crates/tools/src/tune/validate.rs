//! `tune --validate`: checks gradient and trace, and fits nothing.

use super::{Tuning, interrupted};
use crate::output::say;
use anyhow::{bail, ensure};
use bartizan_training::tune::{Form, Model, Objective, Pair, Scaling, check_gradient, check_trace};
use bartizan_types::SplitMix64;
use std::process::ExitCode;

/// Largest accepted relative error of a derivative against finite differences.
const LARGEST_ERROR: f64 = 1e-3;
/// Largest accepted difference of a value, in centipawns. The evaluation divides integers in several places, the trace
/// only at the end.
const LARGEST_DIFFERENCE: f64 = 4.0;

impl Tuning<'_> {
    /// Checks the first `limit` training positions.
    pub(super) fn validate(&mut self, start: &[Pair], limit: usize) -> anyhow::Result<ExitCode> {
        let layout = self.model.layout();
        self.samples.train.truncate(limit);
        self.samples.held_out.clear();
        let traced = check_trace(self.model, &self.samples.train, limit);
        let Some(_) = self.trace(start)? else { return Ok(interrupted()) };
        ensure!(!self.data.train.is_empty(), "no position is left to check");
        // Away from the initial weights, many of which may be zero.
        let mut random = SplitMix64::new(self.plan.decisions.fit.seed);
        let mut moved = |half: f64| half + 20.0 * (random.unit_f64() - 0.5);
        let moved: Vec<Pair> = start.iter().map(|pair| pair.map(&mut moved)).collect();
        let mut failed = false;
        let mut checks = serde_json::Map::new();
        // The sum with a network's value is about twice as large.
        let per_cp = if self.plan.decisions.with_network { 0.0025 } else { 0.005 };
        for (name, objective) in [("mse", Objective::SquaredError), ("ordinal", Objective::OrdinalLogistic)] {
            let scaling = Scaling { per_cp, draw_margin: 60.0 };
            let form = Form { safety: layout.safety, objective, scaling };
            let check = check_gradient(&self.data.train, &moved, form, limit);
            let worst = check.weight.map_or_else(String::new, |(weight, half)| {
                format!(" at {} {}", layout.weight_name(weight), ["mg", "eg"][half])
            });
            self.print(&format!(
                "{name}: {} derivatives of {} positions, largest relative error {:.2e}{worst} ({} kinks skipped)",
                check.derivatives, check.positions, check.worst, check.kinks
            ));
            failed |= check.worst > LARGEST_ERROR || check.derivatives == 0;
            checks.insert(name.to_owned(), serde_json::to_value(&check)?);
        }
        let position = traced.position.as_deref().unwrap_or("-");
        self.print(&format!(
            "trace: {} positions, largest difference from the evaluation {:.2} cp in {position} ({} without a trace)",
            traced.positions, traced.worst, traced.untraced
        ));
        failed |= traced.worst > LARGEST_DIFFERENCE;
        checks.insert("trace".to_owned(), serde_json::to_value(&traced)?);
        checks.insert("ok".to_owned(), (!failed).into());
        if self.plan.json {
            say!("{}", serde_json::Value::Object(checks))?;
        }
        if failed {
            bail!("the gradient or the trace is wrong");
        }
        Ok(ExitCode::SUCCESS)
    }
}
