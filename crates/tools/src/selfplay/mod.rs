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
    /// The mean of a network and the hand-written terms
    Combined,
    /// A network
    Network,
    /// The hand-written terms
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
    /// The compact format that `tune` and `wdl` read, 1.6 bytes a ply
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
Games are written in the order of their numbers, whatever the number of threads: the same settings make the same file,
unless it was interrupted. At most 16 games of each thread wait for an earlier one: these are lost if the program is
killed, none after Ctrl-C.

The file has the settings of its games: --resume FILE continues it without any other option. A setting that is given
too must be that of the file, except --games.

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
    /// Number of nodes after which no deeper iteration begins, at most --nodes [default: --nodes]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    soft_nodes: Option<u64>,
    /// What evaluates positions [default: that of the engine]
    #[arg(long)]
    evaluation: Option<EvaluationChoice>,
    /// File of the network that evaluates positions [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Format of the output file [default: pgn if its name ends in .pgn, otherwise binary]
    #[arg(long)]
    format: Option<FormatChoice>,
    /// Number of random plies at the start of each game, after its opening, at most 100; half of the games have one
    /// more [default: 8]
    #[arg(long, value_name = "PLIES")]
    random_plies: Option<usize>,
    /// Openings: EPD, PGN, or positions of `data filter`, also .gz, .bz2 and .zst; each begins two games [default: the
    /// starting position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Share of the games that begin at a random starting position of Chess960 [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    chess960: Option<u32>,
    /// Share of the games that begin at a random ending of 3 to 12 men [default: 0]
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    endings: Option<u32>,
    /// Largest advantage after the random plies, in internal centipawns; a larger one is replaced by another start
    /// [default: 400]
    #[arg(long, value_name = "CENTIPAWNS")]
    balance: Option<i32>,
    /// Advantage in internal centipawns that wins the game once both sides agree on it for 4 plies [default: 2000]
    #[arg(long, value_name = "CENTIPAWNS")]
    win_score: Option<i32>,
    /// Adjudicate a draw from move 40 on when both sides report at most 5 internal centipawns for 12 plies
    #[arg(long)]
    adjudicate_draws: bool,
    /// Length after which a game is a draw [default: 400]
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<usize>,
    /// Seed of the openings and random plies; the same seed makes the same games [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Number of games played at once; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Hash table of each game [default: 4]
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
    /// Continue a file with its settings: its finished games are kept and not played again. Without FILE, the file of
    /// --out, which may also be a new one
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
        say!("{summary}{}", if is_complete { "" } else { "; interrupted, continue with --resume FILE" })?;
    }
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}
