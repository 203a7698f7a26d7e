//! Excerpts of untrusted text.

use crate::Escaped;
use core::fmt;

/// The beginning of a text, quoted in an error message and [`Escaped`]. The rest is shown as `…`, so that messages stay
/// short however long the text is.
///
/// ```
/// use bartizan_types::Excerpt;
/// assert_eq!(Excerpt::new("e2e5").to_string(), "e2e5");
/// assert_eq!(Excerpt::with_length("stockfish", 5).to_string(), "stock…");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Excerpt<'a> {
    text: &'a str,
    is_cut: bool,
}

impl<'a> Excerpt<'a> {
    /// The number of characters that [`Excerpt::new`] shows: enough for any word of a protocol or file format.
    pub const WORD: usize = 40;

    /// A number of characters that fits whole lines, such as a command with a FEN.
    pub const LINE: usize = 100;

    /// The first [`Excerpt::WORD`] characters of a text.
    pub fn new(text: &'a str) -> Self {
        Self::with_length(text, Self::WORD)
    }

    /// The first `length` characters of a text.
    pub fn with_length(text: &'a str, length: usize) -> Self {
        match text.char_indices().nth(length).and_then(|(end, _)| text.get(..end)) {
            Some(text) => Self { text, is_cut: true },
            None => Self { text, is_cut: false },
        }
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped(self.text).fmt(f)?;
        if self.is_cut { f.write_str("…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn long_texts_are_cut_between_characters() {
        for (text, length, expected) in [
            ("", 0, ""),
            ("a", 0, "…"),
            ("ok", 2, "ok"),
            ("ééé", 3, "ééé"),
            ("ééé", 2, "éé…"),
            ("漢é", 1, "漢…"),
            ("a\nb", 2, "a\\n…"),
        ] {
            assert_eq!(Excerpt::with_length(text, length).to_string(), expected);
        }
        let long = "x".repeat(1 << 20);
        assert_eq!(Excerpt::new(&long).to_string().chars().count(), Excerpt::WORD + 1);
    }
}
