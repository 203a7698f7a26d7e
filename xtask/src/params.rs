//! `cargo xtask params`: the numbers of the evaluation as Rust source, from the weights file that the tuner wrote.
//!
//! The head of the source, down to the line with the opening bracket, is kept: it says who writes the file and what the
//! numbers are. Below it stand the tables of all terms, each under a comment with its name. That is what
//! `bartizan_eval::weights::write_source` writes too; xtask may not ask it, because the evaluation is built on
//! generated files that xtask repairs.

use crate::error::{Error, Result};
use crate::files;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// How many weights stand on a line.
const PER_LINE: usize = 8;

fn weights_path() -> PathBuf {
    files::root().join("testdata/tuning/weights.json")
}

/// Where the numbers go.
pub(crate) fn path() -> PathBuf {
    files::root().join("crates/eval/src/weights/values.rs")
}

/// A term's name and its weights.
type Term = (String, Vec<(i64, i64)>);

/// Writes the source from the weights file. Says what it did.
pub(crate) fn write() -> Result<String> {
    let (weights, path) = (weights_path(), path());
    let terms = terms(&weights, &files::read(&weights)?)?;
    let found = files::read(&path)?;
    files::replace(&path, &source(head(&path, &found)?, &terms))?;
    Ok(format!("wrote {} from {}", files::shown(&path), files::shown(&weights)))
}

/// Fails unless the source is what [`write()`] would make. Says what it compared.
pub(crate) fn check() -> Result<String> {
    let (weights, path) = (weights_path(), path());
    let terms = terms(&weights, &files::read(&weights)?)?;
    compare(&path, &files::read(&path)?, &terms)?;
    Ok(format!("{} is what `cargo xtask params` writes from {}", files::shown(&path), files::shown(&weights)))
}

fn compare(path: &Path, found: &str, terms: &[Term]) -> Result<()> {
    let expected = source(head(path, found)?, terms);
    if found == expected {
        return Ok(());
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let what =
        "not what `cargo xtask params` writes: run it, or tune again if terms were added or taken away".to_owned();
    Err(Error::Line { path: path.to_owned(), line: same + 1, what })
}

/// The terms of a weights file.
fn terms(path: &Path, text: &str) -> Result<Vec<Term>> {
    let error = |line: usize, what: String| Error::Line { path: path.to_owned(), line, what };
    let file: Value = serde_json::from_str(text).map_err(|e| error(e.line(), e.to_string()))?;
    let terms = file["terms"].as_array().ok_or_else(|| error(1, "there is no list \"terms\"".to_owned()))?;
    let term = |term: &Value| -> Option<Term> {
        let pair = |pair: &Value| {
            let half = |half: &Value| half.as_i64().filter(|&half| i16::try_from(half).is_ok());
            match pair.as_array()?.as_slice() {
                [mg, eg] => Some((half(mg)?, half(eg)?)),
                _ => None,
            }
        };
        Some((term["name"].as_str()?.to_owned(), term["values"].as_array()?.iter().map(pair).collect::<Option<_>>()?))
    };
    let numbered = terms.iter().enumerate();
    numbered
        .map(|(index, value)| {
            term(value).ok_or_else(|| error(1, format!("term {} has no name or no pairs", index + 1)))
        })
        .collect()
}

/// The source down to the line that opens the array, and with it.
fn head<'a>(path: &Path, source: &'a str) -> Result<&'a str> {
    let opening = source.find("= [\n").map(|at| at + "= [\n".len());
    let what = || "no line ends with `= [`, where the weights should begin".to_owned();
    opening.map(|end| &source[..end]).ok_or_else(|| Error::Line { path: path.to_owned(), line: 1, what: what() })
}

fn source(head: &str, terms: &[Term]) -> String {
    let mut text = head.to_owned();
    for (name, weights) in terms {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    // {name}");
        for line in weights.chunks(PER_LINE) {
            let weights: Vec<String> = line.iter().map(|(mg, eg)| format!("s({mg:4}, {eg:4}),")).collect();
            let _ = writeln!(text, "    {}", weights.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: &str = r#"{"terms": [
        {"name": "MATERIAL", "values": [[88,112],[340,310],[1,-2],[3,4],[5,6],[7,8],[9,10],[11,12],[13,-1400]]},
        {"name": "TEMPO", "values": [[12,0]]}
    ]}"#;
    const SOURCE: &str = "//! Head.\nstatic WEIGHTS: [Score; 10] = [\n    // MATERIAL\n    \
        s(  88,  112), s( 340,  310), s(   1,   -2), s(   3,    4), s(   5,    6), s(   7,    8), s(   9,   10), s(  11,   12),\n    \
        s(  13, -1400),\n    // TEMPO\n    s(  12,    0),\n];\n";

    fn parsed(text: &str) -> Result<Vec<Term>> {
        terms(Path::new("weights.json"), text)
    }

    #[test]
    fn the_source_is_made_of_head_and_weights() {
        let path = Path::new("values.rs");
        let terms = parsed(WEIGHTS).unwrap();
        assert_eq!(source(head(path, SOURCE).unwrap(), &terms), SOURCE);
        compare(path, SOURCE, &terms).unwrap();
        let error = compare(path, &SOURCE.replace("  12,    0", "  12,    1"), &terms).unwrap_err();
        assert!(error.to_string().starts_with("values.rs:7: not what `cargo xtask params` writes"), "{error}");
        let error = compare(path, SOURCE, &parsed(r#"{"terms": []}"#).unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("values.rs:3: "), "{error}");
        assert!(compare(path, "nothing", &terms).is_err());
    }

    #[test]
    fn broken_weights_are_named() {
        for (text, expected) in [
            ("{\n,", "weights.json:2: "),
            ("{}", "weights.json:1: there is no list \"terms\""),
            (r#"{"terms": [{"name": "A", "values": [[1]]}]}"#, "weights.json:1: term 1 has no name or no pairs"),
            (r#"{"terms": [{"name": "A", "values": [[1,40000]]}]}"#, "weights.json:1: term 1 has"),
        ] {
            let error = parsed(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
