//! `match ladder`: ratings of engines from files of results.

use super::journal;
use anyhow::{Context, ensure};
use bartizan_notation::pgn::{GameResult, PgnReader};
use bartizan_stats::{Anchor, GameScore, Ladder, Wdl};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Journals of matches, or PGN files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The engine whose rating is given, NAME=ELO [default: the first one, at 0]
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Print the ratings as JSON
    #[arg(long)]
    json: bool,
}

/// Results between two engines, by name.
type Results = BTreeMap<(String, String), Wdl>;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (mut results, mut first) = (Results::new(), None);
    for path in &args.files {
        read(path, &mut results, &mut first).with_context(|| path.display().to_string())?;
    }
    ensure!(!results.is_empty(), "there are no finished games in the files");
    let anchor = match &args.anchor {
        Some(text) => {
            let (name, elo) = text.rsplit_once('=').with_context(|| format!("--anchor '{text}' is not NAME=ELO"))?;
            let elo = elo.parse().with_context(|| format!("--anchor '{text}': '{elo}' is no number"))?;
            Anchor { name: name.to_owned(), elo }
        }
        None => Anchor { name: first.unwrap_or_default(), elo: 0.0 },
    };
    let mut ladder = Ladder::new();
    for ((white, black), games) in &results {
        ladder.add(white, black, *games);
    }
    let ratings = ladder.rate(&anchor)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&ratings)?);
        return Ok(ExitCode::SUCCESS);
    }
    let width = ratings.iter().map(|row| row.name.chars().count()).max().unwrap_or(4).max(6);
    println!(
        "{:>4}  {:width$} {:>8} {:>7} {:>6} {:>7} {:>7} {:>10}",
        "", "engine", "Elo", "± 95 %", "games", "score", "draws", "opponents"
    );
    for (index, row) in ratings.iter().enumerate() {
        println!(
            "{:>4}  {:width$} {:>8.1} {:>7.1} {:>6} {:>6.1}% {:>6.1}% {:>10.1}",
            index + 1,
            row.name,
            row.elo,
            row.error,
            row.games.total(),
            100.0 * row.score,
            100.0 * row.draw_ratio,
            row.opponents
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    if is_pgn { read_pgn(path, results, first) } else { read_journal(path, results, first) }
}

fn read_journal(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let history = journal::read(path)?;
    let label = |engine: usize| history.settings.engines.get(engine).map(super::config::EngineEntry::label);
    first.get_or_insert_with(|| label(0).unwrap_or_default());
    for game in &history.games {
        if let (Some(white), Some(black)) = (label(game.white), label(game.black)) {
            let score = match game.half_points(game.white) {
                0 => GameScore::Loss,
                1 => GameScore::Draw,
                _ => GameScore::Win,
            };
            results.entry((white, black)).or_default().add_game(score);
        }
    }
    Ok(())
}

fn read_pgn(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let file = File::open(path).context("cannot open the file")?;
    for game in PgnReader::new(BufReader::new(file)) {
        let game = game?;
        let tag = |name: &str| game.tag(name).map(str::to_owned);
        let (Some(white), Some(black)) = (tag("White"), tag("Black")) else { continue };
        let score = match game.result {
            GameResult::WhiteWins => GameScore::Win,
            GameResult::BlackWins => GameScore::Loss,
            GameResult::Draw => GameScore::Draw,
            GameResult::Unknown => continue,
        };
        first.get_or_insert_with(|| white.clone());
        results.entry((white, black)).or_default().add_game(score);
    }
    Ok(())
}
