//! `cargo xtask eco`: copies the table of openings into the crate that compiles it.
//!
//! A published package cannot read files outside of it, so `crates/book` has a copy of `testdata/eco/eco.tsv`. Its
//! build script finds the position of each line, and fails if a move is not legal or two lines lead to one position.

use crate::error::{Error, Result};
use crate::{files, generated, run};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The fewest lines that the table may have.
const FEWEST: usize = 3_000;

fn source() -> PathBuf {
    files::root().join("testdata/eco/eco.tsv")
}

fn copy() -> PathBuf {
    files::root().join("crates/book/eco.tsv")
}

/// Checks the table and copies it. Returns what it did.
pub(crate) fn write() -> Result<String> {
    let (source, copy) = (source(), copy());
    let text = files::read(&source)?;
    let lines = check_text(&source, &text)?;
    files::replace(&copy, &text)?;
    compile()?;
    Ok(format!("wrote {} with {lines} lines from {}", files::shown(&copy), files::shown(&source)))
}

/// Fails unless the table is in order and the copy is the same. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let (source, copy) = (source(), copy());
    let text = files::read(&source)?;
    let lines = check_text(&source, &text)?;
    generated::compare(&copy, &files::read(&copy)?, &text, "cargo xtask eco")?;
    compile()?;
    Ok(format!("{lines} lines are legal, have one position each and all codes from A00 to E99"))
}

/// Builds the crate, whose build script checks the moves and the positions. That costs nothing if it has been built.
fn compile() -> Result<()> {
    run::cargo(&run::args(&["build", "--quiet", "-p", "bartizan-book"]))
}

/// Checks what can be checked without a board: order, number of lines, codes. Returns the number of lines.
fn check_text(path: &Path, text: &str) -> Result<usize> {
    let mut codes = BTreeSet::new();
    let mut last = ("", "");
    for (number, line) in (1..).zip(text.lines()) {
        let error = |what: String| Error::Line { path: path.to_owned(), line: number, what };
        let mut fields = line.split('\t');
        let (Some(code), Some(_), Some(moves), None) = (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(error("expected a code, a name and moves, separated by tabs".to_owned()));
        };
        if last >= (code, moves) {
            return Err(error("the line is not in order: sort by code, then by moves".to_owned()));
        }
        last = (code, moves);
        codes.insert(code);
    }
    let all = ('A'..='E').flat_map(|volume| (0..100).map(move |number| format!("{volume}{number:02}")));
    let missing: Vec<String> = all.filter(|code| !codes.contains(code.as_str())).collect();
    let (lines, shown) = (text.lines().count(), files::shown(path));
    if !missing.is_empty() {
        Err(Error::Check(format!("{shown} lacks the codes {}", missing.join(", "))))
    } else if lines < FEWEST {
        Err(Error::Check(format!("{shown} has {lines} lines, fewer than {FEWEST}")))
    } else {
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_its_copy_are_in_order() {
        let text = files::read(&source()).unwrap();
        assert!(check_text(&source(), &text).unwrap() >= FEWEST);
        assert_eq!(files::read(&copy()).unwrap(), text);
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| check_text(Path::new("eco.tsv"), text).unwrap_err().to_string();
        assert!(fault("A00\tx\t1. a3\nA00\tx\t1. a3\n").starts_with("eco.tsv:2: the line is not in order"));
        assert!(fault("A00 x\n").starts_with("eco.tsv:1: expected a code"));
        assert!(fault("A00\tx\t1. a3\n").starts_with("eco.tsv lacks the codes A01, A02, "));
        let short: String = ('A'..='E').flat_map(|v| (0..100).map(move |n| format!("{v}{n:02}\tx\t1. a3\n"))).collect();
        assert_eq!(fault(&short), "eco.tsv has 500 lines, fewer than 3000");
    }
}
