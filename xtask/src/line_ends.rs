//! Checks the line ends of the files that git tracks. Tests compare files byte by byte, so `.gitattributes` keeps git
//! from writing text with the system's line ends.

use crate::error::{Error, Result};
use crate::files;

/// Fails if git may write a file with line ends other than those in the repository. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let listed = files::tracked(&["--eol"])?;
    let problems = converted(&listed);
    if problems.is_empty() {
        Ok(format!("git converts none of {} files", listed.lines().count()))
    } else {
        Err(Error::Check(format!("git may convert the line ends, see .gitattributes:\n{}", problems.join("\n"))))
    }
}

/// The files in a `git ls-files --eol` list that are not the same on every system.
fn converted(listed: &str) -> Vec<&str> {
    let rows = listed.lines().filter_map(|line| line.split_once('\t'));
    rows.filter(|(facts, _)| {
        let (stored, attributes) = facts.split_once("attr/").unwrap_or((*facts, ""));
        let is_exempt = attributes.starts_with("-text");
        match stored.split_whitespace().next() {
            Some("i/lf") => !is_exempt && !attributes.contains("eol=lf"),
            Some("i/crlf" | "i/mixed") => !is_exempt,
            _ => false,
        }
    })
    .map(|(_, path)| path)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_git_converts_are_named() {
        let listed = "i/lf    w/lf    attr/text=auto eol=lf \tgood.rs\n\
                      i/mixed w/mixed attr/-text            \tseed\n\
                      i/-text w/-text attr/text=auto eol=lf \tgood.bin\n\
                      i/      w/      attr/text=auto eol=lf \tlink\n\
                      i/lf    w/crlf  attr/text=auto        \tbad.rs\n\
                      i/lf    w/lf    attr/                 \tnone.rs\n\
                      i/crlf  w/lf    attr/text=auto eol=lf \tbad.txt\n";
        assert_eq!(converted(listed), ["bad.rs", "none.rs", "bad.txt"]);
    }
}
