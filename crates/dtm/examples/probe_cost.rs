//! Measures the cost of probing the distance-to-mate tables at random positions of some endings: `cargo run --release
//! -p bartizan-dtm --example probe_cost -- TABLES [ENDING]...`.
//!
//! TABLES is a folder written by `bartizan-tools tb generate`; the default endings are KQKR and KQKP. The positions are
//! probed with a cache that has their blocks, and with one that has room for a single block. The time is CPU time as
//! reported by Linux, the least of several rounds.
#![allow(clippy::print_stdout)] // A program prints its results.

use bartizan_dtm::{DtmConfig, DtmTables, Endgame};
use bartizan_position::{Position, Setup, Tolerance};
use bartizan_types::{Color, SplitMix64, Square};
use std::hint::black_box;

/// Positions of an ending.
const POSITIONS: usize = 2_000;

/// Rounds of a measurement, of which the fastest counts.
const ROUNDS: usize = 7;

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("expected TABLES [ENDING]...")?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = vec!["KQKR".to_owned(), "KQKP".to_owned()];
    }
    for name in &names {
        let endgame: Endgame = name.parse()?;
        let mut random = SplitMix64::new(1);
        let positions: Vec<Position> =
            std::iter::repeat_with(|| random_position(&endgame, &mut random)).flatten().take(POSITIONS).collect();
        let mut large = DtmConfig::default();
        large.block_cache = 1 << 30;
        let mut none = large;
        none.block_cache = 0;
        let probe = |tables: &DtmTables| -> Result<(), Error> {
            for position in &positions {
                black_box(tables.probe(position)?).ok_or("there is no table of this ending")?;
            }
            Ok(())
        };
        let open = || -> Result<(), Error> {
            black_box(DtmTables::open(&folder)?.probe(&positions[0])?);
            Ok(())
        };
        // Enough calls for a round to take a measurable time, because Linux counts in ticks.
        let first = seconds(open, 200)?;
        let tables = DtmTables::open_with(&[&folder], large)?;
        probe(&tables)?;
        let cached = seconds(|| probe(&tables), 500)?;
        let tables = DtmTables::open_with(&[&folder], none)?;
        let unpacked = seconds(|| probe(&tables), 5)?;
        let each = 1e9 / POSITIONS as f64;
        println!(
            "{name}: opening and the first probe {:.0} µs; a probe {:.0} ns with the block in the cache, \
             {:.1} µs without",
            first * 1e6,
            cached * each,
            unpacked * each / 1e3
        );
    }
    Ok(())
}

/// The least CPU time of one call of `work` in seconds, over some rounds of `calls` calls.
fn seconds(work: impl Fn() -> Result<(), Error>, calls: usize) -> Result<f64, Error> {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = processor_time()?;
        for _ in 0..calls {
            work()?;
        }
        least = least.min((processor_time()? - start) / calls as f64);
    }
    Ok(least)
}

/// The CPU time of this single-threaded program in seconds.
fn processor_time() -> Result<f64, Error> {
    let text = std::fs::read_to_string("/proc/self/schedstat")?;
    Ok(text.split(' ').next().unwrap_or_default().parse::<f64>()? * 1e-9)
}

/// The pieces of an ending on random squares; `None` if the position is illegal.
fn random_position(endgame: &Endgame, random: &mut SplitMix64) -> Option<Position> {
    let mut setup = Setup { turn: Color::ALL[random.below(2)], ..Setup::EMPTY };
    for color in Color::ALL {
        for piece in endgame.material().side(color) {
            let square = Square::ALL[random.below(64)];
            if setup.board[square.index()].replace(piece.of(color)).is_some() {
                return None;
            }
        }
    }
    setup.validate(Tolerance::ALL).ok()
}
