//! Writes the table of openings to `OUT_DIR`: the lines of `eco.tsv`, and the keys of all positions on them in
//! ascending order, each with the line that names it. With the feature `compact`, it writes only the lines, as columns.
//!
//! It fails if a line is not legal or if two lines lead to one position. `testdata/eco/SOURCE.md` tells how `eco.tsv`
//! is made.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "src/eco/columns.rs"]
mod columns;
#[path = "src/eco/compile.rs"]
mod compile;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/eco/columns.rs");
    println!("cargo::rerun-if-changed=src/eco/compile.rs");
    println!("cargo::rerun-if-changed=eco.tsv");

    let text = fs::read_to_string("eco.tsv").unwrap_or_else(|error| panic!("cannot read eco.tsv: {error}"));
    let lines = compile::compile(&text).unwrap_or_else(|fault| panic!("eco.tsv: {fault}"));
    if env::var_os("CARGO_FEATURE_COMPACT").is_some() {
        let columns = columns::pack(&text);
        assert!(columns::unpack(&columns) == text, "eco.tsv has lines that columns do not hold");
        return write_file("openings.txt", columns);
    }

    let mut out = String::new();
    let mut write = |text: std::fmt::Arguments<'_>| out.write_fmt(text).expect("writing to a string cannot fail");
    write(format_args!("static OPENINGS: [Opening; {}] = [\n", lines.len()));
    for line in &lines {
        let (code, name, moves) = (line.code, line.name, line.moves);
        write(format_args!("Opening {{ code: {code:?}, name: {name:?}, moves: {moves:?} }},\n"));
    }
    let names = compile::names(&lines);
    write(format_args!("];\nstatic KEYS: [(u64, u16); {}] = [\n", names.len()));
    for (key, index) in &names {
        write(format_args!("({key:#018x}, {index}),\n"));
    }
    // Where the keys with the same first bits begin.
    const BUCKET_BITS: u32 = 12;
    const SHIFT: u32 = u64::BITS - BUCKET_BITS;
    write(format_args!(
        "];\nconst BUCKET_SHIFT: u32 = {SHIFT};\nstatic BUCKETS: [u16; {}] = [\n",
        (1 << BUCKET_BITS) + 1
    ));
    for bucket in 0..=1_u64 << BUCKET_BITS {
        let before = names.keys().take_while(|&key| key >> SHIFT < bucket).count();
        write(format_args!("{before},\n"));
    }
    let fewest = lines.iter().map(|line| line.pieces).min().unwrap_or(0);
    write(format_args!("];\npub(super) const FEWEST_PIECES: u32 = {fewest};\n"));

    write_file("openings.rs", out);
}

fn write_file(name: &str, text: String) {
    let path = Path::new(&env::var("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
