//! The state of a run between two epochs, as stored in a file.

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
    /// Share of the result in the target; the rest is predicted by the score.
    pub lambda: f64,
    /// Centipawns that multiply the odds by e; `None` fits this constant.
    pub scale: Option<f64>,
    /// Whether the terms are fitted for the mean with a network.
    #[serde(default)]
    pub with_network: bool,
    /// Whether each position is replaced by the quiet one at the end of a capture search.
    pub resolve: bool,
    /// Epochs after which these searches are repeated with the current weights; 0 never repeats them.
    pub refresh: usize,
    /// Terms that are not fitted.
    pub freeze: Vec<String>,
    /// Terms to fit; none means all.
    pub only: Vec<String>,
    /// Number of training positions that must use a weight; rarer weights are not fitted.
    pub min_uses: u32,
}

impl Default for TuningSettings {
    /// Holds out a tenth of the games, and fits all terms to the results alone.
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

/// The data sources of a run, and how it is run. A later run may change these, except for the initial weights.
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
    /// Network file for [`TuningSettings::with_network`]; `None` for the built-in one.
    #[serde(default)]
    pub network: Option<PathBuf>,
    /// File to write the parameters to as source.
    pub source: Option<PathBuf>,
    /// Maximum number of epochs.
    pub epochs: usize,
    /// Number of epochs without a lower held-out loss after which the fit ends.
    pub patience: usize,
    /// Number of threads; `None` for one per core.
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
    /// Converts the scores in the games to probabilities, if they are part of the target.
    pub score_scaling: Option<Scaling>,
    /// How the samples became counts.
    pub traced: TraceReport,
    /// The fit.
    pub fit: Fit,
    /// Duration of each epoch.
    pub seconds: Vec<f64>,
}

impl Checkpoint {
    /// Whether the checkpoint matches this layout's weights. Another version of the evaluation may have others.
    pub fn fits(&self, layout: &Layout) -> bool {
        self.fit.fits(layout) && self.resolve_weights.len() == layout.len()
    }
}
