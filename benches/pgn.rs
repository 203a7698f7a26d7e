//! Compares PGN reading with `pgn-reader` plus `shakmaty`, and with `pgn-extract` if it is installed.
//!
//! `cargo bench --bench pgn -- FILE [ROUNDS]` reads the file with each reader in turn and prints the least CPU time of
//! each in seconds. If other programs are running, the least of many rounds is the reader's real cost. Without a file,
//! it uses two generated files, and prints a table for `docs/measurements.md`.
#![allow(clippy::print_stdout)]

mod pgn_games;

use bartizan_notation::pgn::{
    Chunk, Interest, MoveText, PgnError, PgnErrorKind, PgnGame, PgnParser, PgnReader, ResultOrder, TagValue,
    read_parallel,
};
use bartizan_position::Position;
use pgn_games::Kind;
use pgn_reader::shakmaty::{Chess, Move, Position as _};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus};
use std::error::Error;
use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Reads a file. Returns a checksum: the number of moves, or of tags.
type Work = fn(&str) -> Result<u64, Box<dyn Error>>;

struct Case {
    name: &'static str,
    reader: &'static str,
    work: Work,
}

const CASES: [Case; 8] = [
    Case { name: "tags, moves and comments kept", reader: "bartizan", work: keep_ours },
    Case { name: "tags, moves and comments kept", reader: "pgn-reader", work: keep_theirs },
    Case { name: "moves checked", reader: "bartizan", work: check_ours },
    Case { name: "moves checked", reader: "pgn-reader", work: check_theirs },
    Case { name: "moves checked", reader: "pgn-extract", work: pgn_extract },
    Case { name: "tags only", reader: "bartizan", work: tags_ours },
    Case { name: "tags only", reader: "pgn-reader", work: tags_theirs },
    Case { name: "all kept, two threads", reader: "bartizan", work: keep_ours_with_two_threads },
];

/// The least CPU time and the least wall-clock time of a case in seconds, and the checksum; `None` if it failed.
type Measured = Option<(f64, f64, u64)>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => table(),
        ["--peak", case, file] => peak(case, file),
        [file] => print(file, 10),
        [file, rounds] => print(file, rounds.parse()?),
        _ => Err("expected [FILE [ROUNDS]]".into()),
    }
}

fn print(file: &str, rounds: usize) -> Result<(), Box<dyn Error>> {
    for (Case { name, reader, .. }, measured) in CASES.iter().zip(measure(file, rounds)?) {
        if let Some((processor, clock, sum)) = measured {
            println!("{processor:8.3} s  {clock:8.3} s wall-clock  {reader}, {name} ({sum})");
        }
    }
    Ok(())
}

/// Measures all cases in alternation.
fn measure(file: &str, rounds: usize) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut all: Vec<Measured> = vec![None; CASES.len()];
    let mut failed = vec![false; CASES.len()];
    for _ in 0..rounds {
        for (index, case) in CASES.iter().enumerate().filter(|&(index, _)| !failed[index]).collect::<Vec<_>>() {
            let threads = case.name.contains("threads");
            let (before, started) = (processor_time(threads)?, Instant::now());
            match (case.work)(file) {
                Ok(sum) => {
                    let (processor, clock) = (processor_time(threads)? - before, started.elapsed().as_secs_f64());
                    let (least, shortest, _) = all[index].unwrap_or((f64::INFINITY, f64::INFINITY, 0));
                    all[index] = Some((least.min(processor), shortest.min(clock), sum));
                }
                Err(error) => {
                    failed[index] = true;
                    eprintln!("{}, {}: {error}", case.reader, case.name);
                }
            }
        }
    }
    Ok(all)
}

/// Generates two files, measures, and prints a table.
fn table() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("bartizan-pgn-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let written = write_table(&folder);
    std::fs::remove_dir_all(&folder)?;
    written
}

