//! Checks that what a user names is opened in one place: by `bartizan-files`, which refuses devices without an end,
//! waits for no named pipe, and bounds what is read as a whole.

use crate::error::{Result, verdict};
use crate::files;
use std::path::Path;

/// Calls that open whatever a path names.
const CALLS: [&str; 3] = ["File::open(", "fs::read(", "read_to_string("];

/// The crates whose users name files.
const FOLDERS: [&str; 12] = [
    "crates/analysis/src",
    "crates/book/src",
    "crates/dtm/src",
    "crates/engine/src",
    "crates/frontend/src",
    "crates/games/src",
    "crates/match/src",
    "crates/network/src",
    "crates/tools/src",
    "crates/training/src",
    "engine-uci/src",
    "engine-xboard/src",
];

/// Opens named pipes, in a thread that can wait.
const EXEMPT: &str = "crates/tools/src/input.rs";

/// Fails if a line opens a file without `bartizan-files`. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let (mut problems, mut count) = (Vec::new(), 0);
    for path in files::rust_sources()? {
        let is_checked = FOLDERS.iter().any(|folder| path.starts_with(files::root().join(folder)));
        if is_checked && path != files::root().join(EXEMPT) && !path.ends_with("tests.rs") {
            problems.extend(found(&path, &files::read(&path)?));
            count += 1;
        }
    }
    verdict(&problems, format!("{count} files open what a user names with bartizan-files only"))
}

/// A message for each line before the tests that opens a file.
fn found(path: &Path, text: &str) -> Vec<String> {
    let lines = (1..).zip(text.lines()).take_while(|(_, line)| !line.starts_with("mod tests {"));
    // `MappedFile::open` is of `bartizan-files`.
    let is_call = |line: &str, call: &str| {
        line.match_indices(call).any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric()))
    };
    let calls = |line: &str| CALLS.into_iter().find(|call| is_call(line, call));
    let code = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.filter_map(|(number, line)| {
        let call = calls(line)?;
        Some(format!("{}:{number}: {call}…): use bartizan-files", files::shown(path)))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_outside_of_tests_are_reported() {
        let text =
            "bartizan_files::read(path)\nstd::fs::read(path)\n// File::open(path)\nmod tests {\nfs::read(path)\n";
        assert_eq!(found(Path::new("a.rs"), text), ["a.rs:2: fs::read(…): use bartizan-files"]);
    }
}
