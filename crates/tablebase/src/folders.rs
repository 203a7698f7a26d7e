//! Folders with tables.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders of a list that is separated by `:` (`;` on Windows), as in the UCI option `SyzygyPath`.
pub fn split_folders(paths: &str) -> Vec<PathBuf> {
    std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// What a folder contains, in ascending order: systems list files in any order, and messages name them in the same one.
pub(crate) fn contents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort_unstable();
    Ok(paths)
}
