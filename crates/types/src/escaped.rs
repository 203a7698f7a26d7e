//! Untrusted text for a terminal.

use alloc::string::String;
use core::fmt::{self, Write};

/// Shows text that comes from outside, such as a file name, a tag or an engine's output, so that it can neither control
/// a terminal nor forge a line of the output.
///
/// Control characters, line breaks of every kind, and the characters that reverse the direction of writing are shown as
/// JSON writes them in a string: `\n`, `\u001b`. Everything else is left as it is, so most text is unchanged.
///
/// ```
/// use bartizan_types::Escaped;
/// assert_eq!(Escaped("Réti, Richard").to_string(), "Réti, Richard");
/// assert_eq!(Escaped("\x1b[2J\nerror").to_string(), r"\u001b[2J\nerror");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Escaped<T>(
    /// The text.
    pub T,
);

impl<T: fmt::Display> Escaped<T> {
    /// Text of several lines: line feeds and tabs are left as they are. JSON keeps its meaning.
    pub fn lines(text: T) -> impl fmt::Display {
        Lines(text)
    }
}

impl<T: fmt::Display> fmt::Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return write!(Escaping { to: f, keeps: "" }, "{}", self.0);
        }
        let mut text = String::new();
        write!(Escaping { to: &mut text, keeps: "" }, "{}", self.0)?;
        f.pad(&text)
    }
}

/// See [`Escaped::lines`].
struct Lines<T>(T);

impl<T: fmt::Display> fmt::Display for Lines<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping { to: f, keeps: "\n\t" }, "{}", self.0)
    }
}

/// Escapes what is written to it.
struct Escaping<'a, W> {
    to: &'a mut W,
    /// The special characters to leave as they are.
    keeps: &'static str,
}

impl<W: Write> Write for Escaping<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The start of the unwritten text.
        let mut rest = 0;
        for (at, special) in text.char_indices().filter(|&(_, c)| is_special(c) && !self.keeps.contains(c)) {
            self.to.write_str(&text[rest..at])?;
            match special {
                '\n' => self.to.write_str("\\n"),
                '\r' => self.to.write_str("\\r"),
                '\t' => self.to.write_str("\\t"),
                _ => write!(self.to, "\\u{:04x}", u32::from(special)),
            }?;
            rest = at + special.len_utf8();
        }
        self.to.write_str(&text[rest..])
    }
}

/// Whether a terminal may act on a character: controls, line and paragraph separators, and the embeddings, overrides
/// and isolates of the Unicode Bidirectional Algorithm.
fn is_special(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn what_a_terminal_may_act_on_is_escaped() {
        for (text, shown) in [
            ("", ""),
            ("Kasparov, G. «a\\b» 漢", "Kasparov, G. «a\\b» 漢"),
            ("\0\x07\x1b\x7f", "\\u0000\\u0007\\u001b\\u007f"),
            ("\u{80}\u{85}\u{9b}31m\u{a0}", "\\u0080\\u0085\\u009b31m\u{a0}"),
            ("a\r\n\tb\u{b}\u{c}", "a\\r\\n\\tb\\u000b\\u000c"),
            ("\u{2027}\u{2028}\u{2029}\u{202a}\u{202e}\u{202f}", "\u{2027}\\u2028\\u2029\\u202a\\u202e\u{202f}"),
            ("\u{2065}\u{2066}\u{2069}\u{206a}", "\u{2065}\\u2066\\u2069\u{206a}"),
        ] {
            assert_eq!(Escaped(text).to_string(), shown, "{text:?}");
        }
    }

    #[test]
    fn text_is_padded_and_cut_after_escaping() {
        assert_eq!(
            format!("{:<6}|{:>5}|{:.3}", Escaped("a\nb"), Escaped("é"), Escaped("ab\x1b")),
            "a\\nb  |    é|ab\\"
        );
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(Escaped::lines("a\tb\n\x1bc\r\n").to_string(), "a\tb\n\\u001bc\\r\n");
    }

    proptest! {
        #[test]
        fn json_means_the_same(text in "\\PC*|[\"\\\\a\u{1b}\u{7f}\u{9b}\n\u{2028}\u{202e}]*") {
            let json = serde_json::to_string_pretty(&[&text]).unwrap();
            let shown = Escaped::lines(&json).to_string();
            prop_assert!(!shown.chars().any(|c| is_special(c) && c != '\n'));
            prop_assert_eq!(serde_json::from_str::<std::vec::Vec<String>>(&shown).unwrap(), [text]);
        }
    }
}
