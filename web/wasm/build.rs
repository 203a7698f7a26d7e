//! Writes the table of openings to `OUT_DIR` as columns, which compress better than its lines: 39 KB in place of 52.

#[path = "src/rules/columns.rs"]
mod columns;

use std::path::Path;
use std::{env, fs};

const TABLE: &str = "../../crates/book/eco.tsv";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/rules/columns.rs");
    println!("cargo::rerun-if-changed={TABLE}");
    let text = fs::read_to_string(TABLE).unwrap_or_else(|error| panic!("cannot read {TABLE}: {error}"));
    let columns = pack(&text);
    assert!(columns::unpack(&columns) == text, "the table has lines that columns do not hold");
    let path = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("openings.txt");
    fs::write(&path, columns).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// The inverse of [`columns::unpack`].
fn pack(text: &str) -> String {
    let mut columns = [String::new(), String::new(), String::new()];
    let mut before: Vec<&str> = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [code, name, moves] = fields[..] else { panic!("expected three fields: {line}") };
        let moves: Vec<&str> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
        let shared = before.iter().zip(&moves).take_while(|(a, b)| a == b).count();
        let count = columns::COUNTS.as_bytes().get(shared).expect("the lines of openings are short");
        let rest = format!("{}{}", char::from(*count), moves[shared..].join(" "));
        for (column, field) in columns.iter_mut().zip([code, name, &rest]) {
            column.push_str(field);
            column.push('\n');
        }
        before = moves;
    }
    columns.join("\t")
}
