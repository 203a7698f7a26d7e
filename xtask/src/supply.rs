//! Checks external code: the libraries that the crates depend on, and the actions of the workflows. `cargo deny check`
//! checks more, but takes minutes to build; this check always runs.

use crate::error::{Error, Result, verdict};
use crate::{files, run};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};
use std::fs;
use std::path::Path;

/// Where all libraries come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/";

/// The part of `deny.toml` that this check uses.
struct Rules {
    /// Licences.
    allowed: Vec<String>,
    /// Libraries for `benches` only.
    banned: Vec<String>,
    /// Libraries that may be present in two versions.
    duplicates: Vec<String>,
}

/// Fails if a library has a licence that `deny.toml` does not allow, comes from anywhere but the public registry, is
/// allowed only in `benches`, or is present in two versions. Returns what it checked.
pub(crate) fn dependencies() -> Result<String> {
    let rules = rules()?;
    let (mut problems, mut packages) = (Vec::new(), 0);
    for manifest in [run::MAIN, run::WEB, run::SERVER, run::PYTHON] {
        let metadata = metadata(manifest)?;
        packages += metadata.packages.len();
        problems.extend(rules.broken_by(&metadata));
    }
    verdict(&problems, format!("{packages} packages with allowed licences, no unknown duplicates"))
}

impl Rules {
    /// What breaks the rules in a workspace.
    fn broken_by(&self, metadata: &Metadata) -> Vec<String> {
        let Self { allowed, banned, duplicates } = self;
        let mut problems = Vec::new();
        for package in &metadata.packages {
            let licence = package.license.as_deref().unwrap_or("");
            if !is_allowed(licence, allowed) {
                problems.push(format!("{} {}: the licence '{licence}' is not allowed", package.name, package.version));
            }
            if banned.iter().any(|banned| *package.name == *banned) {
                problems.push(format!("{} {}: allowed in `benches` only", package.name, package.version));
            }
            if let Some(source) = package.source.as_ref().filter(|source| !source.repr.starts_with(REGISTRY)) {
                problems.push(format!("{} {}: unknown source {source}", package.name, package.version));
            }
            let twin =
                metadata.packages.iter().find(|twin| twin.name == package.name && twin.version > package.version);
            if let Some(twin) = twin.filter(|_| !duplicates.iter().any(|known| *package.name == *known)) {
                problems.push(format!("{}: two versions, {} and {}", package.name, package.version, twin.version));
            }
        }
        problems
    }
}

/// The dependencies of all features of all packages of a workspace: the programs are released with some that are not on
/// by default.
fn metadata(manifest: &str) -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    Ok(command.manifest_path(files::root().join(manifest)).features(CargoOpt::AllFeatures).exec()?)
}

fn rules() -> Result<Rules> {
    let path = files::root().join("deny.toml");
    let broken = |what: &str| Error::Check(format!("{}: {what}", files::shown(&path)));
    let table: toml::Table = files::read(&path)?.parse().map_err(|error| broken(&format!("{error}")))?;
    let list = |section: &str, key: &str| -> Result<Vec<String>> {
        let missing = || broken(&format!("no list {section}.{key}"));
        let values = table.get(section).and_then(|section| section.get(key)?.as_array()).ok_or_else(missing)?;
        values.iter().map(|value| name(value).map(str::to_owned).ok_or_else(missing)).collect()
    };
    let (allowed, banned) = (list("licenses", "allow")?, list("bans", "deny")?);
    Ok(Rules { allowed, banned, duplicates: list("bans", "skip")? })
}

/// The name in an entry of a list: the entry itself, or its field `crate` without versions.
fn name(value: &toml::Value) -> Option<&str> {
    let text = value.as_str().or_else(|| value.get("crate")?.as_str())?;
    Some(text.split_once(':').map_or(text, |(name, _)| name))
}

/// Whether the licences of an SPDX expression permit the use. `/` means `OR`, as in old manifests.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut words = words.as_slice();
    either(&mut words, allowed) == Some(true) && words.is_empty()
}

/// Alternatives; `None` if the expression is invalid.
fn either(words: &mut &[&str], allowed: &[String]) -> Option<bool> {
    let mut any = both(words, allowed)?;
    while let Some(rest) = words.strip_prefix(&["OR"]) {
        *words = rest;
        any |= both(words, allowed)?;
    }
    Some(any)
}

