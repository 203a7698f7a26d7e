//! What is in a file: whole records, or the content as a whole.

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

/// The whole records of a program's files, given their kinds by name.
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

/// The whole games, and the bytes after them.
fn selfplay(bytes: &[u8]) -> Checked<(usize, usize)> {
    let number =
        |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]) as usize);
    if !bytes.starts_with(b"BZSELF02") {
        return if bytes.is_empty() { Ok((0, 0)) } else { Ok((0, bytes.len())) };
    }
    let mut end = 12 + number(8).unwrap_or(0);
    let mut whole = 0;
    while let Some(length) = number(end).filter(|length| end + 4 + length <= bytes.len()) {
        if length < 40 || length % 4 != 0 {
            return Err(format!("a record of {length} bytes at byte {end}"));
        }
        whole += 1;
        end += 4 + length;
    }
    Ok((whole, bytes.len().saturating_sub(end)))
}
