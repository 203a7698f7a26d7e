//! The file that lists the changes to try.

use crate::files::{self, shown};
use anyhow::{Context, bail, ensure};
use bartizan_client::same_option_name;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A change to try: options without it and with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Factor {
    pub(super) name: String,
    /// Options by name, without and with the change.
    pub(super) levels: [BTreeMap<String, String>; 2],
}

/// Reads a file with a line `NAME | OPTION=VALUE … | OPTION=VALUE …` for each change: the options without and with it.
/// Either side may be empty. Blank lines and `#` comments are skipped.
///
/// # Errors
/// When the file cannot be read, or a line is wrong.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Factor>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the factors '{}'", path.display()))?;
    parse(&text).with_context(|| format!("invalid factors '{}'", path.display()))
}

fn parse(text: &str) -> anyhow::Result<Vec<Factor>> {
    let mut factors: Vec<Factor> = Vec::new();
    for (number, factor) in files::list(text, factor)? {
        let same_name = factors.iter().any(|other| other.name == factor.name);
        ensure!(!same_name, "line {number}: the factor '{}' is listed twice", shown(&factor.name));
        for option in factor.levels.iter().flat_map(BTreeMap::keys) {
            let has = |level: &BTreeMap<String, String>| level.keys().any(|other| same_option_name(other, option));
            let twice = factors.iter().find(|other| other.levels.iter().any(has));
            if let Some(other) = twice {
                let [option, other] = [option, &other.name].map(|name| shown(name));
                bail!("line {number}: the option '{option}' belongs to the factor '{other}' already");
            }
        }
        factors.push(factor);
    }
    ensure!(!factors.is_empty(), "no factors");
    Ok(factors)
}

fn factor(line: &str) -> anyhow::Result<Factor> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, without, with] = parts.as_slice() else {
        bail!("expected NAME | OPTIONS | OPTIONS, found '{}'", shown(line));
    };
    ensure!(!name.is_empty(), "the factor has no name");
    let levels = [options(without)?, options(with)?];
    ensure!(levels[0] != levels[1], "'{}' changes nothing", shown(line));
    Ok(Factor { name: name.to_owned(), levels })
}

fn options(text: &str) -> anyhow::Result<BTreeMap<String, String>> {
    text.split_whitespace()
        .map(|word| {
            let (name, value) =
                word.split_once('=').with_context(|| format!("'{}' is not OPTION=VALUE", shown(word)))?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read() {
        let factors =
            parse("# a comment\n\nlmp | lmp_base=3 | lmp_base=5\nextension | | CheckExtension=false\n").unwrap();
        assert_eq!(factors.len(), 2);
        assert_eq!(factors[0].levels[1]["lmp_base"], "5");
        assert!(factors[1].levels[0].is_empty());
    }

    #[test]
    fn errors_name_the_line() {
        for (text, what) in [
            ("", "no factors"),
            ("a | b=1", "line 1"),
            ("a | b=1 | b=1", "changes nothing"),
            ("a | b | c=1", "'b' is not OPTION=VALUE"),
            ("a | b=1 | b=2\na | c=1 | c=2", "line 2"),
            ("a | b=1 | b=2\nc | | b=3", "belongs to the factor 'a'"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
