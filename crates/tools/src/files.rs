//! Replaces files, and reads lists.

use anyhow::Context;
use std::io::Write;
use std::path::Path;

/// Writes a file under a temporary name and renames it, so that it is never incomplete.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write '{}'", path.display());
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
