//! Openings.
//!
//! The tables of `bartizan-book` are for speed: compressed, they take 140 KB, and the text that they are made of 39 KB.
//! Here they are made in 50 ms when an opening is first asked for.

// What makes the tables of `bartizan-book`.
#[path = "../../../../crates/book/src/eco/compile.rs"]
mod compile;

use super::columns;
use super::failure::{Failure, json};
use super::position::known;
use bartizan_types::Key;
use compile::Line;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Default)]
struct Table {
    lines: Vec<Line<'static>>,
    /// The keys of all positions, each with the line that names it.
    names: BTreeMap<u64, usize>,
}

/// Building `bartizan-book` checks the text: it has no faults.
fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The lines live as long as the module.
        let text = columns::unpack(include_str!(concat!(env!("OUT_DIR"), "/openings.txt"))).leak();
        let lines = compile::compile(text).unwrap_or_default();
        let names = compile::names(&lines);
        Table { lines, names }
    })
}

#[derive(Serialize)]
struct Opening {
    code: &'static str,
    name: &'static str,
    moves: &'static str,
}

/// The opening of the last of some positions that is in the table, as JSON; `null` without one.
pub(super) fn last_opening(keys: impl DoubleEndedIterator<Item = Key>) -> String {
    let Table { lines, names } = table();
    let line = keys.rev().find_map(|key| lines.get(*names.get(&key.0)?));
    json(&line.map(|&Line { code, name, moves, .. }| Opening { code, name, moves }))
}

/// The opening of a position, or `null`.
#[wasm_bindgen]
pub fn opening(fen: &str) -> Result<String, Failure> {
    Ok(last_opening(std::iter::once(known(fen)?.key())))
}
