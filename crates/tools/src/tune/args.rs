//! The command line of `tune`.

use super::checkpoint::Decisions;
use anyhow::ensure;
use bartizan_tuner::{FitSettings, Method, Objective, Selection};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::thread;

/// The losses that can be minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObjectiveName {
    /// Mean squared error of the expected points, as in Texel's tuning method
    Mse,
    /// Negative log-likelihood of win, draw and loss, with a draw margin that is fitted too
    Ordinal,
}

/// The optimisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OptimizerName {
    /// Adam (Kingma and Ba 2015)
    Adam,
    /// AdaGrad (Duchi, Hazan and Singer 2011)
    Adagrad,
    /// Nesterov momentum with adaptive restart (O'Donoghue and Candès 2015)
    Momentum,
}

const EXAMPLE: &str = "\
Example:
  bartizan-tools selfplay --games 50000 --out games.bin
  bartizan-tools tune --data games.bin --out fit --source params.rs";

/// The arguments of `tune`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Args {
    /// Games or positions with results: selfplay files, PGN, or EPD with c9 "1-0", c2 "0.5" or a final [0.5]
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) data: Vec<PathBuf>,
    /// Directory for the weights, the checkpoint, the losses and their chart
    #[arg(long, value_name = "DIR", required_unless_present = "validate")]
    out: Option<PathBuf>,
    /// File for the fitted parameters as Rust source
    #[arg(long, value_name = "FILE")]
    pub(super) source: Option<PathBuf>,
    /// File with the initial weights [default: the compiled-in weights]
    #[arg(long, value_name = "FILE")]
    pub(super) start: Option<PathBuf>,
    /// Resume from the checkpoint in the output directory
    #[arg(long)]
    pub(super) resume: bool,
    /// Instead of a fit, check the gradient of this many positions against finite differences, and the trace against
    /// the evaluation [default: 500]
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, default_missing_value = "500")]
    pub(super) validate: Option<usize>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
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
    /// Loss to minimise
    #[arg(long, value_enum, default_value = "mse")]
    objective: ObjectiveName,
    /// Optimiser
    #[arg(long, value_enum, default_value = "adam")]
    optimizer: OptimizerName,
    /// Approximate size of the largest step of a weight [default: adam 1, adagrad 8, momentum 4]
    #[arg(long, value_name = "CENTIPAWNS")]
    rate: Option<f64>,
    /// Factor by which the rate is multiplied after every --rate-epochs epochs
    #[arg(long, value_name = "FACTOR", default_value_t = 0.5)]
    rate_factor: f64,
    /// Number of epochs between changes of the rate; 0 keeps it constant
    #[arg(long, value_name = "EPOCHS", default_value_t = 10)]
    rate_epochs: usize,
    /// Number of positions per step; 0 uses all
    #[arg(long, value_name = "POSITIONS", default_value_t = 16_384)]
    batch: usize,
    /// Maximum number of epochs
    #[arg(long, value_name = "EPOCHS", default_value_t = 60)]
    pub(super) epochs: usize,
    /// Number of epochs without a lower held-out loss after which the fit ends
    #[arg(long, value_name = "EPOCHS", default_value_t = 6)]
    pub(super) patience: usize,
    /// Strength of the pull towards the initial weights: each weight adds STRENGTH / 2 · (effect of its change / 100
    /// cp)² to the loss
    #[arg(long, value_name = "STRENGTH", default_value_t = 0.0)]
    pull: f64,
    /// Scale of the sigmoid: the score that multiplies the odds by e [default: fitted before the first epoch]
    #[arg(long, value_name = "CENTIPAWNS")]
    pub(super) scale: Option<f64>,
    /// Share of the game result in the target; the rest is the result that the score in the game predicts
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub(super) lambda: f64,
    /// Terms to freeze, separated by commas [default: none]
    #[arg(long, value_name = "TERM", value_delimiter = ',')]
    pub(super) freeze: Vec<String>,
    /// Terms to fit, separated by commas [default: all]
    #[arg(long, value_name = "TERM", value_delimiter = ',', conflicts_with = "freeze")]
    pub(super) only: Vec<String>,
    /// Minimum number of training positions that use a weight; rarer weights are frozen
    #[arg(long, value_name = "POSITIONS", default_value_t = 1)]
    pub(super) min_uses: u32,
}

