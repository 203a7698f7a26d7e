//! Writes the attack tables to `OUT_DIR`: slider attacks, indexed by magic multiplication or, if the target has BMI2,
//! by PEXT; the squares between two squares; the line through two squares.
//!
//! The magic constants come from `src/magics.txt`, which `cargo xtask magics` writes. The script computes the attacks
//! of every subset of blockers square by square. It fails if a constant maps two subsets with different attacks to one
//! index.

use bartizan_types::{Bitboard, Direction, Square, rays};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[path = "src/slow_pext.rs"]
mod slow_pext;

/// How a set of relevant blockers is mapped to an index.
#[derive(Clone, Copy, PartialEq)]
enum Indexing {
    Magic,
    Pext,
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/magics.txt");
    println!("cargo::rerun-if-changed=src/slow_pext.rs");
    println!("cargo::rustc-check-cfg=cfg(bartizan_pext)");

    // Only this script decides, so that the tables and the code that reads them always agree.
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let x86_64 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let indexing = if x86_64 && features.split(',').any(|feature| feature == "bmi2") && !is_built_for_slow_pext() {
        println!("cargo::rustc-cfg=bartizan_pext");
        Indexing::Pext
    } else {
        Indexing::Magic
    };

    let mut out = String::new();
    let mut table = Vec::new();
    write_sliders(&mut out, &mut table, "ROOK", &Direction::ROOK, &magics(1), indexing);
    write_sliders(&mut out, &mut table, "BISHOP", &Direction::BISHOP, &magics(2), indexing);
    write_words(&mut out, "SLIDER_ATTACKS", &table);
    write_pairs(&mut out, "BETWEEN", between);
    write_pairs(&mut out, "LINE", line);
    write_diagonals(&mut out);

    let path = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join("tables.rs");
    fs::write(&path, out).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// Whether the processor that the compiler's flags ask for executes PEXT slowly.
fn is_built_for_slow_pext() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    match slow_pext::asked_for(&flags) {
        Some("native") => {
            let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let processors = Command::new(compiler).args(["--print", "target-cpus"]).output();
            processors.is_ok_and(|output| {
                slow_pext::native(&String::from_utf8_lossy(&output.stdout)).is_some_and(slow_pext::is_slow)
            })
        }
        processor => processor.is_some_and(slow_pext::is_slow),
    }
}

/// The magic constants in a column of the file, a1 first.
fn magics(column: usize) -> Vec<u64> {
    let lines = include_str!("src/magics.txt").lines().filter(|line| !line.starts_with('#'));
    let number =
        |line: &str| u64::from_str_radix(&line.split(' ').nth(column)?.strip_prefix("0x")?.replace('_', ""), 16).ok();
    lines.map(|line| number(line).unwrap_or_else(|| panic!("magics.txt: {line}"))).collect()
}

fn write_sliders(
    out: &mut String,
    table: &mut Vec<u64>,
    name: &str,
    directions: &[Direction],
    magics: &[u64],
    indexing: Indexing,
) {
    writeln!(out, "pub(crate) static {name}S: [Slider; 64] = [").unwrap();
    for square in Square::ALL {
        let mask = rays::relevant_blockers(square, directions);
        let magic = magics[square.index()];
        let shift = 64 - mask.count();
        let offset = table.len();
        table.resize(offset + (1 << mask.count()), 0);
        let mut filled = vec![false; 1 << mask.count()];
        for (ordinal, blockers) in mask.subsets().enumerate() {
            let index = match indexing {
                // The carry-rippler enumerates the subsets in the order of their PEXT indices.
                Indexing::Pext => ordinal,
                Indexing::Magic => (blockers.0.wrapping_mul(magic) >> shift) as usize,
            };
            let attacks = rays::slider_attacks(square, directions, blockers).0;
            assert!(
                !filled[index] || table[offset + index] == attacks,
                "{name} magic {magic:#018x} of {square} maps two sets of blockers with different attacks to one index: \
                 run `cargo xtask magics`"
            );
            filled[index] = true;
            table[offset + index] = attacks;
        }
        match indexing {
            Indexing::Pext => writeln!(out, "Slider {{ mask: {:#x}, offset: {offset} }},", mask.0),
            Indexing::Magic => {
                writeln!(out, "Slider {{ mask: {:#x}, magic: {magic:#x}, shift: {shift}, offset: {offset} }},", mask.0)
            }
        }
        .unwrap();
    }
    writeln!(out, "];").unwrap();
}

fn write_words(out: &mut String, name: &str, words: &[u64]) {
    writeln!(out, "pub(crate) static {name}: [u64; {}] = [", words.len()).unwrap();
    for row in words.chunks(16) {
        for word in row {
            write!(out, "{word:#x},").unwrap();
        }
        out.push('\n');
    }
    writeln!(out, "];").unwrap();
}

fn write_pairs(out: &mut String, name: &str, f: fn(Square, Square) -> Bitboard) {
    writeln!(out, "pub(crate) static {name}: [[u64; 64]; 64] = [").unwrap();
    for a in Square::ALL {
        out.push('[');
        for b in Square::ALL {
            write!(out, "{:#x},", f(a, b).0).unwrap();
        }
        out.push_str("],\n");
    }
    writeln!(out, "];").unwrap();
}

fn write_diagonals(out: &mut String) {
    writeln!(out, "pub(crate) static DIAGONALS: [[u64; 2]; 64] = [").unwrap();
    for square in Square::ALL {
        let [rising, falling] =
            [[Direction::NorthEast, Direction::SouthWest], [Direction::NorthWest, Direction::SouthEast]]
                .map(|diagonal| (rays::slider_attacks(square, &diagonal, Bitboard::EMPTY) | square.bitboard()).0);
        writeln!(out, "[{rising:#x}, {falling:#x}],").unwrap();
    }
    writeln!(out, "];").unwrap();
}

/// The direction from `a` to `b` if a queen could go there on an empty board.
fn direction(a: Square, b: Square) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&d| rays::slider_attacks(a, &[d], Bitboard::EMPTY).contains(b))
}

fn between(a: Square, b: Square) -> Bitboard {
    direction(a, b).map_or(Bitboard::EMPTY, |d| rays::slider_attacks(a, &[d], b.bitboard()) - b.bitboard())
}

fn line(a: Square, b: Square) -> Bitboard {
    direction(a, b).map_or(Bitboard::EMPTY, |d| {
        let (files, ranks) = d.offset();
        let opposite = Direction::ALL.into_iter().find(|o| o.offset() == (-files, -ranks));
        let both = [d, opposite.expect("each direction has an opposite")];
        rays::slider_attacks(a, &both, Bitboard::EMPTY) | a.bitboard()
    })
}
