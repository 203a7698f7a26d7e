//! Counts the positions of `testdata/perft` and compares the counts:
//! `cargo run --release -p bartizan-position --example perft_suite`
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command-line program prints its results.

use bartizan_position::{Position, Tolerance, perft};
use bartizan_testkit::{PERFT_SUITES, PerftCase, perft_suite};
use clap::Parser;
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The number of positions between two progress messages.
const PROGRESS_STEP: usize = 500;

/// Count the positions of testdata/perft and compare the counts
#[derive(Debug, Parser)]
struct Args {
    /// Skip counts of more than this number of leaves
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    max_leaves: u64,
    /// File of testdata/perft without `.txt`, may be repeated [default: all]
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = PERFT_SUITES)]
    file: Vec<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

/// The counts so far.
#[derive(Debug, Default)]
struct Tally {
    lines: usize,
    counts: usize,
    leaves: u64,
    /// Wrong counts, and positions that are rejected.
    mismatches: usize,
}

impl Tally {
    /// Counts one position at every depth with at most `max_leaves` leaves.
    fn count(&mut self, case: &PerftCase, max_leaves: u64) {
        self.lines += 1;
        let position = match Position::from_fen_with(&case.fen, tolerance(&case.file)) {
            Ok(position) => position,
            Err(error) => return self.report(case, &format!("rejected: {error}")),
        };
        for (depth, expected) in case.up_to(max_leaves) {
            let got = perft(&position, depth);
            self.counts += 1;
            self.leaves += got;
            if got != expected {
                self.report(case, &format!("depth {depth}, expected {expected}, got {got}"));
            }
        }
    }

    /// Counts a mismatch, and prints it at once, because the run may be long.
    fn report(&mut self, case: &PerftCase, what: &str) {
        eprintln!("{}:{}: {}: {what}", case.file, case.line, case.fen);
        self.mismatches += 1;
    }

    fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.counts += other.counts;
        self.leaves += other.leaves;
        self.mismatches += other.mismatches;
    }
}

/// Some tricky positions are intentionally impossible: no move can lead to their checks or en passant square. In other
/// files, no position may be rejected.
fn tolerance(file: &str) -> Tolerance {
    let impossible_too = file == "perft/tricky.txt";
    Tolerance { en_passant: impossible_too, checks: impossible_too, ..Tolerance::NONE }
}

/// Counts all positions on several threads.
fn count_all(cases: &[PerftCase], max_leaves: u64, threads: usize) -> Tally {
    let done = AtomicUsize::new(0);
    let tallies = bartizan_parallel::map(cases, threads, |case| {
        let mut tally = Tally::default();
        tally.count(case, max_leaves);
        // Relaxed: only for the messages.
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(PROGRESS_STEP) {
            eprintln!("{done} of {} positions", cases.len());
        }
        tally
    });
    let mut total = Tally::default();
    tallies.into_iter().for_each(|tally| total.add(tally));
    total
}

fn main() -> ExitCode {
    let args = Args::parse();
    let names = if args.file.is_empty() { PERFT_SUITES.map(str::to_owned).to_vec() } else { args.file };
    let cases: Vec<PerftCase> = names.iter().flat_map(|name| perft_suite(name)).collect();
    let threads = args.threads.unwrap_or_else(bartizan_parallel::cores).get();

    let start = Instant::now();
    let Tally { lines, counts, leaves, mismatches } = count_all(&cases, args.max_leaves, threads);
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{seconds:.1} s, {:.0} million leaves/s", leaves as f64 / seconds / 1e6);

    println!("{lines} lines, {counts} counts, {leaves} leaves, {mismatches} mismatches");
    if leaves == 0 {
        eprintln!("error: nothing to count with at most {} leaves (--max-leaves)", args.max_leaves);
    }
    if mismatches == 0 && leaves > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
