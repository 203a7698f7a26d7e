//! The licences of the crates that are linked into the programs.

use super::{FEATURES, PROGRAMS, SERVER};
use crate::error::{Error, Result};
use crate::{files, run};
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How the names of licence files begin, in upper case.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// What is shipped: packages of a workspace.
pub(crate) struct Shipped<'a> {
    /// The manifest of the workspace, from the root of the repository.
    pub(crate) manifest: &'a str,
    /// The packages.
    pub(crate) packages: &'a [&'a str],
    pub(crate) features: &'a [&'a str],
    /// The target triple.
    pub(crate) target: &'a str,
    /// What the text calls it.
    pub(crate) what: &'a str,
    /// Where the licences of the standard library are.
    pub(crate) standard_library: &'a str,
}

/// The text of the file with the licences of all dependencies of the programs.
pub(super) fn of_programs(target: &str) -> Result<String> {
    third_party(&Shipped {
        manifest: run::MAIN,
        packages: &PROGRAMS,
        features: &[FEATURES],
        target,
        what: "The programs of Bartizan contain",
        standard_library: "rust-standard-library.html",
    })
}

/// The same for the server.
pub(super) fn of_server(target: &str) -> Result<String> {
    third_party(&Shipped {
        manifest: run::SERVER,
        packages: &[SERVER],
        features: &[],
        target,
        what: "Bartizan's server contains",
        standard_library: "rust-standard-library.html",
    })
}

/// The text of the file with the licences of all dependencies.
pub(crate) fn third_party(shipped: &Shipped<'_>) -> Result<String> {
    let Shipped { manifest, packages, features, target, what, standard_library } = shipped;
    let metadata = MetadataCommand::new()
        .manifest_path(files::root().join(manifest))
        .features(CargoOpt::SomeFeatures(run::args(features)))
        .other_options(run::args(&["--locked", "--filter-platform", target]))
        .exec()?;
    let mut text = format!(
        "{what} the crates below. Where a crate offers a choice of licences, any of\n\
         them may be chosen; licences of the GPL family are left out. The licences of the Rust standard\n\
         library are in {standard_library}.\n\n"
    );
    // Many crates have the same text: each text is shown once, with the crates that it applies to.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(&metadata, packages) {
        let name = format!("{} {}", package.name, package.version);
        let licence = package.license.as_deref().unwrap_or("see below");
        let _ = writeln!(text, "{name}: {licence}; {}", package.repository.as_deref().unwrap_or("crates.io"));
        for file in licence_files(package)? {
            let crates = texts.entry(normalised(&files::read(&file)?)).or_default();
            if !crates.contains(&name) {
                crates.push(name.clone());
            }
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    for (licence, crates) in texts {
        let _ = write!(text, "\n{}\n\n{}\n\n{licence}", "=".repeat(80), crates.join(", "));
    }
    Ok(text)
}

/// The licences of the standard library, which come with the compiler.
pub(crate) fn standard_library() -> Result<Vec<u8>> {
    let sysroot = PathBuf::from(run::output("rustc", &["--print", "sysroot"])?);
    let path = sysroot.join("share/doc/rust/COPYRIGHT-library.html");
    std::fs::read(&path).map_err(Error::io(&path))
}

/// The external crates linked into packages, sorted by name, without those of build scripts and procedural macros,
/// which only run during the build.
fn linked<'m>(metadata: &'m Metadata, shipped: &[&str]) -> Vec<&'m Package> {
    let edges = metadata.resolve.as_ref().map_or(&[][..], |resolve| &resolve.nodes);
    let edges: BTreeMap<&PackageId, _> = edges.iter().map(|node| (&node.id, &node.deps)).collect();
    let packages: BTreeMap<&PackageId, &Package> = metadata.packages.iter().map(|p| (&p.id, p)).collect();
    let mut queue: Vec<&PackageId> =
        metadata.packages.iter().filter(|p| shipped.contains(&p.name.as_str())).map(|p| &p.id).collect();
    let mut seen: BTreeSet<&PackageId> = BTreeSet::new();
    let mut linked = Vec::new();
    while let Some(id) = queue.pop() {
        let Some(package) = packages.get(id) else { continue };
        let is_macro = package.targets.iter().any(|target| target.is_proc_macro());
        if is_macro || !seen.insert(id) {
            continue;
        }
        if package.source.is_some() {
            linked.push(*package);
        }
        let is_normal = |d: &&cargo_metadata::NodeDep| d.dep_kinds.iter().any(|k| k.kind == DependencyKind::Normal);
        queue.extend(edges.get(id).into_iter().flat_map(|deps| deps.iter()).filter(is_normal).map(|dep| &dep.pkg));
    }
    linked.sort_by(|a, b| (a.name.as_str(), &a.version).cmp(&(b.name.as_str(), &b.version)));
    linked
}

/// The licence files of a crate, sorted by name, at least one. A crate that comes without one, like `maud`, is used
/// under the Apache licence if it offers that.
fn licence_files(package: &Package) -> Result<Vec<PathBuf>> {
    let folder = package.manifest_path.parent().map_or_else(|| Path::new("."), |folder| folder.as_std_path());
    let entries = std::fs::read_dir(folder).map_err(Error::io(folder))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.filter(|name| is_licence(name)).collect();
    names.sort_unstable();
    if names.is_empty() {
        // This licence is the same for every crate: it does not name the authors.
        if package.license.as_ref().is_some_and(|licence| licence.contains("Apache-2.0")) {
            return Ok(vec![files::root().join("LICENSE-APACHE")]);
        }
        return Err(Error::Check(format!("{} {} comes without a licence text", package.name, package.version)));
    }
    Ok(names.into_iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect())
}

fn is_licence(name: &str) -> bool {
    let name = name.to_uppercase();
    NAMES.iter().any(|known| name.starts_with(known)) && !name.contains("GPL")
}

/// A text with uniform line ends, so that equal texts are recognised.
fn normalised(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_files_are_recognised() {
        assert!(["LICENSE-MIT", "license.md", "COPYING", "UNLICENSE", "Licence-Zlib.txt"].into_iter().all(is_licence));
        assert!(!["README.md", "LICENSE-GPLv2", "src", "Cargo.toml"].into_iter().any(is_licence));
    }

    /// Also checks that each of them comes with a licence.
    #[test]
    fn linked_crates_are_listed_and_macros_are_not() {
        let text = of_programs("x86_64-unknown-linux-gnu").unwrap();
        assert!(text.contains("\nclap_builder ") && text.contains("Permission is hereby granted"));
        assert!(!text.contains("\nsyn ") && !text.contains("GNU GENERAL PUBLIC LICENSE"));
    }

    #[test]
    fn texts_that_differ_in_line_ends_are_equal() {
        assert_eq!(normalised("\r\na \r\n\r\nb\r\n"), normalised("a\n\nb"));
    }
}
