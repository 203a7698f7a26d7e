//! Checks that text from outside reaches a terminal escaped: it may contain line breaks and the codes that control a
//! terminal. File names pass through an adaptor, and few files write to the standard streams; those escape.

use crate::error::{Result, verdict};
use crate::files;
use std::path::Path;

/// The adaptor of `bartizan_types` that escapes.
const ADAPTOR: &str = "Escaped(";

/// The files that may name the standard streams.
const WRITERS: [&str; 9] = [
    "crates/files/src/descriptor.rs",
    "crates/frontend/src/terminal/mod.rs",
    "crates/frontend/src/terminal/screen.rs",
    "crates/frontend/src/terminal/style.rs",
    "crates/tools/src/main.rs",
    "crates/tools/src/output.rs",
    "crates/tools/src/pgn/output.rs",
    "engine-uci/src/main.rs",
    "server/src/board/mod.rs",
];

/// Fails if the programs or their libraries show a path without the adaptor, or if a file that is not listed names a
/// standard stream. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in files::rust_sources()?.iter().filter(|path| is_shipped(Path::new(&files::shown(path)))) {
        let source = files::read(path)?;
        let code = source.split("\nmod tests {").next().unwrap_or_default();
        count += code.matches(".display()").count();
        let file = files::shown(path);
        problems.extend(unescaped(code).map(|line| format!("{file}:{line}: a path without {ADAPTOR}…)")));
        if !WRITERS.contains(&file.as_str()) {
            problems.extend(
                stream(code).map(|line| format!("{file}:{line}: a standard stream without the front end's output")),
            );
        }
    }
    verdict(&problems, format!("{count} file names are escaped"))
}

/// Whether a file is a part of the programs or of a library, and not of their tests and builds.
fn is_shipped(path: &Path) -> bool {
    let has = |part: &str| path.iter().any(|own| own == part);
    has("src") && !has("testkit") && !has("xtask") && !has("fuzz") && !path.ends_with("tests.rs")
}

/// The lines, from 1, in which a path is shown without the adaptor.
fn unescaped(code: &str) -> impl Iterator<Item = usize> {
    code.match_indices(".display()").filter_map(move |(at, _)| {
        let before = &code[..at];
        let is_escaped = before.rsplit_once(ADAPTOR).is_some_and(|(_, operand)| is_operand(operand));
        (!is_escaped).then(|| before.matches('\n').count() + 1)
    })
}

/// Whether a text that follows the adaptor's parenthesis is a single operand, which does not close it.
fn is_operand(text: &str) -> bool {
    let mut open = 0_u32;
    text.chars().all(|c| match c {
        '(' => {
            open += 1;
            true
        }
        ')' => {
            let is_own = open > 0;
            open = open.saturating_sub(1);
            is_own
        }
        c => c.is_alphanumeric() || c.is_whitespace() || matches!(c, '_' | '.'),
    })
}

/// The lines, from 1, in which code names standard output or standard error.
fn stream(code: &str) -> impl Iterator<Item = usize> {
    let is_named = |line: &str| line.contains("stdout()") || line.contains("stderr()");
    let lines = (1..).zip(code.lines());
    lines.filter(move |(_, line)| is_named(line) && !line.trim_start().starts_with("//")).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_without_the_adaptor_are_reported() {
        let code =
            "Escaped(path.display())\npath.display()\nEscaped(\n  a.b().display()\n)\n(Escaped(a), b.display())\n";
        assert_eq!(unescaped(code).collect::<Vec<_>>(), [2, 6]);
    }

    #[test]
    fn standard_streams_are_reported() {
        let code = "let out = 1;\nwriteln!(stdout(), \"\")\n/// In `stdout()`.\nio::stderr().flush()\n";
        assert_eq!(stream(code).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn tests_and_tasks_show_paths_as_they_like() {
        let is_shipped = |path: &str| is_shipped(Path::new(path));
        assert!(is_shipped("crates/files/src/folder.rs") && is_shipped("engine-uci/src/main.rs"));
        let others = ["crates/files/tests/all/main.rs", "xtask/src/run.rs", "crates/attacks/build.rs"];
        assert!(!others.into_iter().any(is_shipped));
    }
}
