//! `match ladder`: rates engines by the games of journals and PGN files.

use super::repeats::Repeats;
use crate::files::{self, shown};
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use anyhow::{Context, bail, ensure};
use bartizan_match::journal;
use bartizan_notation::pgn::{GameResult, PgnErrorKind, PgnGame, PgnReader, begins_like_pgn};
use bartizan_stats::{Anchor, GameScore, Ladder, Wdl};
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What follows the options in `--help`.
const AFTER_HELP: &str = "\
Example:
  bartizan-tools match ladder gauntlet.jsonl older.pgn --anchor bartizan=2800";

/// The number of bytes at the beginning of a file that tell its kind.
const START: u64 = 4_096;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Journals of matches, or PGN files, also .gz, .bz2 and .zst. A game that stands in several files counts once
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

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    let repeats = (args.files.len() > 1).then(Repeats::default);
    let mut games = Games { results: Results::new(), first: None, repeats };
    for path in &args.files {
        games.read(path, interrupt)?;
    }
    let Games { results, first, repeats } = games;
    if let Some(repeated @ 1..) = repeats.map(|repeats| repeats.repeated()) {
        let (games, stand) = if repeated == 1 { ("game", "stands") } else { ("games", "stand") };
        note!("note: {repeated} {games} that {stand} in more than one file count once");
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

/// The games of all files.
struct Games {
    results: Results,
    /// The first engine of the first file.
    first: Option<String>,
    /// Looks for games that stand in several files, if there are several.
    repeats: Option<Repeats>,
}

impl Games {
    fn add(&mut self, white: String, black: String, score: GameScore, game: Option<&PgnGame>) {
        self.first.get_or_insert_with(|| white.clone());
        if let (Some(repeats), Some(game)) = (&mut self.repeats, game)
            && !repeats.is_new(&white, &black, game)
        {
            return;
        }
        self.results.entry((white, black)).or_default().add_game(score);
    }

    /// Adds the games of a file.
    fn read(&mut self, path: &Path, interrupt: &Interrupt) -> anyhow::Result<()> {
        if let Some(repeats) = &mut self.repeats {
            repeats.begin_file();
        }
        let read = self.read_once(path, interrupt);
        if interrupt.is_set() {
            bail!(Interrupted(format!("while reading '{}'", path.display())));
        }
        read
    }

    /// The same. A pipe can be opened and read only once.
    fn read_once(&mut self, path: &Path, interrupt: &Interrupt) -> anyhow::Result<()> {
        let cannot = || files::cannot_read(path);
        let mut file = input::open(path, interrupt).and_then(bartizan_files::decompress).with_context(cannot)?;
        let mut start = Vec::new();
        file.by_ref().take(START).read_to_end(&mut start).with_context(cannot)?;
        let is_pgn = is_pgn(path, &start)?;
        let file = start.as_slice().chain(file);
        if is_pgn { self.read_pgn(path, file, interrupt) } else { self.read_journal(path, file) }
    }

    fn read_journal(&mut self, path: &Path, file: impl Read) -> anyhow::Result<()> {
        let journal::History { settings, games, .. } = journal::read_from(path, file)?;
        self.first.get_or_insert_with(|| settings.label(0));
        let engines = 0..settings.engines.len();
        for game in games.iter().filter(|game| engines.contains(&game.white) && engines.contains(&game.black)) {
            // The journal has what `match` has written, so a game that cannot be read is not looked for.
            let read = || PgnReader::new(game.pgn.as_bytes()).next()?.ok();
            let moves = self.repeats.as_ref().and_then(|_| read());
            let (white, black) = (settings.label(game.white), settings.label(game.black));
            self.add(white, black, game.score(game.white), moves.as_ref());
        }
        Ok(())
    }

    fn read_pgn(&mut self, path: &Path, file: impl Read, interrupt: &Interrupt) -> anyhow::Result<()> {
        for game in PgnReader::new(BufReader::new(file)) {
            if interrupt.is_set() {
                break;
            }
            let game = match game {
                Err(error) if !hides_games(&error.kind) => {
                    note!("warning: a game of '{}' does not count: {error}", path.display());
                    continue;
                }
                game => game.with_context(|| format!("invalid PGN '{}'", path.display()))?,
            };
            let tag = |name: &str| game.tag(name).map(str::to_owned);
            let (Some(white), Some(black)) = (tag("White"), tag("Black")) else { continue };
            let score = match game.result {
                GameResult::WhiteWins => GameScore::Win,
                GameResult::BlackWins => GameScore::Loss,
                GameResult::Draw => GameScore::Draw,
                GameResult::Unknown => continue,
            };
            self.add(white, black, score, Some(&game));
        }
        Ok(())
    }
}

/// Whether games may stand behind a fault that are not read: those of a comment without end.
fn hides_games(fault: &PgnErrorKind) -> bool {
    matches!(fault, PgnErrorKind::Io(_) | PgnErrorKind::UnterminatedComment | PgnErrorKind::TooLong)
}

/// Whether a file is a PGN file, by its name or its beginning. Otherwise it is a journal.
///
/// # Errors
/// If it is neither.
fn is_pgn(path: &Path, start: &[u8]) -> anyhow::Result<bool> {
    if bartizan_files::has_extension(path, "pgn") || !start.is_empty() && begins_like_pgn(start) {
        return Ok(true);
    }
    let is_journal = start.is_empty() || start.starts_with(b"{");
    ensure!(is_journal, "'{}' is neither a journal of 'match' nor a PGN file", path.display());
    Ok(false)
}
