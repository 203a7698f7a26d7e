//! `bench` and `speedtest`: nodes and speed on fixed positions.

use super::{ConsoleError, parse, parse_in};
use crate::words::words;
use crate::{FrontEnd, Output, Session};
use bartizan_engine::bench::{self, BenchResult};
use bartizan_engine::{Limits, NAME, Options, Perft, PerftError};
use bartizan_notation::list;
use bartizan_position::{Position, Tolerance};
use bartizan_types::Excerpt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(super) const BENCH_ARGUMENTS: &str = "[HASH [THREADS [LIMIT [FILE [TYPE]]]]]";

const HASH_SIZE: &str = "a hash size in MiB from 1 to 33554432";
const NUMBER_OF_THREADS: &str = "a number of threads from 1 to 1024";

// The texts name these ranges.
const _: () = assert!(*Options::HASH_MIB.start() == 1 && *Options::HASH_MIB.end() == 33_554_432);
const _: () = assert!(*Options::THREADS.start() == 1 && *Options::THREADS.end() == 1_024);

pub(super) fn bench<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let mut options = evaluation_of(session);
    let output = &mut session.output;
    let mut words = words(arguments);
    options.hash_mib = parse_in("bench", words.next(), &Options::HASH_MIB, HASH_SIZE)?.unwrap_or(bench::HASH);
    options.threads = parse_in("bench", words.next(), &Options::THREADS, NUMBER_OF_THREADS)?.unwrap_or(1);
    let limit: u64 = parse("bench", words.next(), "a limit")?.unwrap_or(u64::from(bench::DEPTH));
    let file = match words.next() {
        None | Some("default") => None,
        Some(path) => {
            let path = PathBuf::from(path);
            let text = crate::files::read(&path).and_then(|bytes| Ok(list::decode_file(&bytes)?.into_owned()));
            Some(text.map_err(|source| ConsoleError::Io { path, source })?)
        }
    };
    let positions: Vec<&str> =
        file.as_deref().map_or_else(|| bench::positions().collect(), |text| fens(text).collect());
    let depth = u32::try_from(limit).unwrap_or(u32::MAX);
    let limits = match words.next() {
        None | Some("depth") => Limits::depth(depth),
        Some("nodes") => Limits::nodes(limit),
        Some("movetime") => Limits::move_time(Duration::from_millis(limit)),
        Some("perft") => return bench_perft(output, positions, depth),
        Some(word) => {
            let expected = "one of depth, nodes, movetime, perft";
            return Err(ConsoleError::Argument { command: "bench", word: Excerpt::new(word).to_string(), expected });
        }
    };
    let progress = |fen: &str, nodes: u64| output.line(format_args!("{nodes:>10}  {fen}"));
    let result = bench::run(positions.into_iter(), options, &limits, progress)?;
    report(output, result);
    Ok(())
}

fn bench_perft(output: &mut Output, positions: Vec<&str>, depth: u32) -> Result<(), ConsoleError> {
    if depth > Perft::MAX_DEPTH {
        return Err(PerftError::Depth { depth }.into());
    }
    let mut result = BenchResult::default();
    for (index, fen) in positions.into_iter().enumerate() {
        let position = Position::from_fen_with(fen, Tolerance::ALL)
            .map_err(|source| ConsoleError::Position { number: index + 1, source })?;
        let start = Instant::now();
        let leaves = bartizan_position::perft(&position, depth);
        result.time += start.elapsed();
        result.nodes += leaves;
        output.line(format_args!("{leaves:>10}  {fen}"));
    }
    report(output, result);
    Ok(())
}

pub(super) fn speedtest<F: FrontEnd>(front: &mut F, arguments: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    let mut options = evaluation_of(session);
    let output = &mut session.output;
    let mut words = arguments.split_whitespace();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads: usize = parse_in("speedtest", words.next(), &Options::THREADS, NUMBER_OF_THREADS)?.unwrap_or(cores);
    let hash =
        parse_in("speedtest", words.next(), &Options::HASH_MIB, HASH_SIZE)?.unwrap_or(128 * threads.clamp(1, 1_024));
    let seconds: u64 = parse("speedtest", words.next(), "a number of seconds")?.unwrap_or(20);
    (options.threads, options.hash_mib) = (threads, hash);
    let positions = bench::positions().count().max(1) as u64;
    let limits = Limits::move_time(Duration::from_millis(seconds.max(1).saturating_mul(1_000) / positions));
    output.line(format_args!("{NAME}: {threads} threads, {hash} MiB hash, {seconds} s"));
    let result = bench::run(bench::positions(), options, &limits, |_, _| {})?;
    report(output, result);
    Ok(())
}

/// The default options, with the chosen evaluation.
fn evaluation_of(session: &Session) -> Options {
    let mut options = Options::default();
    let chosen = &session.config().engine;
    (options.evaluation, options.eval_file) = (chosen.evaluation, chosen.eval_file.clone());
    options
}

fn report(output: &mut Output, result: BenchResult) {
    // The first line is for clients written for Stockfish, the last one for OpenBench.
    output.line(format_args!("Nodes/second    : {}\n{} nodes {} nps", result.nps(), result.nodes, result.nps()));
}

/// The positions of a file, one per line, as FEN or EPD; EPD operations are ignored.
fn fens(text: &str) -> impl Iterator<Item = &str> {
    list::records(text).map(|(_, line)| {
        let counters = line.split_whitespace().skip(4).take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
        // Operations may follow the four fields of an EPD, and the six of a FEN in perft suites.
        if counters == 1 { line } else { first_words(line, 4 + counters) }
    })
}

fn first_words(line: &str, count: usize) -> &str {
    let mut rest = line;
    for _ in 0..count {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
    }
    &line[..line.len() - rest.len()]
}
