//! A run between two epochs, in a file.

use super::data::Samples;
use anyhow::{Context, bail, ensure};
use bartizan_tuner::{Fit, FitSettings, Layout, Pair, Scaling, Selection, TraceReport};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What decides the result, the data apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Decisions {
    pub(super) fit: FitSettings,
    pub(super) selection: Selection,
    pub(super) positions: usize,
    pub(super) held_out: f64,
    pub(super) lambda: f64,
    pub(super) scale: Option<f64>,
    pub(super) resolve: bool,
    pub(super) refresh: usize,
    pub(super) freeze: Vec<String>,
    pub(super) only: Vec<String>,
    pub(super) min_uses: u32,
}

/// All there is to know to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) decisions: Decisions,
    pub(super) fingerprint: u64,
    /// The weights by which the positions were last made quiet.
    pub(super) resolve_weights: Vec<Pair>,
    /// The epoch after which that was.
    pub(super) refreshed_at: usize,
    /// How scores in the games become probabilities, if they are aimed at.
    pub(super) score_scaling: Option<Scaling>,
    pub(super) traced: TraceReport,
    pub(super) fit: Fit,
    /// How long each epoch took.
    pub(super) seconds: Vec<f64>,
}

impl Checkpoint {
    pub(super) fn read(file: &Path, layout: &Layout) -> anyhow::Result<Self> {
        let context = || format!("cannot go on with {}", file.display());
        let text = std::fs::read_to_string(file).with_context(context)?;
        let checkpoint: Self = serde_json::from_str(&text).with_context(context)?;
        ensure!(
            checkpoint.fit.fits(layout) && checkpoint.resolve_weights.len() == layout.len(),
            "{} is from another evaluation: it has other weights",
            file.display()
        );
        Ok(checkpoint)
    }

    pub(super) fn write(&self, file: &Path) -> anyhow::Result<()> {
        crate::files::replace(file, serde_json::to_string(self)?.as_bytes())
    }

    /// Fails unless a run with these decisions and samples is the same run.
    pub(super) fn check(&self, decisions: &Decisions, samples: &Samples) -> anyhow::Result<()> {
        let (old, new) = (serde_json::to_value(&self.decisions)?, serde_json::to_value(decisions)?);
        let mut differences = Vec::new();
        compare("", &old, &new, &mut differences);
        if !differences.is_empty() {
            bail!("it was made with other options: {}", differences.join(", "));
        }
        ensure!(self.fingerprint == samples.fingerprint, "it was made with other data");
        Ok(())
    }
}

/// Where two values of the same shape differ.
fn compare(name: &str, old: &serde_json::Value, new: &serde_json::Value, differences: &mut Vec<String>) {
    match (old.as_object(), new.as_object()) {
        (Some(old), Some(new)) => {
            for (key, value) in old {
                compare(key, value, new.get(key).unwrap_or(&serde_json::Value::Null), differences);
            }
        }
        _ if old != new => differences.push(format!("{name} was {old}, is {new}")),
        _ => {}
    }
}
