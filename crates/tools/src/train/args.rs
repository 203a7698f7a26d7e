//! The arguments of `train`.

use super::state::EpochChange;
use crate::threads::parse_threads;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
The data is read in its order in each epoch: shuffle it first. The same data, settings, seed and number of threads give
the same network. Ctrl-C writes a checkpoint, and --resume continues as if there had been no interruption.

Example:
  bartizan-tools train --data shuffled.pos --validation held.pos --epochs 20 --out network.bin --plot loss.svg";

/// The arguments of `train`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Positions to train with, of `data shuffle`
    #[arg(long, value_name = "POSITIONS")]
    pub(super) data: PathBuf,
    /// Positions to validate with, of `data filter`
    #[arg(long, value_name = "POSITIONS")]
    pub(super) validation: Option<PathBuf>,
    /// File for the network
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// File for checkpoints [default: that of --out with .train behind it]
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Network to begin with, instead of random weights, with the same --scale. It may have fewer neurons, and one
    /// bucket where the options have several: it begins as a larger one with the same values
    #[arg(long, value_name = "NETWORK")]
    pub(super) start: Option<PathBuf>,
    /// Continue the training of the checkpoint, with the same settings; only --epochs may be another number
    #[arg(long)]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) plan: Plan,
    /// File for a chart of the losses as SVG [default: none is written]
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Print a JSON object for each epoch, and no progress
    #[arg(long)]
    pub(super) json: bool,
}

impl Args {
    pub(super) fn checkpoint_file(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| {
            let mut name = self.out.clone().into_os_string();
            name.push(".train");
            name.into()
        })
    }
}

/// The settings that decide what comes out.
#[derive(Clone, Debug, PartialEq, clap::Args, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Hidden neurons for each side, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub(super) hidden: usize,
    /// Buckets of king squares, each with separate weights
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_of([1, 4, 8]))]
    pub(super) king_buckets: usize,
    /// Ranges of the number of men, each with a separate output
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) output_buckets: usize,
    /// Number of times that all positions are used
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) epochs: usize,
    /// Positions for each step
    #[arg(long, value_name = "POSITIONS", default_value_t = 16_384, value_parser = at_least_one)]
    pub(super) batch: usize,
    /// Learning rate of the first step. It falls to --final-rate along half a cosine
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = positive)]
    pub(super) rate: f32,
    /// Learning rate of the last step
    #[arg(long, value_name = "RATE", default_value_t = 0.00001, value_parser = positive)]
    pub(super) final_rate: f32,
    /// Weight of the score in the target; the rest is that of the result of the game, at the --scale that fits results
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    pub(super) lambda: f32,
    /// Internal centipawns for which the expected result is 73 %: the unit of the network's output
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(i16).range(50..=2_000))]
    pub(super) scale: i16,
    /// Train for the mean of the network and the hand-written terms, which the engine plays by (`Evaluation` combined)
    #[arg(long)]
    #[serde(default)]
    pub(super) with_terms: bool,
    /// Share of the hidden values that each position leaves out at random while it is learnt, from 0 to 0.9, against
    /// learning few positions by heart. The loss of the training is higher with it
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = dropout)]
    #[serde(default)]
    pub(super) dropout: f32,
    /// Let the weights of a piece on the squares of a rank, and of a file, share a part: squares learn from each other
    #[arg(long)]
    #[serde(default)]
    pub(super) factorised: bool,
    /// Share of the weights, times the learning rate, that each step takes away
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    pub(super) weight_decay: f32,
    /// Seed of the first weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// The SHA-256 of the network of `--start`.
    #[arg(skip)]
    #[serde(default)]
    pub(super) start_digest: Option<String>,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    pub(super) threads: NonZeroUsize,
}

fn one_of<const N: usize>(numbers: [usize; N]) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| numbers.contains(number));
        number.ok_or_else(|| format!("must be one of {}", numbers.map(|number| number.to_string()).join(", ")))
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| (1..=1 << 24).contains(&number)).ok_or("must be from 1 to 16777216".to_owned())
}

fn positive(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|&number| number > 0.0 && number <= 1.0).ok_or("must be above 0 and at most 1".to_owned())
}

fn share(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|number| (0.0..=1.0).contains(number)).ok_or("must be from 0 to 1".to_owned())
}

fn dropout(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|number| (0.0..=0.9).contains(number)).ok_or("must be from 0 to 0.9".to_owned())
}

impl Plan {
    /// The learning rate of a step, counted from 0.
    pub(super) fn rate(&self, step: u64, steps: u64) -> f32 {
        let done = step as f64 / steps.saturating_sub(1).max(1) as f64;
        let share = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
        self.final_rate + (self.rate - self.final_rate) * share as f32
    }

    /// The first option that differs from another plan, except the number of epochs.
    pub(super) fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            ("--hidden", self.hidden != other.hidden),
            ("--king-buckets", self.king_buckets != other.king_buckets),
            ("--output-buckets", self.output_buckets != other.output_buckets),
            ("--batch", self.batch != other.batch),
            ("--rate", self.rate != other.rate),
            ("--final-rate", self.final_rate != other.final_rate),
            ("--lambda", self.lambda != other.lambda),
            ("--scale", self.scale != other.scale),
            ("--with-terms", self.with_terms != other.with_terms),
            ("--dropout", self.dropout != other.dropout),
            ("--factorised", self.factorised != other.factorised),
            ("--weight-decay", self.weight_decay != other.weight_decay),
            ("--seed", self.seed != other.seed),
            ("--start", self.start_digest != other.start_digest),
            ("--threads", self.threads != other.threads),
        ];
        differs.into_iter().find(|&(_, differs)| differs).map(|(option, _)| option)
    }

    /// The command that trains with these settings. `changes` are later numbers of epochs, each with the number of
    /// epochs that were done before: the learning rate then follows another curve.
    pub(super) fn command(&self, changes: &[EpochChange]) -> String {
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
