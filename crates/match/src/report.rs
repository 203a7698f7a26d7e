//! Reports the results of a match: lines while it runs, tables or JSON at the end.

use crate::crosstable::CrossTable;
use crate::play::{MatchEnd, MatchResult};
use crate::record::GameRecord;
use crate::settings::{MatchSettings, TournamentFormat};
use crate::standing::{EngineStanding, Standing};
use bartizan_stats::{Estimate, MatchTally, OptionalEstimate, Rating, ScoreSample, SprtReport};
use bartizan_types::Escaped;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The results of one engine against all its opponents.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
    elo: Option<Estimate>,
    normalised_elo: Option<Estimate>,
    likelihood_of_superiority: f64,
    draw_ratio: Option<f64>,
    /// Number of pairs with 0, ½, 1, 1½ and 2 points.
    pentanomial: [u64; 5],
    white_score: Option<f64>,
    black_score: Option<f64>,
    depth: Option<f64>,
    nps: Option<f64>,
    seconds_per_move: Option<f64>,
    lost_by_fault: BTreeMap<String, u64>,
    faults: BTreeMap<String, u64>,
    warnings: BTreeMap<String, u64>,
}

/// The results of a match as JSON, for scripts.
#[derive(Debug, Serialize)]
pub struct MatchSummary {
    games: usize,
    engines: Vec<Row>,
    crosstable: CrossTable,
    terminations: BTreeMap<String, u64>,
    sprt: Option<SprtReport>,
    reason: String,
}

/// The structure of the JSON results.
pub fn summary(settings: &MatchSettings, outcome: &MatchResult) -> MatchSummary {
    let standing = &outcome.standing;
    let row = |(index, engine): (usize, &EngineStanding)| {
        let sample = standing.sample(index);
        Row {
            name: settings.label(index),
            games: engine.games.total(),
            wins: engine.games.wins,
            draws: engine.games.draws,
            losses: engine.games.losses,
            score: engine.games.score(),
            elo: sample.elo(),
            normalised_elo: sample.normalised_elo(),
            likelihood_of_superiority: sample.likelihood_of_superiority(),
            draw_ratio: engine.games.draw_ratio(),
            pentanomial: standing.tally(index).pairs.0,
            white_score: engine.as_white.score(),
            black_score: engine.as_black.score(),
            depth: engine.depth(),
            nps: engine.nps(),
            seconds_per_move: engine.seconds_per_move(),
            lost_by_fault: engine.lost_by_fault.clone(),
            faults: engine.faults.clone(),
            warnings: engine.warnings.clone(),
        }
    };
    MatchSummary {
        games: standing.games,
        engines: standing.engines.iter().enumerate().map(row).collect(),
        crosstable: crosstable(settings, standing),
        terminations: standing.terminations.clone(),
        sprt: outcome.sprt,
        reason: outcome.end.to_string(),
    }
}

/// The line for a finished game: number, names, result, reason, length, and the running score between the two engines.
pub fn game(settings: &MatchSettings, record: &GameRecord, standing: &Standing) -> String {
    let GameRecord { id, white, black, termination, plies, .. } = *record;
    let (first, second) = (white.min(black), white.max(black));
    let games = standing.games_between(first, second);
    format!(
        "game {}: {} - {} {}, {termination}, {plies} plies; {} against {}: {games} ({})",
        id + 1,
        shown(settings, white),
        shown(settings, black),
        record.result(),
        shown(settings, first),
        shown(settings, second),
        percent(games.score())
    )
}

/// The first engine's score so far and the state of the sequential test, in one line. Empty if there are many pairings.
pub fn live(settings: &MatchSettings, standing: &Standing) -> String {
    if settings.format == TournamentFormat::Pairs {
        return String::new();
    }
    let wdl = standing.engines[0].games;
    let sample = standing.sample(0);
    let mut text = format!("+{} ={} -{}  Elo {}", wdl.wins, wdl.draws, wdl.losses, OptionalEstimate(sample.elo()));
    if let Some(report) = settings.sprt_report(standing) {
        let _ = write!(text, "  LLR {:.2} ({:.2} to {:.2})", report.llr, report.lower, report.upper);
    }
    text
}

/// The name of an engine, which may have given it itself.
fn shown(settings: &MatchSettings, engine: usize) -> String {
    Escaped(settings.label(engine)).to_string()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn pairs_text(tally: &MatchTally) -> String {
    let [a, b, c, d, e] = tally.pairs.0;
    format!("[{a}, {b}, {c}, {d}, {e}]")
}

fn ending(end: MatchEnd) -> &'static str {
    match end {
        MatchEnd::Sprt => "SPRT decided",
        MatchEnd::Interrupted => "interrupted",
        _ => "complete",
    }
}

