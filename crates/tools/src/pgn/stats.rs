//! `pgn stats`: counts what a collection consists of.

use crate::files;
use crate::games::{Game, Input};
use crate::interrupt::Interrupt;
use crate::output::say;
use anyhow::Context;
use bartizan_games::{Player, Results, Statistics};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

const EXAMPLE: &str = "\
A player's performance is the rating that explains the score against the mean rating of the opponents, for games in
which the opponent's rating is known.

Examples:
  bartizan-tools pgn stats games.pgn --top 20
  bartizan-tools pgn stats games.pgn.zst --json > games.json
  bartizan-tools pgn stats --merge part1.json part2.json";

/// The arguments of `pgn stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    #[command(flatten)]
    input: Input,
    /// Find the openings by the positions of the games, and not by the tags
    #[arg(long)]
    classify: bool,
    /// Add up the JSON output of several runs
    #[arg(long, value_name = "JSON", num_args = 1.., conflicts_with_all = ["files", "classify"])]
    merge: Vec<PathBuf>,
    /// Number of lines of each table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Print a JSON object with all counts
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let statistics = if args.merge.is_empty() { read(args, interrupt)? } else { merge(&args.merge)? };
    if args.json {
        say!("{}", serde_json::to_string(&statistics)?)?;
    } else {
        crate::output::say_part!("{}", text(&statistics, args.top))?;
    }
    Ok(())
}

fn read(args: &Args, interrupt: &Interrupt) -> anyhow::Result<Statistics> {
    // Each thread adds to separate counts.
    let parts: Mutex<Vec<Statistics>> = Mutex::default();
    let lock = || parts.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |game: &Game<'_>| {
        if !game.raw.is_game {
            return;
        }
        let mut part = lock().pop().unwrap_or_default();
        match game.read_checked() {
            Some(Ok(pgn)) => part.add(game.raw, &pgn, args.classify),
            Some(Err(kind)) => part.add_broken(&kind),
            None => {}
        }
        lock().push(part);
    };
    args.input.each(interrupt, work, |_, ()| Ok(()))?;
    let mut whole = Statistics::default();
    lock().iter().for_each(|part| whole.merge(part));
    Ok(whole)
}

fn merge(files: &[PathBuf]) -> anyhow::Result<Statistics> {
    let mut whole = Statistics::default();
    for path in files {
        let text = std::fs::read(path).with_context(|| files::cannot_read(path))?;
        let part = serde_json::from_slice(&text);
        let part: Statistics =
            part.with_context(|| format!("'{}' is not the output of 'pgn stats --json'", path.display()))?;
        whole.merge(&part);
    }
    Ok(whole)
}

/// The statistics for people. Writing to a string cannot fail.
fn text(statistics: &Statistics, top: usize) -> String {
    let mut out = String::new();
    let all = statistics;
    let _ = writeln!(out, "{} games, {} broken, {} players", all.games, all.broken(), all.players.len());
    let _ = writeln!(out, "{}", results(&all.results));
    let games: u64 = all.plies.values().sum();
    let plies: u64 = all.plies.iter().map(|(plies, games)| plies * games).sum();
    if let (Some((least, _)), Some((most, _)), true) =
        (all.plies.first_key_value(), all.plies.last_key_value(), games > 0)
    {
        let mean = per(plies, games);
        let _ = writeln!(out, "{plies} plies, {mean:.1} per game, from {least} to {most}");
    }
    for (count, what) in [(all.other_starts, "games from another start position"), (all.chess960, "games of Chess960")]
    {
        if count > 0 {
            let _ = writeln!(out, "{count} {what}");
        }
    }
    counts(&mut out, "fault", &all.faults, top);
    let mut lengths = BTreeMap::new();
    for (&plies, games) in &all.plies {
        *lengths.entry(plies / 20 * 20).or_default() += games;
    }
    histogram(&mut out, "plies", &lengths, 20);
    histogram(&mut out, "rating", &all.ratings, 100);
    counts(&mut out, "year", &all.years, top);
    counts(&mut out, "speed", &all.speeds, top);
    counts(&mut out, "last position", &all.endings, top);
    counts(&mut out, "termination", &all.terminations, top);
    table(&mut out, "ECO", &all.eco, top);
    table(&mut out, "opening", &all.openings, top);
    players(&mut out, &all.players, top);
    out
}

#[allow(clippy::cast_precision_loss)] // Numbers of games are far below 2^52.
fn per(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn results(results: &Results) -> String {
    let Results { white, draws, black, unknown } = *results;
    let score = results.score().map_or_else(String::new, |score| format!("; White scores {:.1} %", 100.0 * score));
    format!("1-0 {white}, 1/2-1/2 {draws}, 0-1 {black}, * {unknown}{score}")
}

/// The most frequent values, unless the only one is that which means unknown.
fn counts(out: &mut String, what: &str, counts: &BTreeMap<String, u64>, top: usize) {
    if counts.keys().all(|key| key == "?") {
        return;
    }
    let _ = writeln!(out, "\n{:>8}  {what}", "games");
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by_key(|&(_, &games)| Reverse(games));
    for (value, games) in rows.iter().take(top) {
        let _ = writeln!(out, "{games:>8}  {value}");
    }
    more(out, rows.len(), top);
}

fn more(out: &mut String, rows: usize, top: usize) {
    if rows > top {
        let _ = writeln!(out, "{:>8}  {} more", "", rows - top);
    }
}

fn histogram(out: &mut String, what: &str, counts: &BTreeMap<u64, u64>, step: u64) {
    let Some(&most) = counts.values().max() else { return };
    let _ = writeln!(out, "\n{:>8}  {what}", "games");
    for (from, &games) in counts {
        let bar = "#".repeat(usize::try_from((40 * games).div_ceil(most)).unwrap_or(40));
        let range = format!("{from}-{}", from + step - 1);
        let _ = writeln!(out, "{games:>8}  {range:<9} {bar}");
    }
}

fn table(out: &mut String, what: &str, openings: &BTreeMap<String, Results>, top: usize) {
    if openings.keys().all(|key| key == "?") {
        return;
    }
    let _ = writeln!(out, "\n{:>8}  {:>6}  {:>6}  {:>6}  {what}", "games", "1-0", "1/2", "0-1");
    let mut rows: Vec<_> = openings.iter().collect();
    rows.sort_by_key(|(_, results)| Reverse(results.games()));
    for (name, results) in rows.iter().take(top) {
        let Results { white, draws, black, .. } = results;
        let _ = writeln!(out, "{:>8}  {white:>6}  {draws:>6}  {black:>6}  {name}", results.games());
    }
    more(out, rows.len(), top);
}

fn players(out: &mut String, players: &BTreeMap<String, Player>, top: usize) {
    if players.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{:>8}  {:>8}  {:>7}  {:>11}  player", "games", "points", "score", "performance");
    let mut rows: Vec<_> = players.iter().collect();
    rows.sort_by_key(|(_, player)| Reverse((player.games(), player.half_points())));
    for (name, player) in rows.iter().take(top) {
        let half = player.half_points();
        let points = format!("{}{}", half / 2, if half % 2 == 0 { "" } else { ".5" });
        let score = player.score().map_or_else(String::new, |score| format!("{:.1} %", 100.0 * score));
        let performance = player.performance().map_or_else(String::new, |rating| format!("{rating:.0}"));
        let _ = writeln!(out, "{:>8}  {points:>8}  {score:>7}  {performance:>11}  {name}", player.games());
    }
    more(out, rows.len(), top);
}
