//! Splits a line into words and keeps the spaces between them.

use bartizan_types::Excerpt;
use std::fmt;

/// Whether `c` separates words: the space and every character that could end a line or confuse a terminal. [`OneLine`]
/// writes each of them as a space, so that the parsers and the writers agree on what a line is.
///
/// Other Unicode spaces, such as the no-break space, may be part of a file name and do not separate words.
pub(crate) fn is_blank(c: char) -> bool {
    c == ' ' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The rest of a line. Clones are cheap; the parsers use them to look ahead.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    /// Neither begins nor ends with a space.
    rest: &'a str,
    number: usize,
}

impl<'a> Tokens<'a> {
    /// The words of `line`. A byte order mark at the start, which some shells write into pipes, is skipped.
    pub(crate) fn new(line: &'a str) -> Self {
        let rest = line.trim_start_matches(|c| c == '\u{feff}' || is_blank(c)).trim_end_matches(is_blank);
        Self { rest, number: 0 }
    }

    /// The number of the last word that `next` has returned, counted from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The next word, which is not taken.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The rest of the line, without spaces at its ends.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Takes the text before the first word for which `stop(word, rest after it)` holds; if there is none, the whole
    /// rest. The text keeps its spaces, except those at its ends. The stop word is not taken.
    pub(crate) fn until(&mut self, stop: impl Fn(&str, &Self) -> bool) -> &'a str {
        let text = self.rest;
        loop {
            let before = self.clone();
            match self.next() {
                Some(word) if stop(word, self) => {
                    // Both end with the line, so the difference of their lengths is the distance of their starts.
                    let len = text.len().saturating_sub(before.rest.len());
                    *self = before;
                    return text.get(..len).unwrap_or_default().trim_end_matches(is_blank);
                }
                Some(_) => {}
                None => return text,
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(is_blank).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start_matches(is_blank);
        self.number += 1;
        Some(word)
    }
}

/// The words of `text` with one space between them.
pub(crate) fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in Tokens::new(text) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// A word for an error message, cut if it is very long.
pub(crate) fn excerpt(word: &str) -> String {
    Excerpt::new(word).to_string()
}

/// Writes text as one line: see [`is_blank`].
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, piece) in self.0.split(is_blank).enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            f.write_str(piece)?;
        }
        Ok(())
    }
}

/// Writes a space and the text; nothing if the text is empty.
pub(crate) fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

/// Writes a word and the text after it, as [`write_text`] does.
pub(crate) fn write_with(f: &mut fmt::Formatter<'_>, word: &str, text: &str) -> fmt::Result {
    f.write_str(word)?;
    write_text(f, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_numbers() {
        let mut words = Tokens::new(" \tgo  depth\u{b}5\r\n");
        assert_eq!((words.next(), words.number()), (Some("go"), 1));
        assert_eq!(words.peek(), Some("depth"));
        assert_eq!(words.rest(), "depth\u{b}5");
        assert_eq!((words.next(), words.number()), (Some("depth"), 2));
        assert_eq!((words.next(), words.number()), (Some("5"), 3));
        assert_eq!((words.next(), words.number()), (None, 3));
        assert_eq!(Tokens::new(" \r\n").next(), None);
        assert_eq!(Tokens::new("\u{feff}uci").next(), Some("uci"));
    }

    #[test]
    fn until_keeps_the_text_as_it_stands() {
        let mut words = Tokens::new("name  a \t b  value  c ");
        words.next();
        assert_eq!(words.until(|word, _| word == "value"), "a \t b");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.clone().until(|word, _| word == "c"), "");
        assert_eq!(words.until(|_, _| false), "c");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(OneLine("a\nb\r\n\tc\u{2028}d").to_string(), "a b   c d");
    }
}
