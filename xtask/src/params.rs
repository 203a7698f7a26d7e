//! `cargo xtask params`: writes the evaluation weights as source for the compiler, from the tuner's weights file.
//!
//! The header of the file is kept. The weights of all terms follow, each term under a comment with its name.
//! `bartizan_eval::weights::write_source` writes the same text. This task cannot call it, because the evaluation
//! depends on generated files that xtask repairs.

use crate::error::{Error, Result};
use crate::{files, generated};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The number of weights per line.
const PER_LINE: usize = 8;

/// The end of the header's last line.
const OPENING: &str = "Do not edit.";

fn weights_path() -> PathBuf {
    files::root().join("testdata/tuning/weights.json")
}

/// The generated file.
pub(crate) fn path() -> PathBuf {
    files::root().join("crates/eval/src/weights/values.txt")
}

/// The name of a term and its weights.
type Term = (String, Vec<(i64, i64)>);

/// Writes the source from the weights file. Returns what it did.
pub(crate) fn write() -> Result<String> {
    let (weights, path) = (weights_path(), path());
    let terms = terms(&weights, &files::read(&weights)?)?;
    let found = files::read(&path)?;
    files::replace(&path, &source(generated::head(&path, &found, OPENING)?, &terms))?;
    Ok(format!("wrote {} from {}", files::shown(&path), files::shown(&weights)))
}

/// Fails unless the source equals the output of [`write()`]. Returns what it checked.
pub(crate) fn check() -> Result<String> {
    let (weights, path) = (weights_path(), path());
    let terms = terms(&weights, &files::read(&weights)?)?;
    let found = files::read(&path)?;
    let expected = source(generated::head(&path, &found, OPENING)?, &terms);
    generated::compare(&path, &found, &expected, "cargo xtask params")?;
    Ok(format!("{} matches `cargo xtask params` from {}", files::shown(&path), files::shown(&weights)))
}

/// Parses the terms of a weights file.
fn terms(path: &Path, text: &str) -> Result<Vec<Term>> {
    let error = |line: usize, what: String| Error::Line { path: path.to_owned(), line, what };
    let file: Value = serde_json::from_str(text).map_err(|e| error(e.line(), e.to_string()))?;
    let terms = file["terms"].as_array().ok_or_else(|| error(1, "missing list \"terms\"".to_owned()))?;
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
            term(value).ok_or_else(|| error(1, format!("term {}: expected a name and pairs of numbers", index + 1)))
        })
        .collect()
}

fn source(head: &str, terms: &[Term]) -> String {
    let mut text = head.to_owned();
    for (name, weights) in terms {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# {name}");
        for line in weights.chunks(PER_LINE) {
            let weights: Vec<String> = line.iter().map(|(mg, eg)| format!("{mg:4} {eg:4}")).collect();
            let _ = writeln!(text, "{}", weights.join(", "));
        }
    }
    text.push_str("# end\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: &str = r#"{"terms": [
        {"name": "MATERIAL", "values": [[88,112],[340,310],[1,-2],[3,4],[5,6],[7,8],[9,10],[11,12],[13,-1400]]},
        {"name": "TEMPO", "values": [[12,0]]}
    ]}"#;
    const SOURCE: &str = "# Head. Do not edit.\n# MATERIAL\n  \
        88  112,  340  310,    1   -2,    3    4,    5    6,    7    8,    9   10,   11   12\n  \
        13 -1400\n# TEMPO\n  12    0\n# end\n";

    fn parsed(text: &str) -> Result<Vec<Term>> {
        terms(Path::new("weights.json"), text)
    }

    #[test]
    fn the_source_consists_of_head_and_weights() {
        let terms = parsed(WEIGHTS).unwrap();
        assert_eq!(source(generated::head(Path::new("a.txt"), SOURCE, OPENING).unwrap(), &terms), SOURCE);
    }

    #[test]
    fn invalid_weights_are_reported() {
        for (text, expected) in [
            ("{\n,", "weights.json:2: "),
            ("{}", "weights.json:1: missing list \"terms\""),
            (r#"{"terms": [{"name": "A", "values": [[1]]}]}"#, "weights.json:1: term 1: expected a name and pairs"),
            (r#"{"terms": [{"name": "A", "values": [[1,40000]]}]}"#, "weights.json:1: term 1: expected"),
        ] {
            let error = parsed(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
