//! The settings of a training.

use super::{EpochChange, FloatNetwork, TrainerSettings};
use bartizan_network::{Architecture, KING_SQUARES, Network, NetworkError, NetworkOrigin, Quantisation};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// The settings that determine the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingPlan {
    /// Hidden neurons per side, a multiple of 32.
    pub hidden: usize,
    /// Buckets of king squares, each with separate weights: 1, 4 or 8.
    pub king_buckets: usize,
    /// Ranges of the number of men, each with a separate output.
    pub output_buckets: usize,
    /// Number of passes over all positions.
    pub epochs: usize,
    /// Positions for each step.
    pub batch: usize,
    /// Learning rate of the first step. It falls to `final_rate` along half a cosine.
    pub rate: f32,
    /// Learning rate of the last step.
    pub final_rate: f32,
    /// See [`TrainerSettings::lambda`].
    pub lambda: f32,
    /// See [`TrainerSettings::scale`].
    pub scale: i16,
    /// See [`TrainerSettings::with_terms`].
    #[serde(default)]
    pub with_terms: bool,
    /// See [`TrainerSettings::dropout`].
    #[serde(default)]
    pub dropout: f32,
    /// See [`TrainerSettings::factorised`].
    #[serde(default)]
    pub factorised: bool,
    /// See [`TrainerSettings::weight_decay`].
    pub weight_decay: f32,
    /// Seed of the first weights.
    pub seed: u64,
    /// The SHA-256 of the initial network, in hexadecimal; `None` for random weights.
    #[serde(default)]
    pub start_digest: Option<String>,
    /// See [`TrainerSettings::threads`].
    pub threads: NonZeroUsize,
}

impl TrainingPlan {
    /// The learning rate of a step, counted from 0.
    pub(crate) fn rate(&self, step: u64, steps: u64) -> f32 {
        let done = step as f64 / steps.saturating_sub(1).max(1) as f64;
        let share = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
        self.final_rate + (self.rate - self.final_rate) * share as f32
    }

    /// The first setting that differs from another plan, ignoring the number of epochs.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            ("hidden", self.hidden != other.hidden),
            ("king-buckets", self.king_buckets != other.king_buckets),
            ("output-buckets", self.output_buckets != other.output_buckets),
            ("batch", self.batch != other.batch),
            ("rate", self.rate != other.rate),
            ("final-rate", self.final_rate != other.final_rate),
            ("lambda", self.lambda != other.lambda),
            ("scale", self.scale != other.scale),
            ("with-terms", self.with_terms != other.with_terms),
            ("dropout", self.dropout != other.dropout),
            ("factorised", self.factorised != other.factorised),
            ("weight-decay", self.weight_decay != other.weight_decay),
            ("seed", self.seed != other.seed),
            ("start", self.start_digest != other.start_digest),
            ("threads", self.threads != other.threads),
        ];
        differs.into_iter().find(|&(_, differs)| differs).map(|(setting, _)| setting)
    }

    /// The shape of the network.
    ///
    /// # Errors
    /// [`NetworkError`] if it is not supported.
    pub fn architecture(&self) -> Result<Architecture, NetworkError> {
        let bucket = |square: usize| -> u8 {
            let (rank, file) = (square / 4, square % 4);
            match self.king_buckets {
                1 => 0,
                // The corner, the middle of the first rank, the second rank, the rest.
                4 => [file as u8 / 2, 2, 3, 3, 3, 3, 3, 3][rank],
                // Each file of the first rank, the two halves of the second, the rest of the own half, the other half.
                _ => [file as u8, 4 + file as u8 / 2, 6, 6, 7, 7, 7, 7][rank],
            }
        };
        let king_buckets: [u8; KING_SQUARES] = std::array::from_fn(bucket);
        Architecture::new(self.hidden, king_buckets, self.output_buckets)
    }

    /// The settings of the trainer.
    pub fn settings(&self) -> TrainerSettings {
        TrainerSettings {
            lambda: self.lambda,
            scale: f32::from(self.scale),
            weight_decay: self.weight_decay,
            with_terms: self.with_terms,
            dropout: self.dropout,
            factorised: self.factorised,
            threads: self.threads,
        }
    }

    /// Quantises a model, and records in the network the SHA-256 of the data and these settings.
    ///
    /// # Errors
    /// [`NetworkError`] if the training has failed.
    pub fn network(
        &self,
        model: &FloatNetwork,
        data: [u8; 32],
        changes: &[EpochChange],
    ) -> Result<Network, NetworkError> {
        let quantisation = Quantisation { scale: self.scale, ..Quantisation::USUAL };
        model.quantised(quantisation, NetworkOrigin { data, command: self.command(changes) })
    }

    /// The command that trains with these settings. `changes` are later numbers of epochs, each with the number of
    /// epochs done before it, because the learning rate then follows another curve.
    fn command(&self, changes: &[EpochChange]) -> String {
        let Self { hidden, king_buckets, output_buckets, epochs, batch, rate, final_rate, lambda, .. } = self;
        let Self { scale, weight_decay, seed, threads, .. } = self;
        let terms = if self.with_terms { " --with-terms" } else { "" };
        let dropout = if self.dropout > 0.0 { format!(" --dropout {}", self.dropout) } else { String::new() };
        let factorised = if self.factorised { " --factorised" } else { "" };
        let start = self.start_digest.as_ref().map_or_else(String::new, |digest| format!(" --start {digest}"));
        let changes = changes.iter().map(|change| format!(", after {} --epochs {}", change.done, change.epochs));
        let changes: String = changes.collect();
        format!(
            "bartizan-tools train --hidden {hidden} --king-buckets {king_buckets} --output-buckets {output_buckets} \
             --epochs {epochs} --batch {batch} --rate {rate} --final-rate {final_rate} --lambda {lambda} \
             --scale {scale} --weight-decay {weight_decay} --seed {seed} --threads {threads}{terms}{dropout}\
             {factorised}{start}{changes}"
        )
    }
}
