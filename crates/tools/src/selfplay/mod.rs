//! Games of the engine with itself at fixed nodes, in one process: positions with scores and results, for tuning.

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

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// PGN, with score and depth as comments.
    Pgn,
    /// 4 bytes a ply; the layout is in the documentation of `format.rs`.
    Binary,
}

/// The arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// How many games
    #[arg(long, value_name = "N")]
    games: usize,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Where to write them
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How; from the name of the file if missing (.pgn, anything else is binary)
    #[arg(long)]
    format: Option<FileFormat>,
    /// Random plies at the start of each game (after its opening, if openings are given)
    #[arg(long, value_name = "N", default_value_t = 8)]
    random_plies: usize,
    /// Begin with these openings, EPD or PGN, in place of the starting position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Games that begin with a larger advantage (internal centipawns) are begun anew
    #[arg(long, value_name = "CP", default_value_t = 400)]
    balance: i32,
    /// A game is won when both sides agree on this advantage (internal centipawns) for 4 plies
    #[arg(long, value_name = "CP", default_value_t = 2_000)]
    win_score: i32,
    /// A game is drawn when, from move 40 on, both sides agree on at most 5 internal centipawns for 12 plies
    #[arg(long)]
    adjudicate_draws: bool,
    /// Longer games (plies) are drawn
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_plies: usize,
    /// The same seed makes the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at once [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Hash table of each, in MB
    #[arg(long, value_name = "MB", default_value_t = 4)]
    hash: usize,
    /// Go on with a file that is there: finished games are kept and not played again
    #[arg(long)]
    resume: bool,
    /// Write a summary as JSON to stdout
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
/// With a message that names what is wrong; finished games are kept.
pub fn run(args: Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let most = u32::MAX as usize;
    ensure!((1..=most).contains(&args.games), "invalid --games '{}': must be from 1 to {most}", args.games);
    let longest = bartizan_data::SelfplayGame::MAX_PLIES;
    ensure!(args.max_plies <= longest, "invalid --max-plies '{}': must be at most {longest}", args.max_plies);
    ensure!((1..=4_096).contains(&args.hash), "--hash {} is out of range (1 to 4096)", args.hash);
    ensure!(args.win_score > 0 && args.balance > 0, "--win-score and --balance must be positive");
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.unwrap_or(cores);
    ensure!((1..=1_024).contains(&threads), "--threads {threads} is out of range (1 to 1024)");
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
                    // Interrupted, or nobody takes games any more.
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
            "{} games ({} kept from before), white +{} ={} -{}, {} plies, {:.2} games/s{}",
            summary.games,
            summary.resumed,
            summary.white_wins,
            summary.draws,
            summary.black_wins,
            summary.plies,
            summary.games_per_second,
            if summary.complete { "" } else { "; interrupted, go on with --resume" }
        );
    }
    Ok(if summary.complete { ExitCode::SUCCESS } else { ExitCode::from(130) })
}
