//! Checks that every crate uses the libraries that it depends on, and that the book has every page. The public workflow
//! also runs `cargo machete` and mdBook, which take minutes to build; these checks always run.

use crate::error::{Error, Result, verdict};
use crate::{files, links, run};
use std::path::Path;

/// Fails if no source file of a package names a library that the package depends on. Returns what it checked.
pub(crate) fn dependencies() -> Result<String> {
    let workspaces = [run::metadata(run::MAIN)?, run::metadata(run::SERVER)?];
    let paths = files::rust_sources()?;
    let (mut problems, mut count) = (Vec::new(), 0);
    for package in workspaces.iter().flat_map(|metadata| metadata.workspace_packages()) {
        let folder = package.manifest_path.parent().map_or(Path::new(""), |folder| folder.as_std_path());
        let mut sources = String::new();
        for path in paths.iter().filter(|path| path.starts_with(folder)) {
            sources += &files::read(path)?;
        }
        for dependency in &package.dependencies {
            count += 1;
            let name = dependency.rename.as_ref().unwrap_or(&dependency.name).replace('-', "_");
            if !names(&sources, &name) {
                problems.push(format!("{}: no source file names the library {name}", package.name));
            }
        }
    }
    verdict(&problems, format!("all {count} are named in the sources of their crates"))
}

/// Whether a text contains an identifier.
fn names(text: &str, identifier: &str) -> bool {
    let continues = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(identifier).any(|(at, _)| {
        !continues(text[..at].chars().next_back()) && !continues(text[at + identifier.len()..].chars().next())
    })
}

/// Fails if a page of `docs` is missing from the book's table of contents. Returns what it checked.
pub(crate) fn pages() -> Result<String> {
    let contents = files::read(&files::root().join("docs/SUMMARY.md"))?;
    let pages = links::tracked()?;
    let pages = pages.iter().filter_map(|path| path.strip_prefix("docs").ok()?.to_str());
    let pages: Vec<&str> = pages.filter(|page| *page != "SUMMARY.md").collect();
    let missing: Vec<&&str> = pages.iter().filter(|page| !contents.contains(&format!("({page})"))).collect();
    match missing.is_empty() {
        true => Ok(format!("all {} are in docs/SUMMARY.md", pages.len())),
        false => Err(Error::Check(format!("not in docs/SUMMARY.md: {missing:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_a_whole_word() {
        for text in ["use serde;", "serde::Serialize", "(serde)", "my_serde serde"] {
            assert!(names(text, "serde"), "{text}");
        }
        for text in ["", "serde_json::Value", "my_serde", "Serde", "éserde"] {
            assert!(!names(text, "serde"), "{text}");
        }
    }
}
