//! The file of factors.

use crate::files;
use anyhow::{Context, bail, ensure};
use std::collections::BTreeMap;
use std::path::Path;

/// A change that is tried: what options are now, and what they might be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    pub(super) name: String,
    /// Options by name, as they are and as they might be.
    pub(super) levels: [BTreeMap<String, String>; 2],
}

/// Reads a file: a line `NAME | OPTION=VALUE … | OPTION=VALUE …` for each factor, without and with the change; either side
/// may be empty. Empty lines and those that begin with `#` are passed over.
///
/// # Errors
/// Names the line and what is wrong with it.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Factor>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| path.display().to_string())
}

fn parse(text: &str) -> anyhow::Result<Vec<Factor>> {
    let mut factors: Vec<Factor> = Vec::new();
    for (number, factor) in files::list(text, factor)? {
        let same_name = factors.iter().any(|other| other.name == factor.name);
        ensure!(!same_name, "line {number}: the factor {} is there already", factor.name);
        for option in factor.levels.iter().flat_map(BTreeMap::keys) {
            let twice = factors.iter().find(|other| other.levels.iter().any(|level| level.contains_key(option)));
            if let Some(other) = twice {
                bail!("line {number}: the option {option} belongs to the factor {} already", other.name);
            }
        }
        factors.push(factor);
    }
    ensure!(!factors.is_empty(), "there is no factor");
    Ok(factors)
}

fn factor(line: &str) -> anyhow::Result<Factor> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, without, with] = parts.as_slice() else {
        bail!("'{line}' is not NAME | OPTIONS | OPTIONS");
    };
    ensure!(!name.is_empty(), "'{line}' has no name");
    let levels = [options(without)?, options(with)?];
    ensure!(levels[0] != levels[1], "'{line}' changes nothing");
    Ok(Factor { name: name.to_owned(), levels })
}

fn options(text: &str) -> anyhow::Result<BTreeMap<String, String>> {
    text.split_whitespace()
        .map(|word| {
            let (name, value) = word.split_once('=').with_context(|| format!("'{word}' is not OPTION=VALUE"))?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file() {
        let factors =
            parse("# a comment\n\nlmp | lmp_base=3 | lmp_base=5\nextension | | CheckExtension=false\n").unwrap();
        assert_eq!(factors.len(), 2);
        assert_eq!(factors[0].levels[1]["lmp_base"], "5");
        assert!(factors[1].levels[0].is_empty());
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, what) in [
            ("", "no factor"),
            ("a | b=1", "line 1"),
            ("a | b=1 | b=1", "changes nothing"),
            ("a | b | c=1", "'b' is not OPTION=VALUE"),
            ("a | b=1 | b=2\na | c=1 | c=2", "line 2"),
            ("a | b=1 | b=2\nc | | b=3", "belongs to the factor a"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
