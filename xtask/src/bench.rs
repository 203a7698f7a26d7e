//! `cargo xtask bench`: runs the bench and compares its node count with the one stored in the repository.

use crate::error::{Error, Result};
use crate::{files, run};
use std::path::{Path, PathBuf};

/// The note below the number in a new file.
const NOTE: &str = "# Node count of `bartizan bench`; written by `cargo xtask bench --write`.\n";

/// What to do with the node count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Print it.
    Print,
    /// Fail if it differs from the stored one.
    Check,
    /// Store it.
    Write,
}

/// The file with the node count in its first line. Lines that begin with `#` are notes.
fn path() -> PathBuf {
    files::root().join("testdata/bench.txt")
}

/// Runs the bench. Returns the result for the user.
pub(crate) fn bench(keep: Keep) -> Result<String> {
    let command = run::args(&["run", "--release", "--quiet", "--package", "bartizan", "--", "bench"]);
    let output = run::cargo_output(&command)?;
    let Some((nodes, nps)) = signature(&output) else {
        let last = output.lines().last().unwrap_or_default();
        return Err(Error::Check(format!(
            "expected `N nodes N nps` as the last line of `cargo {}`, found '{last}'",
            command.join(" ")
        )));
    };
    let counted = format!("{nodes} nodes {nps} nps");
    let path = path();
    match keep {
        Keep::Print => Ok(counted),
        Keep::Check => match kept(&path, &files::read(&path)?)? {
            known if known == nodes => Ok(format!("{counted}, as in {}", files::shown(&path))),
            known => Err(Error::Check(format!(
                "the bench counts {nodes} nodes, but {} has {known}; if the change is intended, \
                 run `cargo xtask bench --write` and add `Bench: {nodes}` to the commit message",
                files::shown(&path)
            ))),
        },
        Keep::Write => {
            let old = if path.exists() { files::read(&path)? } else { NOTE.to_owned() };
            files::replace(&path, &with_number(&old, nodes))?;
            Ok(format!("{counted}, written to {}", files::shown(&path)))
        }
    }
}

/// Parses nodes and nodes per second from the last line that is not blank.
pub(crate) fn signature(output: &str) -> Option<(u64, u64)> {
    let line = output.lines().rev().find(|line| !line.trim().is_empty())?;
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [nodes, "nodes", nps, "nps"] => Some((nodes.parse().ok()?, nps.parse().ok()?)),
        _ => None,
    }
}

/// The stored node count.
fn kept(path: &Path, text: &str) -> Result<u64> {
    let first = text.lines().enumerate().find(|(_, line)| is_number_line(line));
    first.and_then(|(_, line)| line.trim().parse().ok()).ok_or_else(|| Error::Line {
        path: path.to_owned(),
        line: first.map_or(1, |(index, _)| index + 1),
        what: "expected a node count".to_owned(),
    })
}

/// The text of the file with a new number before its notes.
fn with_number(old: &str, nodes: u64) -> String {
    let notes = old.lines().filter(|line| line.starts_with('#'));
    std::iter::once(nodes.to_string()).chain(notes.map(str::to_owned)).map(|line| line + "\n").collect()
}

fn is_number_line(line: &str) -> bool {
    !line.starts_with('#') && !line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_last_line() {
        assert_eq!(signature("info 1\n123 nodes 456 nps\n"), Some((123, 456)));
        assert_eq!(signature("123 nodes 456 nps\n\n"), Some((123, 456)));
        assert_eq!(signature("123 nodes 456 nps\nbye\n"), None);
        assert_eq!(signature("x nodes 456 nps"), None);
        assert_eq!(signature(""), None);
    }

    #[test]
    fn the_number_is_read_past_notes() {
        let path = Path::new("bench.txt");
        assert_eq!(kept(path, "77\n# note\n").unwrap(), 77);
        assert_eq!(kept(path, "# note\n 77 \n").unwrap(), 77);
        assert_eq!(kept(path, "# note\nmany\n").unwrap_err().to_string(), "bench.txt:2: expected a node count");
        assert_eq!(kept(path, "").unwrap_err().to_string(), "bench.txt:1: expected a node count");
    }

    #[test]
    fn writing_keeps_the_notes() {
        assert_eq!(with_number("1\n# note\n# more\n", 2), "2\n# note\n# more\n");
        assert_eq!(with_number(NOTE, 3), format!("3\n{NOTE}"));
    }
}
