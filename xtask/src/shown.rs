//! Checks that file names reach messages escaped: a name may contain line breaks and the codes that control a terminal.

use crate::error::{Result, verdict};
use crate::files;
use std::path::Path;

/// The adaptor of `bartizan_types` that escapes.
const ADAPTOR: &str = "Escaped(";

/// Fails if the programs or their libraries show a path without the adaptor. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in files::rust_sources()?.iter().filter(|path| is_shipped(Path::new(&files::shown(path)))) {
        let source = files::read(path)?;
        let code = source.split("\nmod tests {").next().unwrap_or_default();
        count += code.matches(".display()").count();
        problems
            .extend(unescaped(code).map(|line| format!("{}:{line}: a path without {ADAPTOR}…)", files::shown(path))));
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
    let is_operand = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_.()".contains(c);
    code.match_indices(".display()").filter_map(move |(at, _)| {
        let before = &code[..at];
        let is_escaped = before.rsplit_once(ADAPTOR).is_some_and(|(_, operand)| operand.chars().all(is_operand));
        (!is_escaped).then(|| before.matches('\n').count() + 1)
    })
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
    fn tests_and_tasks_show_paths_as_they_like() {
        let is_shipped = |path: &str| is_shipped(Path::new(path));
        assert!(is_shipped("crates/files/src/folder.rs") && is_shipped("engine-uci/src/main.rs"));
        let others = ["crates/files/tests/all/main.rs", "xtask/src/run.rs", "crates/attacks/build.rs"];
        assert!(!others.into_iter().any(is_shipped));
    }
}