/// Licences that all apply.
fn both(words: &mut &[&str], allowed: &[String]) -> Option<bool> {
    let mut all = single(words, allowed)?;
    while let Some(rest) = words.strip_prefix(&["AND"]) {
        *words = rest;
        all &= single(words, allowed)?;
    }
    Some(all)
}

/// A licence with its exception, or an expression in parentheses.
fn single(words: &mut &[&str], allowed: &[String]) -> Option<bool> {
    let (&first, rest) = words.split_first()?;
    *words = rest;
    match first {
        "(" => {
            let inner = either(words, allowed)?;
            *words = words.strip_prefix(&[")"])?;
            Some(inner)
        }
        ")" | "AND" | "OR" | "WITH" => None,
        licence => {
            let mut name = licence.to_owned();
            if let ["WITH", exception, rest @ ..] = *words {
                name = format!("{licence} WITH {exception}");
                *words = rest;
            }
            Some(allowed.contains(&name))
        }
    }
}

/// Fails if a workflow refers to an action by a tag or branch, which its owner may move, instead of a commit, or if a
/// checkout leaves its token in the folder, where every later step could read it. Returns what it checked.
pub(crate) fn actions() -> Result<String> {
    actions_of(&files::root().join(".github/workflows"))
}

/// The same for a folder of workflows, which must use at least one action.
fn actions_of(folder: &Path) -> Result<String> {
    let (mut problems, mut uses) = (Vec::new(), 0);
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let text = files::read(&path)?;
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(action) = line.trim_start_matches("- ").strip_prefix("uses:") else { continue };
            uses += 1;
            let mut report = |what| problems.push(format!("{}:{}: {what}:{action}", files::shown(&path), index + 1));
            if !is_pinned(action) {
                report("not a commit with its version");
            }
            let is_checkout = action.trim_start().starts_with("actions/checkout@");
            if is_checkout && lines.get(index + 1..index + 3) != Some(&["with:", "persist-credentials: false"]) {
                report("not followed by 'with: persist-credentials: false'");
            }
        }
    }
    if uses == 0 {
        problems.push(format!("{}: no workflow uses an action", files::shown(folder)));
    }
    verdict(&problems, format!("{uses} uses of actions, each by its commit"))
}

/// Whether an action is `OWNER/NAME@COMMIT # vVERSION`.
fn is_pinned(action: &str) -> bool {
    action.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")).is_some_and(|(commit, version)| {
        commit.len() == 40
            && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
            && version.starts_with(|c: char| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_combined() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned);
        for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0-or-later OR MIT", "(MIT OR GPL-2.0-only) AND Unicode-3.0"] {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0-or-later",
            "MIT AND GPL-2.0-only",
            "Apache-2.0 WITH LLVM-exception",
            "MIT OR",
            "(MIT",
            "MIT MIT",
        ] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn libraries_of_released_features_are_checked() {
        let packages = metadata(run::MAIN).unwrap().packages;
        assert!(packages.iter().any(|package| package.name.as_str() == "clap_mangen"));
    }

    #[test]
    fn tags_are_not_commits() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_pinned(&format!(" a/b@{commit} # v4.4.0")));
        for bad in [" a/b@v4", " a/b@main # v4", &format!(" a/b@{commit}"), &format!(" a/b@{} # v4", &commit[..12])] {
            assert!(!is_pinned(bad), "{bad}");
        }
    }

    #[test]
    fn workflows_without_actions_are_no_workflows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ci.yml");
        fs::write(&path, "jobs:\n").unwrap();
        assert!(actions_of(folder.path()).unwrap_err().to_string().contains("no workflow uses an action"));
        fs::write(&path, format!("jobs:\n  - uses: a/b@{} # v4\n", "0".repeat(40))).unwrap();
        assert!(actions_of(folder.path()).unwrap().starts_with("1 uses"));
    }

    #[test]
    fn checkouts_that_keep_their_token_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let checkout = format!("  - uses: actions/checkout@{} # v4\n", "0".repeat(40));
        let safe = format!("{checkout}    with:\n      persist-credentials: false\n");
        fs::write(folder.path().join("ci.yml"), &safe).unwrap();
        assert!(actions_of(folder.path()).unwrap().starts_with("1 uses"));
        fs::write(folder.path().join("ci.yml"), safe + &checkout).unwrap();
        let error = actions_of(folder.path()).unwrap_err().to_string();
        assert!(error.contains("ci.yml:4: not followed by 'with: persist-credentials: false'"), "{error}");
    }
}
