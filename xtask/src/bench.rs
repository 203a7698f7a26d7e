//! `cargo xtask bench`: runs the bench and compares its node count with the one stored in the repository.

use crate::error::{Error, Result};
use crate::{files, run};
use std::path::{Path, PathBuf};

/// The note below the number in a new file.
const NOTE: &str = "# Node count of `bartizan bench`; written by `cargo xtask bench --write`.\n";

/// What to do with the node count, and where it comes from.
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Fail if the count differs from testdata/bench.txt
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the count to testdata/bench.txt
    #[arg(long)]
    write: bool,
    /// Program to run [default: a release build]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The file with the node count in its first line. Lines that begin with `#` are notes.
fn path() -> PathBuf {
    files::root().join("testdata/bench.txt")
}

/// Runs the bench. Returns the result for the user.
pub(crate) fn run(bench: &Bench) -> Result<String> {
    let built = run::args(&["run", "--release", "--quiet", "--package", "bartizan", "--", "bench"]);
    let (command, output) = match &bench.program {
        Some(program) => {
            let program = std::path::absolute(program).map_err(Error::io(program))?.display().to_string();
            (format!("{program} bench"), run::output(&program, &["bench"])?)
        }
        None => (format!("cargo {}", built.join(" ")), run::cargo_output(&built)?),
    };
    let Some((nodes, nps)) = signature(&output) else {
        let last = output.lines().last().unwrap_or_default();
        return Err(Error::Check(format!("expected `N nodes N nps` as the last line of `{command}`, found '{last}'")));
    };
    let counted = format!("{nodes} nodes {nps} nps");
    let path = path();
    if bench.write {
        let old = if path.exists() { files::read(&path)? } else { NOTE.to_owned() };
        files::replace(&path, &with_number(&old, nodes))?;
        return Ok(format!("{counted}, written to {}", files::shown(&path)));
    }
    if !bench.check {
        return Ok(counted);
    }
    match kept(&path, &files::read(&path)?)? {
        known if known == nodes => Ok(format!("{counted}, as in {}", files::shown(&path))),
        known => Err(Error::Check(format!(
            "the bench counts {nodes} nodes, but {} has {known}; if the change is intended, \
             run `cargo xtask bench --write` and add `Bench: {nodes}` to the commit message",
            files::shown(&path)
        ))),
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
