//! `match ladder`: rates engines by the games of journals and PGN files.

use crate::files::{self, shown};
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say, say_part};
use crate::resume::refuse_cut;
use anyhow::{Context, bail, ensure};
use bartizan_match::{RatedGames, report};
use bartizan_notation::pgn::PgnError;
use bartizan_stats::Anchor;
use bartizan_types::Escaped;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
Example:
  bartizan-tools match ladder gauntlet.jsonl older.pgn --anchor bartizan=2800
  bartizan-tools match ladder tournament.pgn --crosstable";

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Match journals or PGN files, also as .gz, .bz2 or .zst. A game found in several files counts once
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engine with a known rating, in Elo [default: the first engine of the first file, at 0]
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Also show the crosstable, with Sonneborn-Berger
    #[arg(long)]
    crosstable: bool,
    /// Print the ratings as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let mut games = RatedGames::of(args.files.len());
    for path in &args.files {
        let read = read(&mut games, path, interrupt);
        if interrupt.is_set() {
            bail!(Interrupted(format!("while reading '{}'", Escaped(path.display()))));
        }
        read?;
    }
    if let repeated @ 1.. = games.repeated() {
        let (games, are) = if repeated == 1 { ("game", "is") } else { ("games", "are") };
        note!("note: {repeated} {games} found in several files {are} counted once");
    }
    ensure!(!games.is_empty(), "no finished games in the files");
    let anchor = |text: &String| {
        anchor(text).with_context(|| format!("invalid value '{}' for --anchor: expected NAME=ELO", shown(text)))
    };
    let ratings = games.rate(args.anchor.as_ref().map(anchor).transpose()?)?;
    let crosstable = args.crosstable.then(|| games.crosstable());
    match (args.json, crosstable) {
        (true, None) => say!("{}", serde_json::to_string_pretty(&ratings)?)?,
        (true, Some(crosstable)) => {
            let both = serde_json::json!({ "ratings": ratings, "crosstable": crosstable });
            say!("{}", serde_json::to_string_pretty(&both)?)?;
        }
        (false, None) => say_part!("{}", report::ratings(&ratings))?,
        (false, Some(crosstable)) => say_part!("{}\n{crosstable}", report::ratings(&ratings))?,
    }
    games.cut_files().first().map_or(Ok(()), |path| refuse_cut(path, true))?;
    Ok(ExitCode::SUCCESS)
}

fn anchor(text: &str) -> Option<Anchor> {
    let (name, elo) = text.rsplit_once('=')?;
    let elo = elo.parse().ok().filter(|elo: &f64| elo.is_finite())?;
    Some(Anchor { name: name.to_owned(), elo })
}

/// Adds the games of a file. A pipe can be opened and read only once.
fn read(games: &mut RatedGames, path: &Path, interrupt: &Interrupt) -> anyhow::Result<()> {
    let file = input::open(path, interrupt).and_then(bartizan_files::decompress);
    let file = file.with_context(|| files::cannot_read(path))?;
    let warn = |error: &PgnError| note!("warning: '{}': {error}, skipped", Escaped(path.display()));
    Ok(games.read(path, file, &interrupt.stop(), warn)?)
}
