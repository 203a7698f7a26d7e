//! `book build`: builds a book from games.

use super::Output;
use crate::files;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use anyhow::{Context, bail};
use bartizan_book::{BuildCounts, BuildOptions, Builder};
use bartizan_notation::pgn::{PgnErrorKind, PgnReader};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

const EXAMPLE: &str = "\
Weights:
  A move weighs two points for each win of the side that played it and one for each draw. In the file of --annotated,
  'weight: N' in a comment sets the weight to N percent of the greatest one of the position; !! means the greatest,
  ! half more, !? a quarter more, ? and ?? never; an evaluation such as += at the end of a line weighs the line's moves.

Example:
  bartizan-tools book build --annotated main-lines.pgn games.pgn --min-count 5 --max-ply 30 --out openings.bin";

/// Number of broken games that are printed; further ones are only counted.
const SHOWN: u64 = 10;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Games in PGN; '-' is standard input
    #[arg(value_name = "PGN", required_unless_present = "annotated")]
    games: Vec<PathBuf>,
    /// Hand-made lines in PGN, with variations, weights and glyphs; all their moves are in the book
    #[arg(long, value_name = "PGN")]
    annotated: Option<PathBuf>,
    /// Book to write (Polyglot format); FILE.json beside it records the sources, their hashes and the options
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games in which a move must have been played
    #[arg(long, value_name = "GAMES", default_value_t = 3)]
    min_count: u32,
    /// Number of plies of each game that count
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    max_ply: usize,
    /// Rating that both players must have, by the tags WhiteElo and BlackElo
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    min_rating: u32,
    /// Memory for counting; beyond it, moves are sorted in temporary files beside the book
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

/// What was read from a file.
struct Source {
    name: String,
    bytes: u64,
    sha256: String,
}

impl Source {
    fn to_json(&self) -> Value {
        json!({ "file": self.name, "bytes": self.bytes, "sha256": self.sha256 })
    }
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut options = BuildOptions::default();
    options.min_count = args.min_count;
    options.max_ply = args.max_ply;
    options.min_rating = args.min_rating;
    options.memory = usize::try_from(args.memory << 20).unwrap_or(usize::MAX);
    let mut output = Output::create(&args.out)?;
    let mut builder = Builder::new(options, folder);
    let mut annotated = None;
    if let Some(path) = &args.annotated {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
        builder.annotate(&String::from_utf8_lossy(&bytes)).with_context(|| format!("'{}'", path.display()))?;
        let sha256 = hex(&Sha256::digest(&bytes));
        annotated = Some(Source { name: path.display().to_string(), bytes: bytes.len() as u64, sha256 });
    }
    let sizes = args.games.iter().map(|path| std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let bar = ProgressBar::new(sizes.sum());
    let template = "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left";
    bar.set_style(ProgressStyle::with_template(template).context("progress style")?);
    let mut reading = Reading { builder, bar, interrupt, games: 0, broken: 0 };
    let sources = args.games.iter().map(|path| reading.read(path)).collect::<anyhow::Result<Vec<Source>>>()?;
    let Reading { builder, bar, games, broken, .. } = reading;
    bar.finish_and_clear();
    let mut hash = Sha256::new();
    let written = builder.finish(|entry| {
        hash.update(entry.to_bytes());
        output.write(entry)
    });
    let counts = written.with_context(|| format!("cannot build '{}'", args.out.display()))?;
    if interrupt.is_set() {
        bail!(Interrupted(format!("after {games} games; no book is written")));
    }
    output.commit()?;
    let record = record(args, annotated.as_ref(), &sources, &counts, broken, &hex(&hash.finalize()));
    files::replace(&record_path(&args.out), format!("{}\n", serde_json::to_string_pretty(&record)?).as_bytes())?;
    let BuildCounts { games, below_rating, plies, moves, positions, entries, .. } = counts;
    say!("{games} games, {plies} plies, {moves} different moves")?;
    if below_rating > 0 {
        say!("{below_rating} games below the rating")?;
    }
    if broken > 0 {
        say!("{broken} broken games skipped")?;
    }
    say!("{}: {positions} positions, {entries} moves", args.out.display())?;
    Ok(())
}

/// The record of a book lies beside it.
fn record_path(book: &Path) -> PathBuf {
    let mut name: OsString = book.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

fn record(
    args: &Args,
    annotated: Option<&Source>,
    sources: &[Source],
    counts: &BuildCounts,
    broken: u64,
    sha256: &str,
) -> Value {
    json!({
        "program": concat!("bartizan-tools ", env!("CARGO_PKG_VERSION")),
        "book": { "file": args.out.display().to_string(), "bytes": counts.entries * 16, "sha256": sha256 },
        "annotated": annotated.map(Source::to_json),
        "sources": sources.iter().map(Source::to_json).collect::<Vec<_>>(),
        "options": { "min_count": args.min_count, "max_ply": args.max_ply, "min_rating": args.min_rating },
        "games": counts.games,
        "games_below_rating": counts.below_rating,
        "games_broken": broken,
        "plies": counts.plies,
        "positions": counts.positions,
        "moves": counts.entries,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The state of reading several files.
struct Reading<'a> {
    builder: Builder,
    bar: ProgressBar,
    interrupt: &'a Interrupt,
    games: u64,
    broken: u64,
}

impl Reading<'_> {
    fn read(&mut self, path: &Path) -> anyhow::Result<Source> {
        let name = path.display().to_string();
        let input: Box<dyn Read> = if name == "-" {
            Box::new(std::io::stdin())
        } else {
            Box::new(File::open(path).with_context(|| format!("cannot read '{name}'"))?)
        };
        let mut hashing = Hashing { input, hash: Sha256::new(), bytes: 0, bar: self.bar.clone() };
        // What a game has beyond its last ply is not checked.
        let reader = PgnReader::new(BufReader::with_capacity(1 << 16, &mut hashing)).max_plies(self.max_ply());
        for game in reader {
            match game {
                Ok(game) => self.builder.add_game(&game).context("cannot write a temporary file")?,
                Err(error) if matches!(error.kind, PgnErrorKind::Io(_)) => {
                    return Err(anyhow::Error::new(error).context(format!("cannot read '{name}'")));
                }
                Err(error) => {
                    self.broken += 1;
                    if self.broken <= SHOWN {
                        self.bar.suspend(|| note!("warning: '{name}': {error}, skipped"));
                    }
                }
            }
            self.games += 1;
            if self.games.is_multiple_of(1_000) {
                self.bar.set_message(format!("{} games", self.games));
                if self.interrupt.is_set() {
                    self.bar.finish_and_clear();
                    bail!(Interrupted(format!("after {} games; no book is written", self.games)));
                }
            }
        }
        Ok(Source { name, bytes: hashing.bytes, sha256: hex(&hashing.hash.finalize()) })
    }

    fn max_ply(&self) -> usize {
        self.builder.options().max_ply
    }
}

/// Hashes and counts what is read.
struct Hashing {
    input: Box<dyn Read>,
    hash: Sha256,
    bytes: u64,
    bar: ProgressBar,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.hash.update(&buffer[..count]);
        self.bytes += count as u64;
        self.bar.set_position(self.bytes);
        Ok(count)
    }
}
