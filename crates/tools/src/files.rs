//! Writing files, and reading lists and journals.

use anyhow::Context;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Writes a file under another name first, so that it is never there by half.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    file.persist(path).with_context(context)?;
    Ok(())
}

/// Parses the records of a list, each with the number of its line.
///
/// # Errors
/// Those of `parse`, with the line.
pub(crate) fn list<T>(text: &str, parse: impl Fn(&str) -> anyhow::Result<T>) -> anyhow::Result<Vec<(usize, T)>> {
    let parse = |(line, record)| Ok((line, parse(record).with_context(|| format!("line {line}"))?));
    bartizan_notation::list::records(text).map(parse).collect()
}

/// A journal without a last line that was cut off when the program was killed.
pub(crate) fn whole_lines(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// Opens a journal to go on with it: its text, and the file at its end. A last line that was cut off is removed.
pub(crate) fn reopen(path: &Path) -> anyhow::Result<(Vec<u8>, File)> {
    let context = || format!("cannot go on with {}", path.display());
    let mut file = OpenOptions::new().read(true).write(true).open(path).with_context(context)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).with_context(context)?;
    let whole = whole_lines(&text).len();
    text.truncate(whole);
    file.set_len(whole as u64).with_context(context)?;
    file.seek(SeekFrom::End(0)).with_context(context)?;
    Ok((text, file))
}