fn write_table(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut columns = Vec::new();
    let mut heads = Vec::new();
    let mut peaks = Vec::new();
    for (kind, name) in [(Kind::Openings, "openings of 16 plies"), (Kind::Clocks, "whole games with clocks")] {
        let path = folder.join("games.pgn").display().to_string();
        let text = pgn_games::games(kind, 23_000_000)?;
        let games = text.matches("[Event ").count();
        std::fs::write(&path, text)?;
        heads.push(format!("{games} {name}"));
        columns.push(measure(&path, 15)?);
        let peak = |case: &str| Command::new(std::env::current_exe()?).args(["--peak", case, &path]).output();
        peaks
            .push([peak("one")?, peak("two")?].map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()));
    }
    println!("| CPU seconds | reader | {} | {} |\n|---|---|---|---|", heads[0], heads[1]);
    for (index, Case { name, reader, .. }) in CASES.iter().enumerate() {
        let cells: Vec<String> = columns
            .iter()
            .filter_map(|column| column[index])
            .map(|(time, clock, _)| {
                if name.contains("threads") {
                    format!("{time:.3} ({clock:.3} wall-clock)")
                } else {
                    format!("{time:.3}")
                }
            })
            .collect();
        if let [openings, clocks] = &cells[..] {
            println!("| {name} | {reader} | {openings} | {clocks} |");
        }
    }
    for (index, threads) in ["one thread", "two threads"].iter().enumerate() {
        println!("| peak memory, {threads} | bartizan | {} | {} |", peaks[0][index], peaks[1][index]);
    }
    Ok(())
}

/// Prints the peak memory of reading a file.
fn peak(case: &str, file: &str) -> Result<(), Box<dyn Error>> {
    if case == "one" { keep_ours(file) } else { keep_ours_with_two_threads(file) }?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    let kibibytes: f64 = peak.trim().trim_end_matches(" kB").parse()?;
    println!("{:.1} MiB", kibibytes / 1024.0);
    Ok(())
}

/// The CPU time in seconds used by this process and its finished children. With several `threads` it is only known in
/// hundredths of a second.
fn processor_time(threads: bool) -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    // Numbers of `proc(5)`; the name of the program may contain spaces.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or_default();
    let children = (ticks(16) + ticks(17)) * 1e-2;
    if threads {
        return Ok((ticks(14) + ticks(15)) * 1e-2 + children);
    }
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    let own: f64 = text.split(' ').next().unwrap_or_default().parse()?;
    Ok(own * 1e-9 + children)
}

/// The checked reader. The file is reopened in each round, and read from the page cache.
fn keep_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut reader = PgnReader::new(File::open(file)?);
    let mut game = PgnGame::default();
    let mut moves = 0;
    while let Some(read) = reader.read_next(&mut game) {
        read?;
        moves += game.moves.len() as u64;
    }
    Ok(moves)
}

fn keep_ours_with_two_threads(file: &str) -> Result<u64, Box<dyn Error>> {
    let work = |chunk: &Chunk| {
        let mut reader = chunk.games();
        let mut game = PgnGame::default();
        let mut moves = 0;
        while let Some(read) = reader.read_next(&mut game) {
            read?;
            moves += game.moves.len() as u64;
        }
        Ok(moves)
    };
    let mut sum = 0;
    let mut failure: Option<PgnError> = None;
    let threads = NonZeroUsize::MIN.saturating_add(1);
    read_parallel(File::open(file)?, threads, ResultOrder::Kept, work, |moves| match moves {
        Ok(moves) => sum += moves,
        Err(error) => failure = Some(error),
    })?;
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(sum),
    }
}

/// Checks moves. If it `KEEPS` them, it also keeps tags and comments, in reused memory, as [`keep_ours`] does.
#[derive(Default)]
struct Theirs<const KEEPS: bool> {
    tags: Vec<(String, String)>,
    used: usize,
    moves: Vec<(Option<Move>, String)>,
    played: usize,
}

