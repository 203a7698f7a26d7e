//! Lists of folders with tables.

use std::path::PathBuf;

/// Splits a list of folders, such as the value of the UCI option `SyzygyPath`, at `;` and, except on Windows, where
/// drive letters need it, at `:`. Spaces around a folder are ignored.
///
/// ```
/// use bartizan_tablebase::split_folders;
/// use std::path::Path;
///
/// assert_eq!(split_folders("/syzygy; ../tables;"), [Path::new("/syzygy"), Path::new("../tables")]);
/// ```
pub fn split_folders(list: &str) -> Vec<PathBuf> {
    let parts = list.split(|c| c == ';' || c == ':' && !cfg!(windows));
    parts.map(str::trim).filter(|folder| !folder.is_empty()).map(PathBuf::from).collect()
}
