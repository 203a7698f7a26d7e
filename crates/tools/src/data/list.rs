//! `data list`: counts and checks files of games.

use super::is_cut_off;
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say;
use crate::threads::parse_threads;
use anyhow::bail;
use bartizan_parallel::{FeedOptions, StopFlag, run as run_jobs};
use bartizan_training::Error;
use bartizan_training::data::{DataSource, Filter, FilterCounts, filter};
use bartizan_types::Escaped;
use serde::Serialize;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Reads all games, so it detects files that have changed since they were written.
Positions are counted as `data filter` takes them without further options. A
file that ends within a game is broken, unless --partial is given.

Example:
  bartizan-tools data list games/*.bin --partial";

/// The arguments of `data list`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Game files written by `selfplay`
    #[arg(value_name = "GAMES", required = true)]
    files: Vec<PathBuf>,
    /// Accept an incomplete last game in files that are still being written
    #[arg(long)]
    partial: bool,
    /// Number of files to read concurrently; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = parse_threads)]
    threads: NonZeroUsize,
    /// Print JSON: an object per file, and one for the total
    #[arg(long)]
    json: bool,
}

/// What a file has.
#[derive(Debug, Default, Serialize)]
struct Content {
    file: PathBuf,
    bytes: u64,
    games: u64,
    plies: u64,
    /// Positions that suit training.
    positions: u64,
    /// Whether it ends within a game, as one does that is being written.
    unfinished: bool,
    /// Why it cannot be read, or not all of it.
    error: Option<String>,
}

/// The files together.
#[derive(Debug, Default, Serialize)]
struct Total {
    files: u64,
    broken: u64,
    bytes: u64,
    games: u64,
    plies: u64,
    positions: u64,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let mut total = Total::default();
    if !args.json {
        say!("{:>9} {:>11} {:>11}  {:>5}  file", "games", "plies", "positions", "bytes")?;
    }
    let workers = (0..args.threads.get()).map(|_| |file: &PathBuf| read(file, args.partial, interrupt));
    run_jobs(args.files.iter(), workers, FeedOptions::kept(4 * args.threads.get()), |content: Content| {
        let Content { file, bytes, games, plies, positions, unfinished, error } = &content;
        total.files += 1;
        total.broken += u64::from(error.is_some());
        total.bytes += bytes;
        total.games += games;
        total.plies += plies;
        total.positions += positions;
        if args.json {
            return say!("{}", serde_json::to_string(&content)?).map_err(anyhow::Error::from);
        }
        let state = match error {
            Some(error) => format!(": {error}"),
            None if *unfinished => ": ends within a game".to_owned(),
            None => String::new(),
        };
        say!(
            "{games:>9} {plies:>11} {positions:>11}  {:>5.3}  {}{state}",
            a_ply(*bytes, *plies),
            Escaped(file.display())
        )?;
        Ok(())
    })?;
    if interrupt.is_set() {
        bail!(Interrupted(format!("after {} of {} files", total.files, args.files.len())));
    }
    let Total { files, broken, bytes, games, plies, positions } = total;
    if args.json {
        say!("{}", serde_json::to_string(&total)?)?;
    } else {
        let what =
            if broken > 0 { format!("{files} files, {broken} of them broken") } else { format!("{files} files") };
        say!("{games:>9} {plies:>11} {positions:>11}  {:>5.3}  {what}", a_ply(bytes, plies))?;
    }
    Ok(if broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Bytes of a ply.
fn a_ply(bytes: u64, plies: u64) -> f64 {
    bytes as f64 / plies.max(1) as f64
}

/// Reads a file; `None` if interrupted.
fn read(file: &PathBuf, partial: bool, interrupt: &Interrupt) -> Option<Content> {
    let (unfinished, stop): (_, StopFlag) = (Cell::new(false), interrupt.stop());
    let source = DataSource {
        files: std::slice::from_ref(file),
        skip_errors: false,
        partial,
        open: &|file| input::open(file, interrupt),
        progress: &|_| {},
        warn: &|_, _| unfinished.set(true),
        stop: &stop,
    };
    let mut counts = FilterCounts::default();
    let read = filter(&source, &Filter::default(), &mut counts, |_| Ok::<_, Error>(()));
    if stop.is_stopped() {
        return None;
    }
    let error = read.err().map(anyhow::Error::from).map(|error| {
        let hint = if is_cut_off(&error) { " (--partial for one that is being written)" } else { "" };
        format!("{}{hint}", error.root_cause())
    });
    Some(Content {
        file: file.clone(),
        bytes: std::fs::metadata(file).map_or(0, |metadata| metadata.len()),
        games: counts.games,
        plies: counts.positions,
        positions: counts.taken,
        unfinished: unfinished.get(),
        error,
    })
}
