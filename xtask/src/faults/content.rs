//! The contents of files: whole records, or the contents as a whole.

use std::collections::BTreeMap;

/// The kinds of content.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// One JSON value in each line.
    Lines,
    /// Lines of text.
    Text,
    /// One JSON value.
    Json,
    /// Games as PGN.
    Pgn,
    /// Games of self-play in the binary format.
    Selfplay,
    /// A text that ends like this.
    Ends(&'static str),
    /// A file that begins like this.
    Starts(&'static str),
}

type Checked<T> = Result<T, String>;

/// Counts the whole records of a file.
pub(super) fn records(kind: Kind, bytes: &[u8], may_be_cut: bool) -> Checked<usize> {
    let text = || std::str::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned());
    let (whole, rest) = match kind {
        Kind::Lines => lines(bytes)?,
        Kind::Text => {
            let whole = text()?.lines().count();
            if bytes.is_empty() || bytes.ends_with(b"\n") { (whole, 0) } else { (whole - 1, 1) }
        }
        Kind::Pgn => pgn(text()?),
        Kind::Selfplay => selfplay(bytes)?,
        Kind::Json => {
            serde_json::from_slice::<serde_json::Value>(bytes).map_err(|error| format!("invalid JSON: {error}"))?;
            return Ok(1);
        }
        Kind::Ends(end) => {
            let ends = text()?.ends_with(end);
            return if ends || bytes.is_empty() { Ok(1) } else { Err(format!("it does not end with {end:?}")) };
        }
        Kind::Starts(start) if bytes.starts_with(start.as_bytes()) => return Ok(1),
        Kind::Starts(start) => return Err(format!("it does not begin with {start:?}")),
    };
    if rest > 0 && !may_be_cut { Err(format!("{rest} bytes of a record that is not whole")) } else { Ok(whole) }
}

/// The number of whole records in a program's files, whose kinds are given by name.
pub(super) fn total(kinds: &[(&str, Kind)], files: &BTreeMap<String, Vec<u8>>) -> Checked<usize> {
    let mut total = 0;
    for &(name, kind) in kinds {
        total += files.get(name).map_or(Ok(0), |bytes| records(kind, bytes, true))?;
    }
    Ok(total)
}

/// The whole lines, and the bytes after them.
fn lines(bytes: &[u8]) -> Checked<(usize, usize)> {
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut whole = 0;
    for line in bytes[..end].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        whole += 1;
        serde_json::from_slice::<serde_json::Value>(line).map_err(|error| format!("line {whole}: {error}"))?;
    }
    Ok((whole, bytes.len() - end))
}

/// The games with tags, moves and a result, and the bytes after the last of them.
fn pgn(text: &str) -> (usize, usize) {
    let mut end = text.lines().next().filter(|line| line.starts_with('%')).map_or(0, |line| line.len() + 1);
    let mut whole = 0;
    let is_result = |word: &str| ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);
    for (at, _) in text.match_indices("\n\n") {
        let block = text.get(end..at).unwrap_or_default();
        let (tags, moves) = block.split_once("\n\n").unwrap_or((block, ""));
        if tags.starts_with('[') && moves.split_whitespace().next_back().is_some_and(is_result) {
            whole += 1;
            end = at + 2;
        }
    }
    (whole, text.len().saturating_sub(end))
}

/// The whole games, and the bytes after them: the format `BZSELF04` of `bartizan-games`.
fn selfplay(bytes: &[u8]) -> Checked<(usize, usize)> {
    let settings = bytes.get(8..12).map_or(0, |four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize);
    let mut end = 12 + settings + CHECKSUM;
    if bytes.len() < end || !bytes.starts_with(b"BZSELF04") {
        return Ok((0, bytes.len()));
    }
    let mut whole = 0;
    while let Some(length) = block_length(&bytes[end..]).filter(|length| end + length <= bytes.len()) {
        whole += 1;
        end += length;
    }
    // No game of a few moves is longer.
    let rest = bytes.len() - end;
    if rest > 1_000 { Err(format!("no block at byte {end}")) } else { Ok((whole, rest)) }
}

/// Bytes of a checksum.
const CHECKSUM: usize = 4;

/// The length of the block that begins here; `None` if its beginning is incomplete.
fn block_length(bytes: &[u8]) -> Option<usize> {
    // The length and the number of the game, each in groups of seven bits.
    let length_ends = bytes.iter().position(|&byte| byte < 0x80)? + 1;
    let number_ends = length_ends + bytes[length_ends..].iter().position(|&byte| byte < 0x80)? + 1;
    let code = bytes[..length_ends].iter().rev().fold(0, |number, &byte| number << 7 | usize::from(byte & 0x7f));
    Some(number_ends + 1 + code + CHECKSUM)
}
