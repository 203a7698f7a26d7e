//! The state of a run between two epochs, as a file keeps it.

use super::{Fit, FitSettings, Layout, Scaling, Selection, TraceReport, WeightPair};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings that change the result; the data is compared by its fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningSettings {
    /// How the weights are fitted.
    pub fit: FitSettings,
    /// Which positions of a record are taken.
    pub selection: Selection,
    /// Maximum number of positions, in the order of the files; 0 takes all.
    pub positions: usize,
    /// Share of the games that are held out of the fit.
    pub held_out: f64,
    /// Share of the result in the target; the rest is what the score predicts.
    pub lambda: f64,
    /// Centipawns that multiply the odds by e; `None` fits them.
    pub scale: Option<f64>,
    /// Whether the terms are fitted for the mean with a network.
    #[serde(default)]
    pub with_network: bool,
    /// Whether each position is replaced by the quiet one at the end of a capture search.
    pub resolve: bool,
    /// Epochs after which these searches are repeated with the current weights; 0 never repeats them.
    pub refresh: usize,
    /// Terms that stay as they are.
    pub freeze: Vec<String>,
    /// Terms to fit; none means all.
    pub only: Vec<String>,
    /// Number of training positions that must use a weight; rarer weights stay as they are.
    pub min_uses: u32,
}

impl Default for TuningSettings {
    /// A tenth of the games is held out, and each term is fitted to the results alone.
    fn default() -> Self {
        Self {
            fit: FitSettings::default(),
            selection: Selection::default(),
            positions: 0,
            held_out: 0.1,
            lambda: 1.0,
            scale: None,
            with_network: false,
            resolve: false,
            refresh: 0,
            freeze: Vec::new(),
            only: Vec::new(),
            min_uses: 1,
        }
    }
}

/// Where a run has its data from, and how it is run. A later run may change that, apart from the weights to start from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningInputs {
    /// Files of games or positions.
    pub data: Vec<PathBuf>,
    /// Whether broken games and lines are skipped.
    pub skip_errors: bool,
    /// Whether self-play files may end within a game.
    #[serde(default)]
    pub partial: bool,
    /// File with the initial weights.
    pub start: Option<PathBuf>,
    /// File of the network for [`TuningSettings::with_network`]; `None` for the built-in one.
    #[serde(default)]
    pub network: Option<PathBuf>,
    /// File for the parameters as source.
    pub source: Option<PathBuf>,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Number of epochs without a lower held-out loss after which the fit ends.
    pub patience: usize,
    /// Number of threads; `None` is one for each core.
    pub threads: Option<usize>,
}

/// The state from which a run is resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// `None` in the checkpoints of older versions.
    #[serde(default)]
    pub inputs: Option<TuningInputs>,
    /// The settings.
    pub decisions: TuningSettings,
    /// The fingerprint of the samples.
    pub fingerprint: u64,
    /// The checksum of the network for [`TuningSettings::with_network`].
    #[serde(default)]
    pub network: Option<u32>,
    /// Weights of the last capture searches.
    pub resolve_weights: Vec<WeightPair>,
    /// Epoch after which these searches were made.
    pub refreshed_at: usize,
    /// How the scores in the games become probabilities, if they are part of the target.
    pub score_scaling: Option<Scaling>,
    /// How the samples became counts.
    pub traced: TraceReport,
    /// The fit.
    pub fit: Fit,
    /// Duration of each epoch.
    pub seconds: Vec<f64>,
}

impl Checkpoint {
    /// Whether the checkpoint has the weights of this layout. Another version of the evaluation may have others.
    pub fn fits(&self, layout: &Layout) -> bool {
        self.fit.fits(layout) && self.resolve_weights.len() == layout.len()
    }
}
