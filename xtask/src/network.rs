//! `cargo xtask network`: the facts about the built-in network.
//!
//! `crates/network/built-in.bin` is in the repository because its training takes hours. `testdata/network/SOURCE.md`
//! has the commands that made it, and a table of facts that this task writes; `--check` verifies that they match.

use crate::error::{Error, Result};
use crate::files;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The maximum number of bytes that the network may add to the programs.
const MOST_BYTES: usize = 3 << 20;

/// The lines of SOURCE.md that enclose the table.
const MARKS: [&str; 2] = ["<!-- facts: written by `cargo xtask network` -->\n", "<!-- end of facts -->\n"];

fn network() -> PathBuf {
    files::root().join("crates/network/built-in.bin")
}

fn source() -> PathBuf {
    files::root().join("testdata/network/SOURCE.md")
}

/// The text of SOURCE.md with the facts of the current file, and a summary.
fn expected() -> Result<(String, String, String)> {
    let bytes = fs::read(network()).map_err(Error::io(&network()))?;
    if bytes.len() > MOST_BYTES {
        return Err(Error::Check(format!("{} has more than {MOST_BYTES} bytes", files::shown(&network()))));
    }
    let facts = Facts::of(&bytes).map_err(|what| Error::Check(format!("{}: {what}", files::shown(&network()))))?;
    let text = fs::read_to_string(source()).map_err(Error::io(&source()))?;
    let [begin, end] = MARKS;
    let parts = text.split_once(begin).and_then(|(head, rest)| Some((head, rest.split_once(end)?.1)));
    let Some((head, tail)) = parts else {
        return Err(Error::Check(format!("{} has no place for the facts", files::shown(&source()))));
    };
    let new = format!("{head}{begin}\n{}\n{end}{tail}", facts.table);
    Ok((text, new, facts.summary))
}

/// Fails unless SOURCE.md describes the network. Returns a summary of the network.
pub(crate) fn check() -> Result<String> {
    let (text, new, summary) = expected()?;
    if text != new {
        let files = [network(), source()].map(|path| files::shown(&path).to_string());
        return Err(Error::Check(format!("{} is not the network of {}", files[0], files[1])));
    }
    Ok(summary)
}

/// Writes the facts into SOURCE.md.
pub(crate) fn write() -> Result<String> {
    let (_, new, summary) = expected()?;
    bartizan_files::replace(&source(), new.as_bytes()).map_err(Error::io(&source()))?;
    Ok(format!("wrote the facts of {} to {}: {summary}", files::shown(&network()), files::shown(&source())))
}

/// The facts in the header of a network file. `crates/network/src/lib.rs` documents the format.
struct Facts {
    table: String,
    summary: String,
}

impl Facts {
    fn of(bytes: &[u8]) -> std::result::Result<Self, &'static str> {
        const CUT: &str = "the file is too short";
        let take = |at: usize, count: usize| bytes.get(at..).and_then(|rest| rest.get(..count)).ok_or(CUT);
        let short = |at: usize| take(at, 2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        if take(0, 8)? != b"BZNETW01" {
            return Err("it is not a network file of version 01");
        }
        let (hidden, outputs) = (short(8)?, short(10)?);
        let king_buckets = 1 + take(12, 32)?.iter().copied().max().unwrap_or(0);
        let length = take(84, 4)?;
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let command = std::str::from_utf8(take(88, length)?).map_err(|_| "its command is not UTF-8")?;
        let mut table = "| fact | value |\n|---|---|\n".to_owned();
        let mut row = |name: &str, value: String| {
            let _ = writeln!(table, "| {name} | {value} |");
        };
        row("SHA-256 of the network", format!("`{}`", hex(&Sha256::digest(bytes))));
        row("bytes", bytes.len().to_string());
        row("hidden neurons of a side", hidden.to_string());
        row("king buckets", king_buckets.to_string());
        row("output buckets", outputs.to_string());
        row("integers for 1.0", format!("{} (hidden), {} (output)", short(44)?, short(46)?));
        row("centipawns of an output of 1.0", short(48)?.to_string());
        row("SHA-256 of the positions", format!("`{}`", hex(take(52, 32)?)));
        row("training", format!("`{command}`"));
        let summary = format!("(768 × {king_buckets}) → {hidden} × 2 → 1 × {outputs}, {} bytes", bytes.len());
        Ok(Self { table, summary })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_and_short_files_have_no_facts() {
        assert!(Facts::of(b"BZNETW02").is_err());
        let bytes = fs::read(network()).unwrap();
        assert!(Facts::of(&bytes).is_ok());
        for length in [0, 7, 8, 20, 60, 87, 100] {
            assert!(Facts::of(&bytes[..length]).is_err(), "{length}");
        }
    }
}
