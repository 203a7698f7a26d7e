//! The command line of `tune`.

use crate::threads::parse_threads;
use bartizan_training::tune::{Method, Objective};
use clap::ValueEnum;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The losses that can be minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ObjectiveName {
    /// Mean squared error of the expected points, as in Texel's tuning method
    Mse,
    /// Negative log-likelihood of win, draw and loss, with a fitted draw margin
    Ordinal,
}

/// The optimisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OptimizerName {
    /// Adam (Kingma and Ba 2015)
    Adam,
    /// AdaGrad (Duchi, Hazan and Singer 2011)
    Adagrad,
    /// Nesterov momentum with adaptive restart (O'Donoghue and Candès 2015)
    Momentum,
}

const EXAMPLE: &str = "\
The checkpoint records the settings of its run, so --resume DIR needs no other
options. Options given as well must match the checkpoint, except --epochs,
--patience, --threads, --source and the names of the data.

Example:
  bartizan-tools selfplay --games 50000 --out games.bin
  bartizan-tools tune --data games.bin --out fit --source values.txt
  bartizan-tools tune --resume fit";

/// The arguments of `tune`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Games or positions with results: selfplay files, PGN, or EPD with c9 "1-0", c2 "0.5" or a final [0.5]; the
    /// result may be the mean of several games, such as c9 "0.375"
    #[arg(long, value_name = "FILE", required_unless_present = "resume", num_args = 1..)]
    pub(super) data: Vec<PathBuf>,
    /// Output folder for the weights, the checkpoint, the losses and their chart
    #[arg(long, value_name = "DIR", required_unless_present_any = ["validate", "resume"])]
    pub(super) out: Option<PathBuf>,
    /// Output file for the fitted parameters, in the form that the evaluation is compiled with
    #[arg(long, value_name = "FILE")]
    pub(super) source: Option<PathBuf>,
    /// File with the initial weights [default: the built-in weights]
    #[arg(long, value_name = "FILE")]
    pub(super) start: Option<PathBuf>,
    /// Continue the run of a folder with the settings of its checkpoint [default: the folder of --out]
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with = "validate")]
    pub(super) resume: Option<Option<PathBuf>>,
    /// Do not fit; check the gradient of this many positions against finite differences, and the trace against the
    /// evaluation [default: 500]
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, default_missing_value = "500")]
    pub(super) validate: Option<usize>,
    /// Fit the terms for the mean of network and terms, as the engine uses it (`Evaluation` combined)
    #[arg(long)]
    pub(super) with_network: bool,
    /// Network for --with-network [default: the built-in one]
    #[arg(long, value_name = "FILE", requires = "with_network")]
    pub(super) network: Option<PathBuf>,
    /// Number of threads; 'auto' is one per core [default: auto]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(super) threads: Option<NonZeroUsize>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) fit: FitArgs,
    #[command(flatten)]
    pub(super) positions: PositionArgs,
}

/// How to fit.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Fit")]
pub(super) struct FitArgs {
    /// Loss to minimise [default: mse]
    #[arg(long)]
    pub(super) objective: Option<ObjectiveName>,
    /// Optimiser [default: adam]
    #[arg(long)]
    pub(super) optimizer: Option<OptimizerName>,
    /// Approximate size of the largest step of a weight [default: adam 1, adagrad 8, momentum 4]
    #[arg(long, value_name = "CENTIPAWNS")]
    pub(super) rate: Option<f64>,
    /// Factor applied to the rate every --rate-epochs epochs [default: 0.5]
    #[arg(long, value_name = "FACTOR")]
    pub(super) rate_factor: Option<f64>,
    /// Number of epochs between changes of the rate; 0 keeps it constant [default: 10]
    #[arg(long, value_name = "EPOCHS")]
    pub(super) rate_epochs: Option<usize>,
    /// Number of positions per step; 0 uses all [default: 16384]
    #[arg(long, value_name = "POSITIONS")]
    pub(super) batch: Option<usize>,
    /// Maximum number of epochs [default: 60]
    #[arg(long, value_name = "EPOCHS")]
    pub(super) epochs: Option<usize>,
    /// Number of epochs without a lower held-out loss that end the fit [default: 6]
    #[arg(long, value_name = "EPOCHS")]
    pub(super) patience: Option<usize>,
    /// Strength of the pull towards the initial weights: each weight adds STRENGTH / 2 · (effect of its change / 100
    /// cp)² to the loss [default: 0]
    #[arg(long, value_name = "STRENGTH")]
    pub(super) pull: Option<f64>,
    /// Scale of the sigmoid: the score that multiplies the odds by e [default: fitted before the first epoch]
    #[arg(long, value_name = "CENTIPAWNS")]
    pub(super) scale: Option<f64>,
    /// Weight of the game result in the target; the rest is the result predicted by the score in the game [default: 1]
    #[arg(long, value_name = "SHARE")]
    pub(super) lambda: Option<f64>,
    /// Terms to freeze, separated by commas [default: none]
    #[arg(long, value_name = "TERM", value_delimiter = ',')]
    pub(super) freeze: Vec<String>,
    /// Terms to fit, separated by commas [default: all]
    #[arg(long, value_name = "TERM", value_delimiter = ',', conflicts_with = "freeze")]
    pub(super) only: Vec<String>,
    /// Minimum number of training positions that use a weight; rarer weights are frozen [default: 1]
    #[arg(long, value_name = "POSITIONS")]
    pub(super) min_uses: Option<u32>,
}

/// Which positions to learn from.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Positions")]
pub(super) struct PositionArgs {
    /// Number of plies to skip at the start of each game [default: 4]
    #[arg(long, value_name = "PLIES")]
    pub(super) skip_plies: Option<usize>,
    /// Maximum number of positions per game, chosen at random; 0 takes all [default: 0]
    #[arg(long, value_name = "POSITIONS")]
    pub(super) per_game: Option<usize>,
    /// Maximum number of positions, in the order of the files; 0 takes all [default: 0]
    #[arg(long, value_name = "POSITIONS")]
    pub(super) positions: Option<usize>,
    /// Score at and above which positions are skipped [default: 2000]
    #[arg(long, value_name = "CENTIPAWNS")]
    pub(super) max_score: Option<i32>,
    /// Treat the scores in PGN files as normalised, as this engine shows them; those of `selfplay` are internal
    #[arg(long)]
    pub(super) shown: bool,
    /// Skip positions in which a capture or a promotion was played
    #[arg(long)]
    pub(super) quiet: bool,
    /// Replace each position by the quiet position at the end of a capture search
    #[arg(long)]
    pub(super) resolve: bool,
    /// Number of epochs between repetitions of --resolve with the current weights; 0 never repeats it [default: 0]
    #[arg(long, value_name = "EPOCHS")]
    pub(super) refresh: Option<usize>,
    /// Share of the games held out to measure progress [default: 0.1]
    #[arg(long, value_name = "SHARE")]
    pub(super) held_out: Option<f64>,
    /// Skip broken games and lines
    #[arg(long)]
    pub(super) skip_errors: bool,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    pub(super) partial: bool,
    /// Seed of all random choices; the same seed and data give the same weights [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
}

impl ObjectiveName {
    pub(super) const fn objective(self) -> Objective {
        match self {
            Self::Mse => Objective::SquaredError,
            Self::Ordinal => Objective::OrdinalLogistic,
        }
    }
}

impl OptimizerName {
    pub(super) const fn method(self) -> Method {
        match self {
            Self::Adam => Method::Adam,
            Self::Adagrad => Method::AdaGrad,
            Self::Momentum => Method::Momentum,
        }
    }
}
