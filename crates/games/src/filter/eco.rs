//! Ranges of ECO codes.

use std::str::FromStr;

/// ECO codes: `B90`, all codes that begin with `C4`, a range `B90-B99`, or a comma-separated list of these.
///
/// ```
/// use bartizan_games::filter::EcoRanges;
///
/// let codes: EcoRanges = "B90-B99,C4".parse()?;
/// assert!(codes.contains("B94") && codes.contains("c42") && !codes.contains("C50"));
/// # Ok::<(), bartizan_games::filter::EcoError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EcoRanges(Vec<(String, String)>);

/// A text is not a range of ECO codes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected ECO codes, such as B90, C4 or B90-B99")]
pub struct EcoError;

impl EcoRanges {
    /// Whether a code is in a range. Characters after the third, which Scid and others append, are ignored.
    pub fn contains(&self, code: &str) -> bool {
        let Some(code) = code.trim().get(..3) else { return false };
        let code = code.to_ascii_uppercase();
        self.0.iter().any(|(first, last)| *first <= code && code <= *last)
    }
}

impl FromStr for EcoRanges {
    type Err = EcoError;

    fn from_str(text: &str) -> Result<Self, EcoError> {
        text.split(',').map(range).collect::<Option<_>>().map(Self).ok_or(EcoError)
    }
}

fn range(text: &str) -> Option<(String, String)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (code(first, '0')?, code(last, '9')?);
    (first <= last).then_some((first, last))
}

/// A code, padded with a digit.
fn code(text: &str, fill: char) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let mut bytes = text.bytes();
    let is_code =
        matches!(bytes.next(), Some(b'A'..=b'E')) && text.len() <= 3 && bytes.all(|byte| byte.is_ascii_digit());
    is_code.then(|| text.chars().chain(std::iter::repeat(fill)).take(3).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let contains = |ranges: &str, code: &str| ranges.parse::<EcoRanges>().unwrap().contains(code);
        assert!(contains("B", "B00") && contains("B", "B99") && !contains("B", "C00"));
        assert!(contains("A1-B2", "B29z") && !contains("A1-B2", "B30") && !contains("A1-B2", "A09"));
        assert!(!contains("A", "") && !contains("A", "?") && !contains("A", "A0é"));
        for wrong in ["", "F00", "B100", "B9-B8", "B90,", "Bx", "é"] {
            assert_eq!(wrong.parse::<EcoRanges>(), Err(EcoError), "{wrong}");
        }
    }
}
