//! The changes to try.

use crate::paired::{EngineOptions, ListError, list, shown};
use bartizan_client::same_option_name;
use serde::{Deserialize, Serialize};

/// A change to try: options without it and with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Factor {
    /// The name of the change.
    pub name: String,
    /// The options without and with the change.
    pub levels: [EngineOptions; 2],
}

impl Factor {
    /// Reads a list with a line `NAME | OPTION=VALUE … | OPTION=VALUE …` for each change: the options without and with
    /// it. Either side may be empty. Blank lines and `#` comments are skipped.
    ///
    /// # Errors
    /// [`ListError`] for the first invalid line.
    pub fn list(text: &str) -> Result<Vec<Self>, ListError> {
        list(text, "factors", |before: &[Self], line| {
            let factor = factor(line)?;
            if before.iter().any(|other| other.name == factor.name) {
                return Err(format!("the factor '{}' is listed twice", shown(&factor.name)));
            }
            for option in factor.levels.iter().flat_map(EngineOptions::keys) {
                let has = |level: &EngineOptions| level.keys().any(|other| same_option_name(other, option));
                if let Some(other) = before.iter().find(|other| other.levels.iter().any(has)) {
                    let [option, other] = [option, &other.name].map(|name| shown(name));
                    return Err(format!("the option '{option}' belongs to the factor '{other}' already"));
                }
            }
            Ok(factor)
        })
    }
}

fn factor(line: &str) -> Result<Factor, String> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, without, with] = parts.as_slice() else {
        return Err(format!("expected NAME | OPTIONS | OPTIONS, found '{}'", shown(line)));
    };
    if name.is_empty() {
        return Err("the factor has no name".to_owned());
    }
    let levels = [options(without)?, options(with)?];
    if levels[0] == levels[1] {
        return Err(format!("'{}' changes nothing", shown(line)));
    }
    Ok(Factor { name: name.to_owned(), levels })
}

fn options(text: &str) -> Result<EngineOptions, String> {
    let option = |word: &str| {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("'{}' is not OPTION=VALUE", shown(word)))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    text.split_whitespace().map(option).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read() {
        let factors =
            Factor::list("# a comment\n\nlmp | lmp_base=3 | lmp_base=5\nextension | | CheckExtension=false\n").unwrap();
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
            let error = Factor::list(text).unwrap_err().to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
