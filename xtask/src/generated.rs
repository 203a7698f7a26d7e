//! Generated source files: compares them with what a task would write, and preserves their headers.

use crate::error::{Error, Result};
use std::path::Path;

/// Fails unless a file's text is what `command` would write. The error gives the first differing line.
pub(crate) fn compare(path: &Path, found: &str, expected: &str, command: &str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let what = format!("differs from the output of `{command}`; run it");
    Err(Error::Line { path: path.to_owned(), line: same + 1, what })
}

/// The hand-written header of a generated file: its text through the line that ends with `opening`.
pub(crate) fn head<'a>(path: &Path, text: &'a str, opening: &str) -> Result<&'a str> {
    let line_end = format!("{opening}\n");
    let end = text.find(&line_end).map(|at| at + line_end.len());
    let what = || format!("no line ends with `{opening}`");
    end.map(|end| &text[..end]).ok_or_else(|| Error::Line { path: path.to_owned(), line: 1, what: what() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_reported() {
        let path = Path::new("a.rs");
        compare(path, "a\nb\n", "a\nb\n", "make").unwrap();
        let error = compare(path, "a\nb\n", "a\nc\n", "make").unwrap_err();
        assert_eq!(error.to_string(), "a.rs:2: differs from the output of `make`; run it");
    }

    #[test]
    fn the_head_ends_with_the_opening_line() {
        let path = Path::new("a.rs");
        assert_eq!(head(path, "// a\nlet x = [\n1];\n", "= [").unwrap(), "// a\nlet x = [\n");
        assert_eq!(head(path, "nothing", "= [").unwrap_err().to_string(), "a.rs:1: no line ends with `= [`");
    }
}
