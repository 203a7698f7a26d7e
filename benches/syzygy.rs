//! WDL probes compared with those of shakmaty-syzygy, for callgrind and for timing: `cargo run --release --example
//! syzygy -- bartizan|shakmaty|mapped FOLDER POSITIONS ROUNDS`.
//!
//! `POSITIONS` is a file of positions in the format of `testdata/syzygy/golden.txt`. With 0 rounds it only loads, which
//! is the cost to subtract. `mapped` is shakmaty-syzygy with memory-mapped files, which needs `unsafe`.
#![allow(clippy::unwrap_used)] // A test reports by panicking.

use bartizan_position::{Position, Tolerance};
use bartizan_tablebase::Tablebases;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::Tablebase;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, which, folder, positions, rounds] = &arguments[..] else {
        panic!("bartizan|shakmaty|mapped FOLDER POSITIONS ROUNDS")
    };
    let rounds: usize = rounds.parse().unwrap();
    let text = std::fs::read_to_string(positions).unwrap();
    let fens: Vec<&str> = text.lines().filter_map(|line| line.split(';').next()).collect();
    let mut sum = 0_i64;
    let start;
    match which.as_str() {
        "bartizan" => {
            let tables = Tablebases::open_folders(&[folder]).unwrap();
            let positions: Vec<Position> =
                fens.iter().map(|fen| Position::from_fen_with(fen, Tolerance::ALL).unwrap()).collect();
            sum += positions.iter().filter(|position| tables.search_wdl(position).is_some()).count() as i64;
            start = Instant::now();
            for position in positions.iter().cycle().take(rounds * positions.len()) {
                sum += tables.search_wdl(position).map_or(0, |wdl| i64::from(wdl.to_int()));
            }
        }
        "shakmaty" | "mapped" => {
            let mut tables = match which.as_str() {
                "shakmaty" => Tablebase::new(),
                // SAFETY: nothing changes the files meanwhile.
                _ => unsafe { Tablebase::with_mmap_filesystem() },
            };
            tables.add_directory(folder).unwrap();
            let positions: Vec<Chess> = fens
                .iter()
                .map(|fen| fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap())
                .collect();
            sum += positions.iter().filter(|position| tables.probe_wdl_after_zeroing(*position).is_ok()).count() as i64;
            start = Instant::now();
            for position in positions.iter().cycle().take(rounds * positions.len()) {
                sum += tables.probe_wdl_after_zeroing(position).map_or(0, |wdl| wdl as i64);
            }
        }
        other => panic!("unknown library '{other}'"),
    }
    let (probes, seconds) = (rounds * fens.len(), start.elapsed().as_secs_f64());
    println!("{which}: {probes} probes in {seconds:.3} s, sum {sum}");
}
