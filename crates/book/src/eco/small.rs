//! The table of openings as small as it compresses: 39 KB, against 140 KB of the tables that the build script makes.
//! It is put together in 50 ms when an opening is first asked for.

use super::{Opening, columns, compile};
use std::collections::BTreeMap;
use std::sync::OnceLock;

#[derive(Default)]
struct Table {
    openings: Vec<Opening>,
    /// The keys of all positions, each with the opening that names it.
    names: BTreeMap<u64, usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        // The lines live as long as the program. The build script has compiled them: they have no faults.
        let text = columns::unpack(include_str!(concat!(env!("OUT_DIR"), "/openings.txt"))).leak();
        let lines = compile::compile(text).unwrap_or_default();
        let names = compile::names(&lines);
        let openings =
            lines.iter().map(|&compile::Line { code, name, moves, .. }| Opening { code, name, moves }).collect();
        Table { openings, names }
    })
}

pub(super) fn openings() -> &'static [Opening] {
    &table().openings
}

/// The number of pieces of a position decides nothing here: the kings are two.
pub(super) const FEWEST_PIECES: u32 = 2;

pub(super) fn find(key: u64) -> Option<&'static Opening> {
    let table = table();
    table.openings.get(*table.names.get(&key)?)
}
