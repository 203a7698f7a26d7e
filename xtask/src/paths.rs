//! Paths in the repository.

use std::path::{Path, PathBuf};

/// The root of the workspace.
///
/// Cargo passes the package's folder to the programs that it runs. A program started without cargo uses the folder in
/// which it was compiled, which may be another checkout that shares the target directory.
pub(crate) fn root() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// A path for messages: relative to the root of the workspace if it is inside.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_workspace_are_shown_relative_to_its_root() {
        assert_eq!(shown(&root().join("xtask")), "xtask");
        assert_eq!(shown(Path::new("elsewhere")), "elsewhere");
    }
}
