//! The tokens of PGN.

use super::PgnErrorKind;
use crate::text::{Line, LineReader, is_blank};
use std::io::BufRead;
use std::ops::Range;

/// A token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// `{ … }` or `; …`, with its words separated by single spaces.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A word of the movetext, as a byte range of the line.
    Word(Range<usize>),
    /// The end of the input.
    End,
}

/// Splits lines into tokens.
#[derive(Debug)]
pub(super) struct Lexer<R> {
    lines: LineReader<R>,
    /// The offset of the rest of the line.
    at: usize,
    /// A byte offset in the line and its column.
    mark: (usize, usize),
    /// The line and column of the last token.
    place: (usize, usize),
}

impl<R: BufRead> Lexer<R> {
    /// The greatest length of a comment in bytes.
    pub(super) const COMMENT_LIMIT: usize = 1 << 20;

    pub(super) fn new(reader: R) -> Self {
        Self { lines: LineReader::new(reader), at: 0, mark: (0, 1), place: (1, 1) }
    }

    /// The line and column of the last token, from 1.
    pub(super) fn place(&self) -> (usize, usize) {
        self.place
    }

    /// Records the place of a token. Columns are counted from the last token on, so that the time is linear in the
    /// length of the line.
    fn begin(&mut self) {
        let (byte, column) = self.mark;
        let column = column + self.lines.text[byte..self.at].chars().count();
        self.mark = (self.at, column);
        self.place = (self.lines.number.max(1), column);
    }

    /// The text of a word.
    pub(super) fn word(&self, range: Range<usize>) -> &str {
        self.lines.text.get(range).unwrap_or_default()
    }

    fn rest(&self) -> &str {
        &self.lines.text[self.at..]
    }

    /// Reads the next line; `false` at the end of the input.
    fn next_line(&mut self) -> Result<bool, PgnErrorKind> {
        self.at = 0;
        self.mark = (0, 1);
        match self.lines.next_line()? {
            Line::Read => Ok(true),
            Line::End => Ok(false),
            Line::TooLong => {
                self.begin();
                Err(PgnErrorKind::TooLong)
            }
        }
    }

    /// Reads the next token. After an error, the lexer has skipped the invalid text and can continue, unless it is an
    /// I/O error.
    pub(super) fn next(&mut self) -> Result<Token, PgnErrorKind> {
        loop {
            self.at = self.lines.text.len() - self.rest().trim_start_matches(is_blank).len();
            if !self.rest().is_empty() {
                break;
            }
            if !self.next_line()? {
                self.begin();
                return Ok(Token::End);
            }
            // Lines that begin with `%` are for other programs.
            if self.rest().starts_with('%') {
                self.at = self.lines.text.len();
            }
        }
        self.begin();
        let Some(first) = self.rest().chars().next() else { return Ok(Token::End) };
        match first {
            '[' => self.tag(),
            '{' => self.comment(),
            ';' => {
                let mut comment = String::new();
                append_words(&mut comment, &self.rest()[1..]);
                self.at = self.lines.text.len();
                Ok(Token::Comment(comment))
            }
            '(' => self.single(Token::Open),
            ')' => self.single(Token::Close),
            '}' | ']' | '"' => {
                self.at += 1;
                Err(PgnErrorKind::Unexpected(first))
            }
            _ => {
                let from = self.at;
                self.at += word_length(self.rest());
                Ok(Token::Word(from..self.at))
            }
        }
    }

    fn single(&mut self, token: Token) -> Result<Token, PgnErrorKind> {
        self.at += 1;
        Ok(token)
    }

    /// Reads a tag. Skips the rest of the line if the tag is invalid.
    fn tag(&mut self) -> Result<Token, PgnErrorKind> {
        match parse_tag(self.rest()) {
            Some((name, value, length)) => {
                self.at += length;
                Ok(Token::Tag(name, value))
            }
            None => {
                self.at = self.lines.text.len();
                Err(PgnErrorKind::Tag)
            }
        }
    }

    fn comment(&mut self) -> Result<Token, PgnErrorKind> {
        let mut comment = String::new();
        self.at += 1;
        loop {
            let rest = &self.lines.text[self.at..];
            let end = rest.find('}');
            // A comment that is too long is still skipped to its end.
            if comment.len() <= Self::COMMENT_LIMIT {
                append_words(&mut comment, &rest[..end.unwrap_or(rest.len())]);
            }
            if let Some(end) = end {
                self.at += end + 1;
                break;
            }
            // Where another game seems to begin, the closing brace is missing: do not skip all games that follow.
            if !self.next_line()? || self.rest().starts_with("[Event \"") {
                return Err(PgnErrorKind::UnterminatedComment);
            }
        }
        if comment.len() > Self::COMMENT_LIMIT { Err(PgnErrorKind::TooLong) } else { Ok(Token::Comment(comment)) }
    }
}

