//! Games of the engine against itself at fixed nodes, in one process. They are training data for `tune` and `wdl`.

mod format;
mod play;

use crate::interrupt::Interrupt;
use anyhow::{Context, ensure};
use bartizan_match::{OpeningSettings, Openings};
use clap::ValueEnum;
use crossbeam::channel::bounded;
use format::GameFile;
use indicatif::{ProgressBar, ProgressStyle};
use play::{FinishedGame, Player};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

/// The formats of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// PGN with the score and depth of each move as a comment
    Pgn,
    /// The compact format that `tune` and `wdl` read, 4 bytes a ply
    Binary,
}

const EXAMPLE: &str = "\
Example:
  bartizan-tools selfplay --games 10000 --nodes 5000 --out games.bin";

/// The arguments of `selfplay`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Args {
    /// Number of games
    #[arg(long, value_name = "N")]
    games: usize,
    /// Number of nodes per move
    #[arg(long, value_name = "NODES", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the output file [default: pgn if its name ends in .pgn, otherwise binary]
    #[arg(long)]
    format: Option<FileFormat>,
    /// Number of random plies at the start of each game, after its opening; half of the games have one more
    #[arg(long, value_name = "PLIES", default_value_t = 8)]
    random_plies: usize,
    /// Openings, EPD or PGN [default: the starting position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Largest advantage after the random plies, in internal centipawns; a larger one is replaced by another start
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 400)]
    balance: i32,
    /// Advantage in internal centipawns that wins the game once both sides agree on it for 4 plies
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2_000)]
    win_score: i32,
    /// Adjudicate a draw from move 40 on when both sides report at most 5 internal centipawns for 12 plies
    #[arg(long)]
    adjudicate_draws: bool,
    /// Length after which a game is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 400)]
    max_plies: usize,
    /// Seed of the openings and random plies; the same seed makes the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of games played at once [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Hash table of each game
    #[arg(long, value_name = "MB", default_value_t = 4)]
    hash: usize,
    /// Continue an existing output file: its finished games are kept and not played again
    #[arg(long)]
    resume: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    games: usize,
    resumed: usize,
    white_wins: usize,
    draws: usize,
    black_wins: usize,
    plies: usize,
    seconds: f64,
    games_per_second: f64,
    complete: bool,
}

/// Runs the command.
///
/// # Errors
/// Names what is wrong. Finished games are kept.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let most = u32::MAX as usize;
    ensure!((1..=most).contains(&args.games), "invalid --games '{}': must be from 1 to {most}", args.games);
    let longest = bartizan_data::SelfplayGame::MAX_PLIES;
    ensure!(args.max_plies <= longest, "invalid --max-plies '{}': must be at most {longest}", args.max_plies);
    ensure!((1..=4_096).contains(&args.hash), "invalid --hash '{}': must be from 1 to 4096", args.hash);
    ensure!(args.win_score > 0 && args.balance > 0, "--win-score and --balance must be positive");
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.unwrap_or(cores);
    ensure!((1..=1_024).contains(&threads), "invalid --threads '{threads}': must be from 1 to 1024");
    let openings = match &args.openings {
        Some(file) => Openings::load(&OpeningSettings::new(file).shuffled(args.seed))?,
        None => Openings::startpos(),
    };
    let is_pgn = args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let format = args.format.unwrap_or(if is_pgn { FileFormat::Pgn } else { FileFormat::Binary });
    let (mut file, done) = if args.resume && args.out.exists() {
        GameFile::resume(&args.out, format)?
    } else {
        (GameFile::create(&args.out, format)?, Default::default())
    };
    let todo: Vec<usize> = (0..args.games).filter(|id| !done.contains(id)).collect();

    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(args.games as u64) };
    let style = "{bar:30} {pos}/{len} games  {msg}  {elapsed} elapsed, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).context("progress style")?);
    bar.set_position((args.games - todo.len()) as u64);
    bar.reset_eta();

    let mut summary = Summary { resumed: args.games - todo.len(), ..Summary::default() };
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| -> anyhow::Result<()> {
        let (sender, finished) = bounded::<anyhow::Result<FinishedGame>>(4 * threads);
        for _ in 0..threads {
            let (sender, next, todo, openings, args) = (sender.clone(), &next, &todo, &openings, &args);
            scope.spawn(move || {
                let mut player = match Player::new(args.hash) {
                    Ok(player) => player,
                    Err(error) => return drop(sender.send(Err(error))),
                };
                // Relaxed: each index is handed out once; the channel orders the rest.
                while let Some(&id) = todo.get(next.fetch_add(1, Relaxed)) {
                    let game = play::game(&mut player, args, openings.get(id / 2), id, interrupt);
                    // Interrupted, or the receiver is gone.
                    if game.is_none_or(|game| sender.send(Ok(game)).is_err()) {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for game in finished {
            let game = game?;
            file.write(&game)?;
            summary.games += 1;
            summary.plies += game.moves.len();
            match game.winner {
                Some(bartizan_types::Color::White) => summary.white_wins += 1,
                Some(bartizan_types::Color::Black) => summary.black_wins += 1,
                None => summary.draws += 1,
            }
            let rate = summary.games as f64 / start.elapsed().as_secs_f64();
            bar.inc(1);
            bar.set_message(format!(
                "{rate:.2} games/s, +{} ={} -{}",
                summary.white_wins, summary.draws, summary.black_wins
            ));
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    summary.seconds = start.elapsed().as_secs_f64();
    summary.games_per_second = summary.games as f64 / summary.seconds.max(1e-9);
    summary.complete = summary.resumed + summary.games == args.games;
    if args.json {
        println!("{}", serde_json::to_string(&summary)?);
    } else {
        println!(
            "{} games ({} resumed), White +{} ={} -{}, {} plies, {:.2} games/s{}",
            summary.games,
            summary.resumed,
            summary.white_wins,
            summary.draws,
            summary.black_wins,
            summary.plies,
            summary.games_per_second,
            if summary.complete { "" } else { "; interrupted, continue with --resume" }
        );
    }
    Ok(if summary.complete { ExitCode::SUCCESS } else { ExitCode::from(130) })
}
