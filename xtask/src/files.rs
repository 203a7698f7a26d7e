//! Where the repository's files are, and how they are replaced.

use crate::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
///
/// Cargo tells the running program where its package is; the path known at compile time serves a program started by
/// hand (a target directory may be shared by several checkouts, so it comes second).
pub(crate) fn root() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// A path as a message shows it: from the root of the workspace where it lies in it.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::io(path))
}

/// Replaces a file in one step: a reader sees the old text or the new one, never half of it.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(name);
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to report; that nothing is left to remove is no news.
        let _ = fs::remove_file(&temporary);
    }
    written.map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_makes_folders_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.txt");
        replace(&path, "one").unwrap();
        replace(&path, "two").unwrap();
        assert_eq!(read(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_path_in_the_workspace_is_shown_from_its_root() {
        assert_eq!(shown(&root().join("xtask")), "xtask");
        assert_eq!(shown(Path::new("elsewhere")), "elsewhere");
    }

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(&folder.path().join("absent.txt")).unwrap_err();
        assert!(error.to_string().contains("absent.txt"), "{error}");
    }
}
