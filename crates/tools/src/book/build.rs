//! `book build`: builds a book from games.

use super::Output;
use crate::files;
use crate::input::{self, Waiting};
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{note, say};
use crate::progress;
use anyhow::{Context, bail};
use bartizan_book::{BuildCounts, BuildOptions, BuildPart, Builder};
use bartizan_notation::epd::Epd;
use bartizan_notation::pgn::{Chunk, Order, PgnError, PgnErrorKind, PgnGame, PgnReader, read_parallel};
use bartizan_position::Position;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
    /// Games in PGN, also .gz, .bz2 and .zst; '-' is standard input
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
    /// Positions to leave out, EPD or FEN: games and lines end before them [default: none]
    #[arg(long, value_name = "FILE")]
    avoid: Option<PathBuf>,
    /// Number of threads that read games; 'auto' is one per core
    #[arg(long, value_name = "N", default_value = "auto", value_parser = crate::threads::parse_threads)]
    threads: NonZeroUsize,
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
        let positions = files::list(&text, position).with_context(|| format!("'{}'", path.display()))?;
        builder.avoid(positions.iter().map(|(_, position)| position));
        avoided = Some(source);
    }
    let mut annotated = None;
    if let Some(path) = &args.annotated {
        let (source, text) = whole(path)?;
        builder.annotate(&text).with_context(|| format!("'{}'", path.display()))?;
        annotated = Some(source);
    }
    let sizes = args.games.iter().map(|path| std::fs::metadata(path).map_or(0, |metadata| metadata.len()));
    let bar = progress::bar(sizes.sum::<u64>(), "{bar:30} {bytes}/{total_bytes}  {msg}  {eta} left", false)?;
    let mut reading = Reading { args, builder, bar, interrupt, games: 0, broken: 0 };
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
    let read = Sources { annotated, avoided, games: sources };
    let record = record(args, &read, &counts, broken, &files::hex(&hash.finalize()));
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

/// Reads a file as a whole.
fn whole(path: &Path) -> anyhow::Result<(Source, String)> {
    let bytes = std::fs::read(path).with_context(|| files::cannot_read(path))?;
    let sha256 = files::hex(&Sha256::digest(&bytes));
    let source = Source { name: path.display().to_string(), bytes: bytes.len() as u64, sha256 };
    Ok((source, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Everything that was read.
struct Sources {
    annotated: Option<Source>,
    avoided: Option<Source>,
    games: Vec<Source>,
}

/// The record of a book lies beside it.
fn record_path(book: &Path) -> PathBuf {
    let mut name: OsString = book.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

fn record(args: &Args, read: &Sources, counts: &BuildCounts, broken: u64, sha256: &str) -> Value {
    json!({
        "program": concat!("bartizan-tools ", env!("CARGO_PKG_VERSION")),
        "book": { "file": args.out.display().to_string(), "bytes": counts.entries * 16, "sha256": sha256 },
        "annotated": read.annotated.as_ref().map(Source::to_json),
        "avoid": read.avoided.as_ref().map(Source::to_json),
        "sources": read.games.iter().map(Source::to_json).collect::<Vec<_>>(),
        "options": { "min_count": args.min_count, "max_ply": args.max_ply, "min_rating": args.min_rating },
        "games": counts.games,
        "games_below_rating": counts.below_rating,
        "games_broken": broken,
        "plies": counts.plies,
        "positions": counts.positions,
        "moves": counts.entries,
    })
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

/// The games of a part of a file.
struct Batch {
    part: BuildPart,
    games: u64,
    errors: Vec<PgnError>,
}

impl Reading<'_> {
    fn read(&mut self, path: &Path) -> anyhow::Result<Source> {
        let name = path.display().to_string();
        let cannot_read = || format!("cannot read '{name}'");
        let source: Box<dyn Read + Send> = if name == "-" {
            Box::new(Waiting::for_standard_input(self.interrupt)?)
        } else {
            input::open(path, self.interrupt).with_context(cannot_read)?
        };
        let seen = Arc::new(Mutex::new(Seen::default()));
        let hashing = Hashing { source, seen: seen.clone(), bar: self.bar.clone(), interrupt: self.interrupt.clone() };
        let read = bartizan_files::decompress(hashing).with_context(cannot_read).and_then(|input| {
            if self.args.threads.get() == 1 { self.read_games(&name, input) } else { self.read_chunks(&name, input) }
        });
        if self.interrupt.is_set() {
            self.bar.finish_and_clear();
            bail!(Interrupted(format!("after {} games; no book is written", self.games)));
        }
        read?;
        let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Source { name, bytes: seen.bytes, sha256: files::hex(&seen.hash.finalize()) })
    }

    /// Reads all games in this thread.
    fn read_games(&mut self, name: &str, input: Box<dyn Read + Send>) -> anyhow::Result<()> {
        // What a game has beyond its last ply is not checked.
        let mut reader = PgnReader::new(input).max_plies(self.args.max_ply);
        let mut game = PgnGame::default();
        while let Some(read) = reader.read_next(&mut game) {
            self.count_games(1);
            match read {
                Ok(()) => self.builder.add_game(&game).context("cannot write a temporary file")?,
                Err(error) => self.report(name, error)?,
            }
        }
        Ok(())
    }

    /// Reads the games in several threads.
    fn read_chunks(&mut self, name: &str, input: Box<dyn Read + Send>) -> anyhow::Result<()> {
        let (empty, max_ply) = (self.builder.part(), self.args.max_ply);
        let work = |chunk: &Chunk| {
            let mut batch = Batch { part: empty.clone(), games: 0, errors: Vec::new() };
            let (mut reader, mut game) = (chunk.games().max_plies(max_ply), PgnGame::default());
            while let Some(read) = reader.read_next(&mut game) {
                batch.games += 1;
                match read {
                    Ok(()) => batch.part.add_game(&game),
                    Err(error) => batch.errors.push(error),
                }
            }
            batch
        };
        let mut before = 0;
        let mut failure = None;
        let read = read_parallel(input, self.args.threads, Order::Kept, work, |Batch { part, games, errors }| {
            if failure.is_some() {
                return;
            }
            self.count_games(games);
            let take = || -> anyhow::Result<()> {
                for mut error in errors {
                    error.game += before;
                    self.report(name, error)?;
                }
                self.builder.add_part(part).context("cannot write a temporary file")
            };
            failure = take().err();
            before += games as usize;
        });
        failure.map_or(Ok(()), Err)?;
        read.with_context(|| format!("cannot read '{name}'"))
    }

    fn count_games(&mut self, games: u64) {
        let before = self.games;
        self.games += games;
        if before / 1_000 < self.games / 1_000 {
            self.bar.set_message(format!("{} games", self.games));
        }
    }

    /// Reports a broken game.
    fn report(&mut self, name: &str, error: PgnError) -> anyhow::Result<()> {
        if matches!(error.kind, PgnErrorKind::Io(_)) {
            return Err(anyhow::Error::new(error).context(format!("cannot read '{name}'")));
        }
        self.broken += 1;
        if self.broken <= SHOWN {
            self.bar.suspend(|| note!("warning: '{name}': {error}, skipped"));
        }
        Ok(())
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
