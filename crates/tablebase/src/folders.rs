//! Folders with tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Splits a list of folders, such as the value of the UCI option `SyzygyPath`, at `;` and, except on Windows, where it
/// follows the letter of a drive, at `:`. Blanks around a folder do not count.
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

/// What a folder contains, in ascending order: systems list files in any order, and messages name them in the same one.
pub(crate) fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

/// A list of folders for a message.
pub(crate) fn list(folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return "an empty list of folders".to_owned();
    }
    let folders: Vec<String> = folders.iter().map(|folder| format!("'{}'", folder.display())).collect();
    folders.join(", ")
}
