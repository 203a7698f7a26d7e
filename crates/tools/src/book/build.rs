//! `book build`: builds a book from games.

use super::Output;
use crate::files;
use crate::input::{self, InterruptibleStdin};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, bail};
use bartizan_book::{BuildCounts, BuildError, BuildOptions, Builder};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_notation::pgn::PgnError;
use bartizan_position::Position;
use bartizan_types::Escaped;
use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const EXAMPLE: &str = "\
Weights:
  A move weighs two points for each win of the side that played it and one for
  each draw. In the file of --annotated, 'weight: N' in a comment sets the
  weight to N percent of the position's greatest weight. The glyphs set it as
  well: !! is the greatest weight, ! half more, !? a quarter more, ? and ??
  never. An evaluation such as += at the end of a line weights the moves of the
  line.

Example:
  bartizan-tools book build --annotated main-lines.pgn games.pgn \\
      --min-count 5 --max-ply 30 --out openings.bin";

/// Number of broken games that are reported; further ones are only counted.
const SHOWN: u64 = 10;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Games in PGN, also as .gz, .bz2 or .zst; '-' is standard input
    #[arg(value_name = "PGN", required_unless_present = "annotated")]
    games: Vec<PathBuf>,
    /// Hand-made lines in PGN, with variations, weights and glyphs; all their moves enter the book
    #[arg(long, value_name = "PGN")]
    annotated: Option<PathBuf>,
    /// Output file for the book, in Polyglot format; FILE.json records the sources, their hashes and the options
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Minimum number of games with a move
    #[arg(long, value_name = "GAMES", default_value_t = 3)]
    min_count: u32,
    /// Number of plies to read from each game
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    max_ply: usize,
    /// Minimum rating of both players, from the tags WhiteElo and BlackElo
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    min_rating: u32,
    /// Positions to avoid, EPD or FEN: games and lines end before them [default: none]
    #[arg(long, value_name = "FILE")]
    avoid: Option<PathBuf>,
    /// Number of threads for reading games; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = crate::threads::parse_threads)]
    threads: NonZeroUsize,
    /// Memory for counting; larger inputs are sorted in temporary files next to the book
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Report each file and step
    #[arg(short, long)]
    verbose: bool,
}

impl Args {
    /// Reports what happens next, if wanted.
    fn tell(&self, bar: &ProgressBar, text: impl Display) {
        if self.verbose {
            bar.suspend(|| note!("{text}"));
        }
    }
}

/// What was read from a file.
#[derive(Serialize)]
struct Source {
    file: String,
    bytes: u64,
    sha256: String,
}

