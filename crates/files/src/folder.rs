//! Folders.

use bartizan_types::Escaped;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a file; `.` if the path is only a name.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The paths of a folder's entries, sorted, because the operating system lists them in any order.
///
/// # Errors
/// If the folder cannot be read.
pub fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

/// A list of folders for a message, such as `'/one', '/two'`.
pub fn list(folders: &[PathBuf]) -> String {
    if folders.is_empty() {
        return "an empty list of folders".to_owned();
    }
    let folders: Vec<String> = folders.iter().map(|folder| format!("'{}'", Escaped(folder.display()))).collect();
    folders.join(", ")
}
