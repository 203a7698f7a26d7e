//! Finds, reads and replaces the repository's files.

use crate::error::{Error, Result};
pub(crate) use crate::paths::{root, shown};
use crate::run;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::io(path))
}

/// The output of `git ls-files` with these arguments. An error if git knows no such file: the check would pass without
/// checking anything.
pub(crate) fn tracked(args: &[&str]) -> Result<String> {
    let listed = run::output("git", &[&["ls-files"][..], args].concat())?;
    if listed.is_empty() {
        return Err(Error::Check(format!("`git ls-files {}` lists no file", args.join(" "))));
    }
    Ok(listed)
}

/// The Rust source files of the workspace, sorted by path.
pub(crate) fn rust_sources() -> Result<Vec<PathBuf>> {
    let mut folders = vec![root()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
            let entry = entry.map_err(Error::io(&folder))?;
            let (path, name) = (entry.path(), entry.file_name());
            let is_folder = entry.file_type().map_err(Error::io(&path))?.is_dir();
            let is_skipped = name == "target" || name.to_string_lossy().starts_with('.');
            if is_folder && !is_skipped {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(path);
            }
        }
    }
    sources.sort_unstable();
    Ok(sources)
}

/// Replaces a file atomically: a reader sees either the old text or the new one.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    bartizan_files::replace(path, text.as_bytes()).map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_creates_folders_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.txt");
        replace(&path, "one").unwrap();
        replace(&path, "two").unwrap();
        assert_eq!(read(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_list_of_no_files_is_an_error() {
        let error = tracked(&["no/such/file"]).unwrap_err().to_string();
        assert!(error.contains("git ls-files no/such/file"), "{error}");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(&folder.path().join("absent.txt")).unwrap_err();
        assert!(error.to_string().contains("absent.txt"), "{error}");
    }
}