pub(super) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<()> {
    let folder = bartizan_files::folder_of(&args.out);
    let mut options = BuildOptions::default();
    options.min_count = args.min_count;
    options.max_ply = args.max_ply;
    options.min_rating = args.min_rating;
    options.memory = usize::try_from(args.memory << 20).unwrap_or(usize::MAX);
    files::refuse_input(&args.out, args.games.iter().chain(&args.annotated).chain(&args.avoid))?;
    let mut output = Output::create(&args.out)?;
    let mut builder = Builder::new(options, folder);
    let mut avoided = None;
    if let Some(path) = &args.avoid {
        let (source, text) = whole(path)?;
        let position = |record: &str| -> anyhow::Result<Position> { Ok(Epd::parse(record)?.position) };
        let positions = files::list(&text, position).with_context(|| format!("'{}'", Escaped(path.display())))?;
        builder.avoid(positions.iter().map(|(_, position)| position));
        avoided = Some(source);
    }
    let hidden = ProgressBar::hidden();
    let mut annotated = None;
    if let Some(path) = &args.annotated {
        let name = Escaped(path.display());
        args.tell(&hidden, format_args!("reading hand-made lines in '{name}'"));
        let (source, text) = whole(path)?;
        let moves = builder.annotate(&text).with_context(|| format!("'{name}'"))?;
        args.tell(&hidden, format_args!("'{name}': {moves} different moves"));
        annotated = Some(source);
    }
    let sizes = args.games.iter().map(|path| std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let bar = progress::bar(sizes.sum::<u64>(), "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left", false)?;
    let mut reading = Reading { args, builder, bar, interrupt, games: 0, broken: 0 };
    let sources = args.games.iter().map(|path| reading.read(path)).collect::<anyhow::Result<Vec<Source>>>()?;
    let Reading { builder, bar, games, broken, .. } = reading;
    bar.finish_and_clear();
    args.tell(&hidden, format_args!("all games read; writing '{}'", Escaped(args.out.display())));
    let mut hash = Sha256::new();
    let written = builder.finish(|entry| {
        hash.update(entry.to_bytes());
        output.write(entry)
    });
    let counts = written.with_context(|| format!("cannot build '{}'", Escaped(args.out.display())))?;
    if interrupt.is_set() {
        bail!(Interrupted(format!("after {games} games; no book is written")));
    }
    output.commit()?;
    let BuildCounts { games, below_rating, plies, moves, positions, entries, .. } = counts;
    let sha256 = files::hex(&hash.finalize());
    let record = json!({
        "program": concat!("bartizan-tools ", env!("CARGO_PKG_VERSION")),
        "book": { "file": args.out.to_string_lossy().into_owned(), "bytes": entries * 16, "sha256": sha256 },
        "annotated": annotated,
        "avoid": avoided,
        "sources": sources,
        "options": { "min_count": args.min_count, "max_ply": args.max_ply, "min_rating": args.min_rating },
        "games": games,
        "games_below_rating": below_rating,
        "games_broken": broken,
        "plies": plies,
        "positions": positions,
        "moves": entries,
    });
    files::replace(&record_path(&args.out), format!("{record:#}\n").as_bytes())?;
    say!("{games} games, {plies} plies, {moves} different moves")?;
    if below_rating > 0 {
        say!("{below_rating} games below the rating")?;
    }
    if broken > 0 {
        say!("{broken} broken games skipped")?;
    }
    say!("{}: {positions} positions, {entries} moves", Escaped(args.out.display()))?;
    Ok(())
}

/// Reads a whole file.
fn whole(path: &Path) -> anyhow::Result<(Source, String)> {
    let bytes = bartizan_files::read(path, bartizan_files::MOST_WHOLE).with_context(|| files::cannot_read(path))?;
    let sha256 = files::hex(&Sha256::digest(&bytes));
    let source = Source { file: path.to_string_lossy().into_owned(), bytes: bytes.len() as u64, sha256 };
    let text = list::decode_file(&bytes).with_context(|| files::cannot_read(path))?.into_owned();
    Ok((source, text))
}

/// The record of a book lies beside it.
fn record_path(book: &Path) -> PathBuf {
    let mut name: OsString = book.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// The state of reading several files.
struct Reading<'a> {
    args: &'a Args,
    builder: Builder,
    bar: ProgressBar,
    interrupt: &'a Interrupt,
    games: u64,
    broken: u64,
}

impl Reading<'_> {
    fn read(&mut self, path: &Path) -> anyhow::Result<Source> {
        let name = path.to_string_lossy().into_owned();
        let cannot_read = || format!("cannot read '{name}'");
        self.args.tell(&self.bar, format_args!("reading '{}'", Escaped(&name)));
        let games_before = self.games;
        let source: Box<dyn Read + Send> = if name == "-" {
            Box::new(InterruptibleStdin::for_standard_input(self.interrupt)?)
        } else {
            input::open(path, self.interrupt).with_context(cannot_read)?
        };
        let seen = Arc::new(Mutex::new(Seen::default()));
        let hashing = Hashing { source, seen: seen.clone(), bar: self.bar.clone(), interrupt: self.interrupt.clone() };
        let read = bartizan_files::decompress(hashing).with_context(cannot_read).and_then(|input| {
            let (games, broken, bar) = (&mut self.games, &mut self.broken, &self.bar);
            let report = |read: Result<u64, PgnError>| match read {
                Ok(count) => {
                    let before = *games;
                    *games += count;
                    if before / 1_000 < *games / 1_000 {
                        bar.set_message(format!("{games} games"));
                    }
                }
                Err(error) => {
                    *broken += 1;
                    if *broken <= SHOWN {
                        bar.suspend(|| note!("warning: '{name}': {error}, skipped"));
                    }
                }
            };
            self.builder.read(input, self.args.threads, report).map_err(|error| match error {
                BuildError::Temporary(_) => error.into(),
                error => anyhow::Error::new(error).context(cannot_read()),
            })
        });
        if self.interrupt.is_set() {
            self.bar.finish_and_clear();
            bail!(Interrupted(format!("after {} games; no book is written", self.games)));
        }
        read?;
        self.args.tell(&self.bar, format_args!("'{}': {} games", Escaped(&name), self.games - games_before));
        let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Source { file: name, bytes: seen.bytes, sha256: files::hex(&seen.hash.finalize()) })
    }
}

/// What has been read of a file, before it was decompressed.
#[derive(Default)]
struct Seen {
    hash: Sha256,
    bytes: u64,
}

/// Hashes and counts what is read.
struct Hashing {
    source: Box<dyn Read + Send>,
    seen: Arc<Mutex<Seen>>,
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.interrupt.is_set() {
            return Err(io::Error::other("interrupted"));
        }
        let count = self.source.read(buffer)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.hash.update(&buffer[..count]);
        seen.bytes += count as u64;
        self.bar.set_position(seen.bytes);
        Ok(count)
    }
}
