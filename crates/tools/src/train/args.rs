//! The arguments of `train`.

use crate::threads::parse_threads;
use bartizan_training::train::TrainingPlan;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Every epoch reads the data in file order: shuffle it first. The same data,
settings, seed and number of threads give the same network. Ctrl-C writes a
checkpoint, and --resume continues as if there had been no interruption.

Example:
  bartizan-tools train --data shuffled.pos --validation held.pos --epochs 20 \\
      --out network.bin --plot loss.svg";

/// The arguments of `train`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Training positions, written by `data shuffle`
    #[arg(long, value_name = "POSITIONS")]
    pub(super) data: PathBuf,
    /// Validation positions, written by `data filter`
    #[arg(long, value_name = "POSITIONS")]
    pub(super) validation: Option<PathBuf>,
    /// Output file for the network
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// File for checkpoints [default: the name of --out with .train appended]
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Network to start from instead of random weights, with the same --scale. If it has fewer neurons, or one bucket
    /// where the options have several, it is enlarged without changing its values
    #[arg(long, value_name = "NETWORK")]
    pub(super) start: Option<PathBuf>,
    /// Continue from the checkpoint with the same settings, except --epochs
    #[arg(long)]
    pub(super) resume: bool,
    #[command(flatten)]
    pub(super) plan: PlanArgs,
    /// SVG output file for a chart of the losses [default: not written]
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Print a JSON object per epoch, without progress
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
#[derive(Clone, Debug, clap::Args)]
pub(super) struct PlanArgs {
    /// Number of hidden neurons per side, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 128)]
    hidden: usize,
    /// Number of buckets of king squares, each with separate weights
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = one_of([1, 4, 8]))]
    king_buckets: usize,
    /// Number of output buckets, by the number of men
    #[arg(long, value_name = "N", default_value_t = 1)]
    output_buckets: usize,
    /// Number of passes through the positions
    #[arg(long, value_name = "N", default_value_t = 10)]
    epochs: usize,
    /// Number of positions per step
    #[arg(long, value_name = "POSITIONS", default_value_t = 16_384, value_parser = at_least_one)]
    batch: usize,
    /// Learning rate of the first step, which decays to --final-rate along half a cosine
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = positive)]
    rate: f32,
    /// Learning rate of the last step
    #[arg(long, value_name = "RATE", default_value_t = 0.00001, value_parser = positive)]
    final_rate: f32,
    /// Weight of the score in the target; the rest is the weight of the game result, at the --scale that fits results
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    lambda: f32,
    /// Unit of the network's output: the internal centipawns with an expected score of 73 %
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    #[arg(value_parser = clap::value_parser!(i16).range(50..=2_000))]
    scale: i16,
    /// Train for the mean of network and hand-written terms, as the engine uses it (`Evaluation` combined)
    #[arg(long)]
    with_terms: bool,
    /// Dropout: the share of hidden values left out at random, from 0 to 0.9, against overfitting. It raises the
    /// training loss
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = dropout)]
    dropout: f32,
    /// Factorise the weights of a piece by rank and file, so that squares learn from each other
    #[arg(long)]
    factorised: bool,
    /// Weight decay per step, as a share of the weights times the learning rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    weight_decay: f32,
    /// Seed of the initial weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
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

impl PlanArgs {
    /// The plan for training that begins with the network of this SHA-256.
    pub(super) fn plan(&self, start_digest: Option<String>) -> TrainingPlan {
        TrainingPlan {
            hidden: self.hidden,
            king_buckets: self.king_buckets,
            output_buckets: self.output_buckets,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            final_rate: self.final_rate,
            lambda: self.lambda,
            scale: self.scale,
            with_terms: self.with_terms,
            dropout: self.dropout,
            factorised: self.factorised,
            weight_decay: self.weight_decay,
            seed: self.seed,
            start_digest,
            threads: self.threads,
        }
    }
}
