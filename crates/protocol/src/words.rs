//! A line, read word by word, without losing the text between the words.

use std::fmt;

/// Whether `c` parts words: the blank and every character that could end a line or confuse a terminal. The writer
/// turns each of these into a blank ([`OneLine`]), so that both directions agree about what a line is.
///
/// Other Unicode spaces, such as the no-break space, may be part of a file name and do not part words.
pub(crate) fn is_blank(c: char) -> bool {
    c == ' ' || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// What is left of a line. Cheap to clone, which is how the reader looks ahead.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    /// Never begins or ends with a blank.
    rest: &'a str,
    number: usize,
}

impl<'a> Words<'a> {
    /// The words of `line`. A byte order mark in front, which some shells send down a pipe, is no part of the first.
    pub(crate) fn new(line: &'a str) -> Self {
        let rest = line.trim_start_matches(|c| c == '\u{feff}' || is_blank(c)).trim_end_matches(is_blank);
        Self { rest, number: 0 }
    }

    /// The number of the word that `next` gave last, counted from 1.
    pub(crate) fn number(&self) -> usize {
        self.number
    }

    /// The next word, not taken.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// The text not yet read, as it stands in the line, without the blanks at its ends.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Takes the text before the first word for which `stop(word, what follows it)` holds, or the whole rest when there
    /// is none. The text is as it stands in the line, without the blanks at its ends. The stop word is not taken.
    pub(crate) fn until(&mut self, stop: impl Fn(&str, &Self) -> bool) -> &'a str {
        let text = self.rest;
        loop {
            let before = self.clone();
            match self.next() {
                Some(word) if stop(word, self) => {
                    // Both end where the line ends, so the difference of their lengths is that of their beginnings.
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

impl<'a> Iterator for Words<'a> {
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

/// The words of `text` with one blank between them.
pub(crate) fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in Words::new(text) {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Longest word that an error repeats, in characters.
const EXCERPT: usize = 40;

/// A word for an error message: its beginning, if it is very long.
pub(crate) fn excerpt(word: &str) -> String {
    match word.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", word.get(..end).unwrap_or_default()),
        None => word.to_owned(),
    }
}

/// Writes text so that it stays within its line: see [`is_blank`].
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

/// Writes a keyword's text: a blank and the text, or nothing if there is none.
pub(crate) fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_their_numbers() {
        let mut words = Words::new(" \tgo  depth\u{b}5\r\n");
        assert_eq!((words.next(), words.number()), (Some("go"), 1));
        assert_eq!(words.peek(), Some("depth"));
        assert_eq!(words.rest(), "depth\u{b}5");
        assert_eq!((words.next(), words.number()), (Some("depth"), 2));
        assert_eq!((words.next(), words.number()), (Some("5"), 3));
        assert_eq!((words.next(), words.number()), (None, 3));
        assert_eq!(Words::new(" \r\n").next(), None);
        assert_eq!(Words::new("\u{feff}uci").next(), Some("uci"));
    }

    #[test]
    fn until_keeps_the_text_as_it_stands() {
        let mut words = Words::new("name  a \t b  value  c ");
        words.next();
        assert_eq!(words.until(|word, _| word == "value"), "a \t b");
        assert_eq!(words.next(), Some("value"));
        assert_eq!(words.clone().until(|word, _| word == "c"), "");
        assert_eq!(words.until(|_, _| false), "c");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(excerpt("ok"), "ok");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "…");
    }

    #[test]
    fn one_line_stays_one_line() {
        assert_eq!(OneLine("a\nb\r\n\tc\u{2028}d").to_string(), "a b   c d");
    }
}
