//! The statistics of a collection as readable text.

use crate::statistics::{CollectionStatistics, PlayerStatistics, ResultCounts, ratio};
use bartizan_types::Escaped;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

impl CollectionStatistics {
    /// The statistics as readable text, with the first `top` lines of each table. Tags are [`Escaped`].
    pub fn text(&self, top: usize) -> String {
        // Writing to a string cannot fail.
        let mut out = String::new();
        let all = self;
        let _ = writeln!(out, "{} games, {} broken, {} players", all.games, all.broken(), all.players.len());
        let _ = writeln!(out, "{}", results(&all.results));
        let games: u64 = all.plies.values().sum();
        let plies: u64 = all.plies.iter().map(|(plies, games)| plies * games).sum();
        if let (Some((least, _)), Some((most, _)), true) =
            (all.plies.first_key_value(), all.plies.last_key_value(), games > 0)
        {
            let mean = ratio(plies, games).unwrap_or_default();
            let _ = writeln!(out, "{plies} plies, {mean:.1} per game, from {least} to {most}");
        }
        for (count, what) in
            [(all.other_starts, "games from another start position"), (all.chess960, "games of Chess960")]
        {
            if count > 0 {
                let _ = writeln!(out, "{count} {what}");
            }
        }
        counts(&mut out, "fault", &all.faults, top);
        counts(&mut out, "problem", &all.problems, top);
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
}

fn results(results: &ResultCounts) -> String {
    let ResultCounts { white, draws, black, unknown } = *results;
    let score = results.score().map_or_else(String::new, |score| format!("; White scores {:.1} %", 100.0 * score));
    format!("1-0 {white}, 1/2-1/2 {draws}, 0-1 {black}, * {unknown}{score}")
}

/// The most frequent values, unless the only one means unknown.
fn counts(out: &mut String, what: &str, counts: &BTreeMap<String, u64>, top: usize) {
    if counts.keys().all(|key| key == "?") {
        return;
    }
    let _ = writeln!(out, "\n{:>8}  {what}", "games");
    let mut rows: Vec<_> = counts.iter().collect();
    rows.sort_by_key(|&(_, &games)| Reverse(games));
    for (value, games) in rows.iter().take(top) {
        let _ = writeln!(out, "{games:>8}  {}", Escaped(value));
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

fn table(out: &mut String, what: &str, openings: &BTreeMap<String, ResultCounts>, top: usize) {
    if openings.keys().all(|key| key == "?") {
        return;
    }
    let _ = writeln!(out, "\n{:>8}  {:>6}  {:>6}  {:>6}  {what}", "games", "1-0", "1/2", "0-1");
    let mut rows: Vec<_> = openings.iter().collect();
    rows.sort_by_key(|(_, results)| Reverse(results.games()));
    for (name, results) in rows.iter().take(top) {
        let ResultCounts { white, draws, black, .. } = results;
        let _ = writeln!(out, "{:>8}  {white:>6}  {draws:>6}  {black:>6}  {}", results.games(), Escaped(name));
    }
    more(out, rows.len(), top);
}

fn players(out: &mut String, players: &BTreeMap<String, PlayerStatistics>, top: usize) {
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
        let _ = writeln!(out, "{:>8}  {points:>8}  {score:>7}  {performance:>11}  {}", player.games(), Escaped(name));
    }
    more(out, rows.len(), top);
}