impl<const KEEPS: bool> pgn_reader::Visitor for Theirs<KEEPS> {
    type Tags = ();
    type Movetext = Chess;
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, ()> {
        self.used = 0;
        self.played = 0;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if !KEEPS {
            return ControlFlow::Continue(());
        }
        if self.used == self.tags.len() {
            self.tags.push(Default::default());
        }
        let (old_name, old_value) = &mut self.tags[self.used];
        old_name.clear();
        old_name.push_str(&String::from_utf8_lossy(name));
        old_value.clear();
        old_value.push_str(&value.decode_utf8_lossy());
        self.used += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                if KEEPS {
                    if self.played == self.moves.len() {
                        self.moves.push((None, String::new()));
                    }
                    let (old_move, comment) = &mut self.moves[self.played];
                    *old_move = Some(mv);
                    comment.clear();
                }
                self.played += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn comment(&mut self, _: &mut Chess, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        if let (true, Some(last)) = (KEEPS, self.played.checked_sub(1)) {
            self.moves[last].1.push_str(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) -> Self::Output {
        Ok(self.played as u64)
    }
}

fn keep_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut Theirs::<true>::default())
}

fn theirs<V>(file: &str, visitor: &mut V) -> Result<u64, Box<dyn Error>>
where
    V: pgn_reader::Visitor<Output = Result<u64, String>>,
{
    let mut reader = Reader::new(File::open(file)?);
    let mut sum = 0;
    while let Some(number) = reader.read_game(visitor)? {
        sum += number?;
    }
    Ok(sum)
}

/// Checks moves and keeps nothing.
struct Check {
    position: Position,
    moves: u64,
    failed: bool,
}

impl bartizan_notation::pgn::Visitor for Check {
    type Output = u64;

    fn begin_game(&mut self) {
        self.position.clone_from(Position::startpos_ref());
        self.moves = 0;
    }

    fn san(&mut self, text: MoveText<'_>) -> Result<(), PgnErrorKind> {
        let mv = text.find(&self.position)?;
        self.position.make_unchecked(mv);
        self.moves += 1;
        Ok(())
    }

    fn fault(&mut self, _: PgnError) {
        self.failed = true;
    }

    fn end_game(&mut self) -> u64 {
        self.moves
    }
}

fn check_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut check = Check { position: Position::startpos(), moves: 0, failed: false };
    let mut parser = PgnParser::new(File::open(file)?);
    let mut sum = 0;
    while let Some(moves) = parser.read_game(&mut check)? {
        sum += moves;
    }
    if check.failed { Err("a game has a fault".into()) } else { Ok(sum) }
}

fn check_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut Theirs::<false>::default())
}

/// Counts tags and skips the movetext.
struct Tags(u64);

impl bartizan_notation::pgn::Visitor for Tags {
    type Output = ();

    fn tag(&mut self, _: &str, value: TagValue<'_>) -> Result<(), PgnErrorKind> {
        self.0 += u64::from(!value.as_bytes().is_empty());
        Ok(())
    }

    fn begin_moves(&mut self) -> Result<Interest, PgnErrorKind> {
        Ok(Interest::Skip)
    }

    fn san(&mut self, _: MoveText<'_>) -> Result<(), PgnErrorKind> {
        Ok(())
    }

    fn end_game(&mut self) {}
}

fn tags_ours(file: &str) -> Result<u64, Box<dyn Error>> {
    let mut tags = Tags(0);
    let mut parser = PgnParser::new(File::open(file)?);
    while parser.read_game(&mut tags)?.is_some() {}
    Ok(tags.0)
}

impl pgn_reader::Visitor for Tags {
    type Tags = u64;
    type Movetext = ();
    type Output = Result<u64, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, u64> {
        ControlFlow::Continue(0)
    }

    fn tag(&mut self, tags: &mut u64, _: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        *tags += u64::from(!value.as_bytes().is_empty());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: u64) -> ControlFlow<Self::Output, ()> {
        ControlFlow::Break(Ok(tags))
    }

    fn end_game(&mut self, (): ()) -> Self::Output {
        Ok(0)
    }
}

fn tags_theirs(file: &str) -> Result<u64, Box<dyn Error>> {
    theirs(file, &mut Tags(0))
}

fn pgn_extract(file: &str) -> Result<u64, Box<dyn Error>> {
    // Debian installs it outside the search path of services.
    let path = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let status =
        Command::new("pgn-extract").args(["-s", "-r", file]).env("PATH", path).stderr(Stdio::null()).status()?;
    if status.success() { Ok(0) } else { Err(status.to_string().into()) }
}
