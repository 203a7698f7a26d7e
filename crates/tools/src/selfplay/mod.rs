//! Games of the engine against itself at fixed nodes, in one process. They are training data for `tune` and `wdl`.

mod resume;

use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::say;
use crate::progress;
use crate::threads::parse_threads;
use bartizan_engine::{EvaluationKind, EvaluationModel};
use bartizan_training::selfplay::{FileFormat, SelfplaySummary, evaluation_model};
use clap::ValueEnum;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// What evaluates positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvaluationChoice {
    /// Mean of a network and the hand-written terms
    Combined,
    /// Network alone
    Network,
    /// Hand-written terms alone
    Classical,
}

impl EvaluationChoice {
    fn kind(self) -> EvaluationKind {
        match self {
            Self::Combined => EvaluationKind::Combined,
            Self::Network => EvaluationKind::Network,
            Self::Classical => EvaluationKind::Classical,
        }
    }

    /// The evaluation with the network of a file, or else with the built-in one.
    pub(crate) fn model(self, file: Option<&Path>) -> anyhow::Result<EvaluationModel> {
        Ok(evaluation_model(self.kind(), file)?)
    }
}

/// The formats of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatChoice {
    /// PGN with the score and depth of each move as a comment
    Pgn,
    /// Compact format that `tune` and `wdl` read, 1.6 bytes per ply
    Binary,
}

impl FormatChoice {
    fn format(self) -> FileFormat {
        match self {
            Self::Pgn => FileFormat::Pgn,
            Self::Binary => FileFormat::Binary,
        }
    }
}

const EXAMPLE: &str = "\
Games are written in numerical order, whatever the number of threads, so the
same settings give the same file unless the run was interrupted. Up to 16 games
per thread wait for an earlier one; they are lost if the program is killed, but
not on Ctrl-C.

The file records the settings of its games, so --resume FILE needs no other
options. Options given as well must match the file, except --games.

Example:
  bartizan-tools selfplay --games 10000 --nodes 5000 --out games.bin
  bartizan-tools selfplay --resume games.bin";

/// The arguments of `selfplay`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Number of games
    #[arg(long, value_name = "N", required_unless_present = "resume")]
    games: Option<usize>,
    /// Number of nodes per move [default: 5000]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of nodes after which no new iteration starts, at most --nodes [default: --nodes]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: Option<u64>,
    /// Evaluation function [default: that of the engine]
    #[arg(long)]
    evaluation: Option<EvaluationChoice>,
    /// Network file [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Format of the output file [default: pgn if its name ends in .pgn, otherwise binary]
    #[arg(long)]
    format: Option<FormatChoice>,
    /// Number of random plies after the opening, at most 100; half of the games have one more [default: 8]
    #[arg(long, value_name = "PLIES")]
    random_plies: Option<usize>,
    /// Openings: EPD, PGN, or positions of `data filter`, also as .gz, .bz2 or .zst; two games per opening [default:
    /// the starting position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Share of games from a random Chess960 starting position [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    chess960: Option<u32>,
    /// Share of games from a random ending of 3 to 12 men [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    endings: Option<u32>,
    /// Maximum advantage after the random plies, in internal centipawns; other starts are replaced [default: 400]
    #[arg(long, value_name = "CENTIPAWNS")]
    balance: Option<i32>,
    /// Win adjudication: both sides report this advantage, in internal centipawns, for 4 plies [default: 2000]
    #[arg(long, value_name = "CENTIPAWNS")]
    win_score: Option<i32>,
    /// Adjudicate draws: from move 40 on, both sides report at most 5 internal centipawns for 12 plies
    #[arg(long)]
    adjudicate_draws: bool,
    /// Length at which a game is drawn [default: 400]
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<usize>,
    /// Seed of the openings and random plies; the same seed gives the same games [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of concurrent games; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Hash table size per game [default: 4]
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
    /// Continue a file with its settings, keeping its finished games [default: the file of --out, created if it does
    /// not exist]
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    resume: Option<Option<PathBuf>>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Names the problem. Finished games are kept.
pub(crate) fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let run = resume::open(&args, interrupt)?;
    let (games, resumed) = (run.games(), run.resumed());

    let style = "{bar:30} {pos}/{len} games  {msg}  {elapsed} elapsed, {eta} left";
    let bar = progress::bar(games as u64, style, args.json)?;
    bar.set_position(resumed as u64);
    bar.reset_eta();

    let mut summary = SelfplaySummary::new(resumed);
    let start = Instant::now();
    run.play(&interrupt.stop(), |game| {
        bar.set_message(summary.count(game, start));
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    let is_complete = summary.finish(start, games);
    if args.json {
        say!("{}", serde_json::to_string(&summary)?)?;
    } else {
        say!("{summary}{}", if is_complete { "" } else { "; interrupted, run again with --resume FILE to continue" })?;
    }
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}
