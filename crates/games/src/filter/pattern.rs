//! Text that a tag must contain.

use regex::{Regex, RegexBuilder};
use std::str::FromStr;

/// A text to find in a tag value, ignoring case, or `/a regular expression/`, which is case-sensitive unless an `i`
/// follows the second slash.
///
/// ```
/// use bartizan_games::filter::Pattern;
///
/// let name: Pattern = "carlsen".parse()?;
/// assert!(name.matches("Carlsen, Magnus"));
/// let whole: Pattern = "/^Tal, M(ikhail)?$/".parse()?;
/// assert!(whole.matches("Tal, M") && !whole.matches("Talwalkar, M"));
/// # Ok::<(), bartizan_games::filter::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// A regular expression is not valid.
#[derive(Clone, Debug, thiserror::Error)]
#[error(transparent)]
pub struct PatternError(#[from] regex::Error);

impl Pattern {
    /// Whether a text matches.
    pub fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let inner = text.strip_prefix('/');
        let (expression, ignores_case) = match inner.and_then(|rest| rest.rsplit_once('/')) {
            Some((expression, "")) => (expression.to_owned(), false),
            Some((expression, "i")) => (expression.to_owned(), true),
            _ => (regex::escape(text), true),
        };
        Ok(Self(RegexBuilder::new(&expression).case_insensitive(ignores_case).build()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_literal_and_expressions_are_not() {
        let matches = |pattern: &str, text: &str| pattern.parse::<Pattern>().unwrap().matches(text);
        assert!(
            matches("réti", "RÉTI, Richard") && matches("", "x") && matches("a.b", "A.B") && !matches("a.b", "axb")
        );
        assert!(matches("/a.b/", "axb") && !matches("/A.B/", "axb") && matches("/A.B/i", "axb"));
        assert!(matches("/", "a/b") && matches("/usr/x", "/usr/xy") && matches("//", ""));
        assert!("/(/".parse::<Pattern>().is_err());
    }
}
