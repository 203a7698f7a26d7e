//! Tests of the git hooks in `.githooks`.
#![cfg(unix)] // The hooks need a shell.

use crate::files;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// What the hook says about a commit message; empty if it accepts the message.
fn problems(message: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), message).unwrap();
    let output = Command::new("sh").arg(files::root().join(".githooks/commit-msg")).arg(file.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), said.is_empty(), "{said}");
    said
}

#[test]
fn good_messages_are_accepted() {
    let widest = format!("Add {}", "é".repeat(68));
    let long_lines = format!(
        "docs: Add links\n\nhttps://example.org/{0}\n| {0} |\n    {0}\n# {0}\n{1}\n",
        "x".repeat(120),
        "ö".repeat(100)
    );
    for message in [
        "search: Key killers by ply",
        "search, training: Report to nobody\n\nBody.\n",
        "tb probe: Show the clock\n\nBench: 1409803\n\nMore.\n",
        ".githooks/commit-msg: Accept revert commits",
        "Use one prefix: a scope with a colon",
        "data: List, count and check files",
        "# A comment\n\ndocs: Mend a link\n# Another\n\nBody.\n",
        "docs: Mend a link\r\n\r\nBody.\r\n",
        "docs: Mend a link\n\n# ------------------------ >8 ------------------------\ndiff --git a/a b/a\n",
        "Merge branch 'main' into a-branch-with-a-name-that-is-so-long-that-the-subject-is-too-long.",
        "Revert \"search: Key killers by ply\"\n\nThis reverts commit.\n",
        "fixup! search: Key killers by ply",
        "squash! anything at all.\nand more",
        &widest,
        &long_lines,
    ] {
        assert_eq!(problems(message), "", "{message}");
    }
}

#[test]
fn bad_messages_are_refused() {
    let (subject, body) = (format!("Add {}", "é".repeat(69)), format!("Add a\n\n{}\n", "é".repeat(101)));
    for (message, problem) in [
        ("search: key killers by ply", "known imperative verb: 'key'"),
        ("search: Killers are keyed by ply", "known imperative verb: 'Killers'"),
        ("search: Adds killers", "known imperative verb: 'Adds'"),
        ("Search: Add killers", "known imperative verb: 'Search:'"),
        ("search:Add killers", "known imperative verb: 'search:Add'"),
        ("search: Add killers.", "ends with a full stop"),
        ("search: Add killers\nby ply\n", "the line after the subject is not empty"),
        (&subject, "the subject has 73 characters, at most 72"),
        (&body, "line 3 has 101 characters, at most 100"),
    ] {
        let said = problems(message);
        assert!(said.starts_with("error: commit message: ") && said.contains(problem), "{message}: {said}");
        assert!(said.contains("git commit --no-verify"), "{said}");
    }
}

#[test]
fn the_hooks_can_be_executed() {
    for name in ["commit-msg", "pre-commit"] {
        let path = files::root().join(".githooks").join(name);
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o111, 0, "{name}");
        assert!(files::read(&path).unwrap().starts_with("#!/bin/sh\n"), "{name}");
    }
}