/// Appends the words of a text, separated by single spaces.
pub(super) fn append_words(to: &mut String, text: &str) {
    let words = text.split(is_blank).filter(|word| !word.is_empty());
    for word in words {
        if !to.is_empty() {
            to.push(' ');
        }
        to.push_str(word);
    }
}

/// The length in bytes of the word at the start of a text, which is at least one character.
fn word_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    // `*` is a word by itself.
    if text.starts_with('*') {
        return 1;
    }
    while let Some((at, c)) = chars.next() {
        match c {
            // A promotion as `e8(Q)`.
            '(' if is_promotion(&text[at..]) => {
                chars.nth(1);
            }
            '{' | '}' | '(' | ')' | '[' | ']' | ';' | '"' | '$' | '*' => return at,
            c if is_blank(c) => return at,
            _ => {}
        }
    }
    text.len()
}

fn is_promotion(text: &str) -> bool {
    matches!(text.as_bytes(), [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..])
}

/// The name, the value and the length of the tag at the start of a text.
fn parse_tag(text: &str) -> Option<(String, String, usize)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let name = &inner[..inner.find(|c: char| c.is_whitespace() || c == '"')?];
    if name.is_empty() || name.contains(['[', ']', '{', '}', '(', ')', ';']) {
        return None;
    }
    let quoted = inner[name.len()..].trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = quoted.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next_if(|&(_, next)| matches!(next, '"' | '\\')) {
                Some((_, escaped)) => value.push(escaped),
                None => value.push('\\'),
            },
            '"' => {
                // Some programs do not escape quotation marks: only the last one ends the value.
                let after = quoted[at + 1..].trim_start();
                match after.strip_prefix(']') {
                    Some(rest) => return Some((name.to_owned(), value, text.len() - rest.len())),
                    None if after.is_empty() => return Some((name.to_owned(), value, text.len())),
                    None => value.push('"'),
                }
            }
            _ => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut all = Vec::new();
        loop {
            match lexer.next() {
                Ok(Token::End) => return all,
                Ok(Token::Word(range)) => all.push(lexer.word(range).to_owned()),
                Ok(token) => all.push(format!("{token:?}")),
                Err(error) => all.push(format!("{:?} {error}", lexer.place())),
            }
        }
    }

    #[test]
    fn movetext() {
        assert_eq!(tokens("1. e4$1 e5(d5 c5)1-0"), ["1.", "e4", "$1", "e5", "Open", "d5", "c5", "Close", "1-0"]);
        assert_eq!(tokens("e8(Q)+ e8(Qe7) e4*"), ["e8(Q)+", "e8", "Open", "Qe7", "Close", "e4", "*"]);
        assert_eq!(tokens("a{b\n  c }d;e f\n%g\nh"), ["a", "Comment(\"b c\")", "d", "Comment(\"e f\")", "h"]);
        assert_eq!(tokens("a ] b }"), ["a", "(1, 3) unexpected ']'", "b", "(1, 7) unexpected '}'"]);
    }

    #[test]
    fn tags() {
        assert_eq!(tokens(r#"[A "x"][B  "y" ]"#), [r#"Tag("A", "x")"#, r#"Tag("B", "y")"#]);
        assert_eq!(tokens(r#"[ A "\"x\\ \y"]"#), [r#"Tag("A", "\"x\\ \\y")"#]);
        assert_eq!(tokens(r#"[A "the "best" move"]"#), [r#"Tag("A", "the \"best\" move")"#]);
        let wrong = "invalid tag: expected a name and a quoted value, such as [Event \"?\"]";
        assert_eq!(tokens("[A x]\n [\"x\"]\na"), [format!("(1, 1) {wrong}"), format!("(2, 2) {wrong}"), "a".into()]);
    }

    #[test]
    fn a_missing_brace_costs_one_game() {
        let text = "é {a\nb\n[Event \"x\"]\n";
        assert_eq!(tokens(text), ["é", "(1, 3) unterminated comment", "Tag(\"Event\", \"x\")"]);
    }
}
