//! What every published package has.

use crate::error::{Error, Result};
use crate::{files, run};
use std::path::Path;

/// The licence texts of this repository. A published package contains only files of its own folder, so each links to
/// those in the root.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Fails if a publishable package lacks a licence text. Returns what it checked.
pub(crate) fn licences() -> Result<String> {
    let metadata = run::metadata(run::MAIN)?;
    let packages = metadata.workspace_packages().into_iter();
    // `publish = false` is an empty list of registries.
    let published = packages.filter(|package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty()));
    let folders = published.filter_map(|package| package.manifest_path.parent());
    let folders: Vec<&Path> = folders.map(|folder| folder.as_std_path()).collect();
    let missing: Vec<String> = folders.iter().flat_map(|folder| missing(folder)).collect();
    if missing.is_empty() {
        Ok(format!("all {} published packages have both", folders.len()))
    } else {
        Err(Error::Check(format!("missing, link to those in the root: {}", missing.join(", "))))
    }
}

/// The texts that a package lacks.
fn missing(folder: &Path) -> Vec<String> {
    let texts = LICENCES.map(|name| folder.join(name));
    texts.iter().filter(|path| !path.is_file()).map(|path| files::shown(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_licences_are_named() {
        assert!(missing(&files::root()).is_empty());
        let lacks = missing(&files::root().join("xtask"));
        assert!(lacks[0].ends_with("LICENSE-MIT") && lacks[1].ends_with("LICENSE-APACHE"), "{lacks:?}");
    }
}