/// The results for people.
pub fn text(settings: &MatchSettings, outcome: &MatchResult) -> String {
    let standing = &outcome.standing;
    let mut text = format!("{} games, {}\n\n", standing.games, ending(outcome.end));
    let names = (0..settings.engines.len()).map(|engine| shown(settings, engine));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(4).max(6);
    let _ = writeln!(
        text,
        "{:width$}  games    +    =    -   score   white   black   draws  {:>20}  pairs 0 ½ 1 1½ 2",
        "engine", "Elo (95 %)"
    );
    let mut order: Vec<usize> = (0..standing.engines.len()).collect();
    order.sort_by(|&a, &b| {
        let score = |index: usize| standing.engines[index].games.score().unwrap_or(0.0);
        score(b).total_cmp(&score(a))
    });
    for &index in &order {
        let engine = &standing.engines[index];
        let sample = standing.sample(index);
        let _ = writeln!(
            text,
            "{:width$}  {:>5} {:>4} {:>4} {:>4} {:>7} {:>7} {:>7} {:>7}  {:>20}  {}",
            shown(settings, index),
            engine.games.total(),
            engine.games.wins,
            engine.games.draws,
            engine.games.losses,
            percent(engine.games.score()),
            percent(engine.as_white.score()),
            percent(engine.as_black.score()),
            percent(engine.games.draw_ratio()),
            OptionalEstimate(sample.elo()).to_string(),
            pairs_text(&standing.tally(index))
        );
    }
    let _ = writeln!(text, "\n{:width$}   depth        nps  s/move  lost by fault, faults of protocol", "engine");
    for &index in &order {
        let engine = &standing.engines[index];
        let number =
            |value: Option<f64>, decimals: usize| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.decimals$}"));
        let list = |map: &BTreeMap<String, u64>| {
            let items: Vec<String> = map.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            if items.is_empty() { "none".to_owned() } else { items.join(", ") }
        };
        let warnings = match &engine.warnings {
            none if none.is_empty() => String::new(),
            some => format!("; warnings: {}", list(some)),
        };
        let _ = writeln!(
            text,
            "{:width$}  {:>6} {:>10} {:>7}  {}; {}{warnings}",
            shown(settings, index),
            number(engine.depth(), 1),
            number(engine.nps(), 0),
            number(engine.seconds_per_move(), 3),
            list(&engine.lost_by_fault),
            list(&engine.faults)
        );
    }
    if standing.engines.len() == 2 {
        two_engines(&mut text, settings, outcome);
    } else {
        if settings.format != TournamentFormat::Pairs {
            let _ = write!(text, "\n{}", crosstable(settings, standing));
        }
        pairings(&mut text, settings, standing);
    }
    let ends: Vec<String> = standing.terminations.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let _ = write!(text, "\ngames ended by: {}", ends.join(", "));
    text
}

/// The statistics of a match between two engines.
fn two_engines(text: &mut String, settings: &MatchSettings, outcome: &MatchResult) {
    let tally = outcome.standing.pairs(0, 1);
    let sample = ScoreSample::from(&tally);
    let _ = writeln!(
        text,
        "\n{}: Elo {}, normalised Elo {}, likelihood of superiority {:.1} %",
        shown(settings, 0),
        OptionalEstimate(sample.elo()),
        OptionalEstimate(sample.normalised_elo()),
        100.0 * sample.likelihood_of_superiority()
    );
    if let (Some(sprt), Some(report)) = (&settings.sprt, &outcome.sprt) {
        let _ = writeln!(
            text,
            "SPRT [{}, {}], {} Elo, alpha {}, beta {}: {report}",
            sprt.elo0, sprt.elo1, sprt.model, sprt.alpha, sprt.beta
        );
    }
}

fn crosstable(settings: &MatchSettings, standing: &Standing) -> CrossTable {
    CrossTable::of((0..standing.engines.len()).map(|engine| settings.label(engine)).collect(), standing)
}

/// The results of each pairing.
fn pairings(text: &mut String, settings: &MatchSettings, standing: &Standing) {
    let _ = writeln!(text);
    for ((first, second), tally) in standing.pairings() {
        let _ = writeln!(
            text,
            "{} - {}: {}  {}  Elo {}",
            shown(settings, first),
            shown(settings, second),
            tally.games(),
            pairs_text(tally),
            OptionalEstimate(ScoreSample::from(tally).elo())
        );
    }
}

/// A table of rated engines, best first.
pub fn ratings(ratings: &[Rating]) -> String {
    let names: Vec<String> = ratings.iter().map(|row| Escaped(&row.name).to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(4).max(6);
    let mut text = format!(
        "{:>4}  {:width$} {:>8} {:>7} {:>6} {:>7} {:>7} {:>10}\n",
        "", "engine", "Elo", "± 95 %", "games", "score", "draws", "opponents"
    );
    for ((rank, name), rating) in (1..).zip(names).zip(ratings) {
        let Rating { elo, error, games, score, draw_ratio, opponents, .. } = rating;
        let (games, score, draws) = (games.total(), 100.0 * score, 100.0 * draw_ratio);
        let _ = writeln!(
            text,
            "{rank:>4}  {name:width$} {elo:>8.1} {error:>7.1} {games:>6} {score:>6.1}% {draws:>6.1}% {opponents:>10.1}"
        );
    }
    text
}
