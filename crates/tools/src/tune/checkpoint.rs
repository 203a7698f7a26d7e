//! The state of a run between two epochs, saved to a file.

use super::data::Samples;
use anyhow::{Context, bail, ensure};
use bartizan_tuner::{Fit, FitSettings, Layout, Pair, Scaling, Selection, TraceReport};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// All settings that change the result; the data is compared by its fingerprint.
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

/// The state from which a run is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub(super) decisions: Decisions,
    pub(super) fingerprint: u64,
    /// Weights of the last capture searches (`--resolve`).
    pub(super) resolve_weights: Vec<Pair>,
    /// Epoch after which these searches were made.
    pub(super) refreshed_at: usize,
    /// How the scores in the games become probabilities, if they are part of the target.
    pub(super) score_scaling: Option<Scaling>,
    pub(super) traced: TraceReport,
    pub(super) fit: Fit,
    /// Duration of each epoch.
    pub(super) seconds: Vec<f64>,
}

impl Checkpoint {
    pub(super) fn read(file: &Path, layout: &Layout) -> anyhow::Result<Self> {
        let context = || format!("cannot resume from '{}'", file.display());
        let text = std::fs::read_to_string(file).with_context(context)?;
        let checkpoint: Self = serde_json::from_str(&text).with_context(context)?;
        ensure!(
            checkpoint.fit.fits(layout) && checkpoint.resolve_weights.len() == layout.len(),
            "'{}' is from another version of the evaluation, with other weights",
            file.display()
        );
        Ok(checkpoint)
    }

    pub(super) fn write(&self, file: &Path) -> anyhow::Result<()> {
        crate::files::replace(file, serde_json::to_string(self)?.as_bytes())
    }

    /// Checks that a run with these settings and samples is the same run.
    pub(super) fn check(&self, decisions: &Decisions, samples: &Samples) -> anyhow::Result<()> {
        let (old, new) = (serde_json::to_value(&self.decisions)?, serde_json::to_value(decisions)?);
        let mut differences = Vec::new();
        compare("", &old, &new, &mut differences);
        if !differences.is_empty() {
            bail!("the options differ: {}", differences.join(", "));
        }
        ensure!(self.fingerprint == samples.fingerprint, "the data differ, or the checkpoint is from another version");
        Ok(())
    }
}

/// Collects the differences of two values of the same shape.
fn compare(name: &str, old: &serde_json::Value, new: &serde_json::Value, differences: &mut Vec<String>) {
    match (old.as_object(), new.as_object()) {
        (Some(old), Some(new)) => {
            for (key, value) in old {
                compare(key, value, new.get(key).unwrap_or(&serde_json::Value::Null), differences);
            }
        }
        _ if old != new => differences.push(format!("{name} was {old} and is {new}")),
        _ => {}
    }
}
