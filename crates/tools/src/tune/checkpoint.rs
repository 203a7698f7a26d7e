//! The state of a run between two epochs, saved to a file.

use super::data::Samples;
use anyhow::{Context, ensure};
use bartizan_training::tune::{Fit, FitSettings, Layout, Pair, Scaling, Selection, TraceReport};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// All settings that change the result; the data is compared by its fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Decisions {
    pub(super) fit: FitSettings,
    pub(super) selection: Selection,
    pub(super) positions: usize,
    pub(super) held_out: f64,
    pub(super) lambda: f64,
    pub(super) scale: Option<f64>,
    /// Whether the terms are fitted for the mean with a network.
    #[serde(default)]
    pub(super) with_network: bool,
    pub(super) resolve: bool,
    pub(super) refresh: usize,
    pub(super) freeze: Vec<String>,
    pub(super) only: Vec<String>,
    pub(super) min_uses: u32,
}

/// Where a run has its data from, and how it is run. A later run may change that, apart from the weights to start from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    pub(super) data: Vec<PathBuf>,
    pub(super) skip_errors: bool,
    /// File with the initial weights.
    pub(super) start: Option<PathBuf>,
    /// File of the network for `with_network`; `None` for the built-in one.
    #[serde(default)]
    pub(super) network: Option<PathBuf>,
    /// File for the parameters as source.
    pub(super) source: Option<PathBuf>,
    pub(super) epochs: usize,
    pub(super) patience: usize,
    pub(super) threads: Option<usize>,
}

impl Inputs {
    /// Fails if a checkpoint cannot name a file.
    pub(super) fn check_names(&self) -> anyhow::Result<()> {
        let data = self.data.iter().map(|file| ("--data", file));
        let others = [("--start", &self.start), ("--network", &self.network), ("--source", &self.source)];
        let others = others.into_iter().filter_map(|(option, file)| Some((option, file.as_ref()?)));
        for (option, file) in data.chain(others) {
            let is_text = file.to_str().is_some();
            ensure!(is_text, "{option} '{}': its name is not UTF-8, and the checkpoint must name it", file.display());
        }
        Ok(())
    }
}

/// The state from which a run is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// `None` in the checkpoints of older versions.
    #[serde(default)]
    pub(super) inputs: Option<Inputs>,
    pub(super) decisions: Decisions,
    pub(super) fingerprint: u64,
    /// The checksum of the network for `with_network`.
    #[serde(default)]
    pub(super) network: Option<u32>,
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
        let checkpoint: Self =
            serde_json::from_str(&text).context("it is not a checkpoint of this program").with_context(context)?;
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

    /// Checks that a run with these samples and this network is the same run.
    pub(super) fn check(&self, samples: &Samples, network: Option<u32>) -> anyhow::Result<()> {
        ensure!(self.network == network, "the network is another one");
        ensure!(self.fingerprint == samples.fingerprint, "the data differ, or the checkpoint is from another version");
        Ok(())
    }
}
