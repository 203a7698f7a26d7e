//! `match ladder`: rates engines by the games of journals and PGN files.

use crate::files::shown;
use crate::output::say;
use anyhow::{Context, ensure};
use bartizan_match::journal;
use bartizan_notation::pgn::{GameResult, PgnReader};
use bartizan_stats::{Anchor, GameScore, Ladder, Wdl};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
Example:
  bartizan-tools match ladder gauntlet.jsonl older.pgn --anchor bartizan=2800";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Journals of matches, or PGN files (*.pgn)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engine with a known rating, in Elo [default: the first engine of the first file, at 0]
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
        read(path, &mut results, &mut first)?;
    }
    ensure!(!results.is_empty(), "no finished games in the files");
    let anchor = match &args.anchor {
        Some(text) => {
            anchor(text).with_context(|| format!("invalid value '{}' for --anchor: expected NAME=ELO", shown(text)))?
        }
        None => Anchor { name: first.unwrap_or_default(), elo: 0.0 },
    };
    let mut ladder = Ladder::new();
    for ((white, black), games) in &results {
        ladder.add(white, black, *games);
    }
    let ratings = ladder.rate(&anchor)?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&ratings)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = ratings.iter().map(|row| row.name.chars().count()).max().unwrap_or(4).max(6);
    say!(
        "{:>4}  {:width$} {:>8} {:>7} {:>6} {:>7} {:>7} {:>10}",
        "",
        "engine",
        "Elo",
        "± 95 %",
        "games",
        "score",
        "draws",
        "opponents"
    )?;
    for (index, row) in ratings.iter().enumerate() {
        say!(
            "{:>4}  {:width$} {:>8.1} {:>7.1} {:>6} {:>6.1}% {:>6.1}% {:>10.1}",
            index + 1,
            row.name,
            row.elo,
            row.error,
            row.games.total(),
            100.0 * row.score,
            100.0 * row.draw_ratio,
            row.opponents
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn anchor(text: &str) -> Option<Anchor> {
    let (name, elo) = text.rsplit_once('=')?;
    let elo = elo.parse().ok().filter(|elo: &f64| elo.is_finite())?;
    Some(Anchor { name: name.to_owned(), elo })
}

/// Adds the games of a file. `first` becomes the file's first engine if it is `None`.
fn read(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    if is_pgn { read_pgn(path, results, first) } else { read_journal(path, results, first) }
}

fn read_journal(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let journal::History { settings, games, .. } = journal::read(path)?;
    first.get_or_insert_with(|| settings.label(0));
    let engines = 0..settings.engines.len();
    for game in games.iter().filter(|game| engines.contains(&game.white) && engines.contains(&game.black)) {
        let names = (settings.label(game.white), settings.label(game.black));
        results.entry(names).or_default().add_game(game.score(game.white));
    }
    Ok(())
}

fn read_pgn(path: &Path, results: &mut Results, first: &mut Option<String>) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open '{}'", path.display()))?;
    for game in PgnReader::new(BufReader::new(file)) {
        let game = game.with_context(|| format!("invalid PGN '{}'", path.display()))?;
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