/// Which positions to learn from.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Positions")]
pub(super) struct PositionArgs {
    /// Number of plies to skip at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    skip_plies: usize,
    /// Maximum number of positions per game, chosen at random; 0 takes all
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    per_game: usize,
    /// Maximum number of positions, in the order of the files; 0 takes all
    #[arg(long, value_name = "POSITIONS", default_value_t = 0)]
    pub(super) positions: usize,
    /// Score from which on a position is skipped
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000)]
    max_score: i32,
    /// Read the scores of PGN files as the normalised scores that this engine shows
    #[arg(long)]
    shown: bool,
    /// Skip positions in which a capture or a promotion was played
    #[arg(long)]
    quiet: bool,
    /// Replace each position by the quiet position at the end of a capture search
    #[arg(long)]
    pub(super) resolve: bool,
    /// Number of epochs after which --resolve is repeated with the current weights; 0 never repeats it
    #[arg(long, value_name = "EPOCHS", default_value_t = 0, requires = "resolve")]
    pub(super) refresh: usize,
    /// Share of the games that are held out of the fit to measure its progress
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    pub(super) held_out: f64,
    /// Skip broken games and lines
    #[arg(long)]
    pub(super) skip_errors: bool,
    /// Seed of all random choices; the same seed and data give the same weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

impl Args {
    /// Checks the ranges that clap does not know.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let (fit, positions) = (&self.fit, &self.positions);
        let held_out = positions.held_out;
        ensure!(share(held_out) && held_out < 1.0, "invalid --held-out '{held_out}': must be at least 0 and below 1");
        ensure!(share(fit.lambda), "invalid --lambda '{}': must be from 0 to 1", fit.lambda);
        ensure!(fit.rate.is_none_or(positive), "--rate must be positive");
        ensure!(positive(fit.rate_factor), "--rate-factor must be positive");
        ensure!(fit.pull >= 0.0 && fit.pull.is_finite(), "--pull must not be negative");
        ensure!(fit.scale.is_none_or(|scale| (10.0..=10_000.0).contains(&scale)), "--scale must be from 10 to 10000");
        ensure!(positions.max_score > 0, "--max-score must be positive");
        ensure!(fit.patience > 0, "--patience must be at least 1");
        ensure!(self.threads.is_none_or(|n| (1..=1_024).contains(&n)), "--threads must be from 1 to 1024");
        Ok(())
    }

    /// The output directory; the current one for `--validate`, which writes nothing.
    pub(super) fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("."))
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get))
    }

    /// All settings that decide the result.
    pub(super) fn decisions(&self) -> Decisions {
        let (fit, positions) = (&self.fit, &self.positions);
        Decisions {
            fit: fit.settings(positions.seed),
            selection: positions.selection(),
            positions: positions.positions,
            held_out: positions.held_out,
            lambda: fit.lambda,
            scale: fit.scale,
            resolve: positions.resolve,
            refresh: positions.refresh,
            freeze: fit.freeze.clone(),
            only: fit.only.clone(),
            min_uses: fit.min_uses,
        }
    }
}

impl PositionArgs {
    fn selection(&self) -> Selection {
        let mut selection = Selection::default();
        selection.skip_plies = self.skip_plies;
        selection.per_game = self.per_game;
        selection.max_score = self.max_score;
        selection.quiet = self.quiet;
        selection.shown = self.shown;
        selection.seed = self.seed;
        selection
    }
}

impl FitArgs {
    fn settings(&self, seed: u64) -> FitSettings {
        let (method, usual_rate) = match self.optimizer {
            OptimizerName::Adam => (Method::Adam, 1.0),
            OptimizerName::Adagrad => (Method::AdaGrad, 8.0),
            OptimizerName::Momentum => (Method::Momentum, 4.0),
        };
        let objective = match self.objective {
            ObjectiveName::Mse => Objective::SquaredError,
            ObjectiveName::Ordinal => Objective::OrdinalLogistic,
        };
        let mut settings = FitSettings::default();
        settings.objective = objective;
        settings.method = method;
        settings.rate = self.rate.unwrap_or(usual_rate);
        settings.rate_factor = self.rate_factor;
        settings.rate_epochs = self.rate_epochs;
        settings.batch = self.batch;
        settings.pull = self.pull;
        settings.seed = seed;
        settings
    }
}
