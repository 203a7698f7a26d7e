//! Parsing a line.

use super::operation::is_opcode;
use super::{Epd, EpdError, Operation};
use crate::text::excerpt;
use bartizan_position::{PositionError, Setup, Tolerance};
use std::str::FromStr;

impl Epd {
    /// Parses a line: the first four or all six fields of a FEN, then operations, each terminated by a semicolon.
    ///
    /// Positions are read with [`Tolerance::ALL`]: impossible castling rights and en passant squares are dropped.
    /// Strings are enclosed in quotation marks and use the escapes `\"` and `\\`. Empty operations are skipped, so the
    /// perft form `FEN ;D1 20 ;D2 400` is accepted as well.
    ///
    /// # Errors
    /// [`EpdError`] says what is wrong and in which column. Operands are checked only by the methods that return them.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        let fen = fen_length(line);
        let mut setup = Setup::from_fen(&line[..fen]).map_err(PositionError::from)?;
        let mut scanner = Scanner { line, at: fen };
        let mut operations = Vec::new();
        while let Some((operation, start)) = scanner.operation()? {
            let counter = match operation.opcode.as_str() {
                "hmvc" => &mut setup.halfmove_clock,
                "fmvn" => &mut setup.fullmove_number,
                _ => {
                    operations.push(operation);
                    continue;
                }
            };
            let number = operation.operands.first().and_then(|text| text.parse::<u16>().ok());
            let Some(number) = number.filter(|&number| number <= MAX_COUNTER) else {
                return Err(EpdError::Counter { opcode: operation.opcode, column: scanner.column(start) });
            };
            *counter = number;
        }
        // Moves are counted from 1.
        setup.fullmove_number = setup.fullmove_number.max(1);
        let position = setup.validate(Tolerance::ALL).map_err(PositionError::from)?;
        Ok(Self { position, operations })
    }
}

impl FromStr for Epd {
    type Err = EpdError;
    fn from_str(line: &str) -> Result<Self, EpdError> {
        Self::parse(line)
    }
}

/// The greatest counter that the FEN reader accepts.
pub(super) const MAX_COUNTER: u16 = 9_999;

/// The length in bytes of the FEN at the start of a line: up to four fields, then the two counters if present. A
/// semicolon ends it.
fn fen_length(line: &str) -> usize {
    let mut length = 0;
    for field in 0..6 {
        let start = length + (line.len() - length - line[length..].trim_start().len());
        let rest = &line[start..];
        let word = &rest[..rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len())];
        let is_counter = word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
        if word.is_empty() || (field >= 4 && !is_counter) {
            break;
        }
        length = start + word.len();
    }
    length
}

struct Scanner<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// The column of a byte offset. Computed only for errors.
    fn column(&self, byte: usize) -> usize {
        self.line[..byte].chars().count() + 1
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.at = self.line.len() - self.rest().trim_start_matches(skipped).len();
    }

    /// Reads the next operation through its semicolon. Returns it with its offset; `None` at the end of the line.
    fn operation(&mut self) -> Result<Option<(Operation, usize)>, EpdError> {
        self.skip(|c| c.is_whitespace() || c == ';');
        if self.rest().is_empty() {
            return Ok(None);
        }
        let start = self.at;
        let opcode = self.word();
        if !is_opcode(opcode) {
            // The word is empty at a quotation mark.
            let found = excerpt(if opcode.is_empty() { self.rest() } else { opcode });
            return Err(EpdError::Opcode { found, column: self.column(start) });
        }
        let mut operands = Vec::new();
        loop {
            self.skip(char::is_whitespace);
            match self.rest().chars().next() {
                None => break,
                Some(';') => {
                    self.at += 1;
                    break;
                }
                Some('"') => operands.push(self.string()?),
                Some(_) => operands.push(self.word().to_owned()),
            }
        }
        Ok(Some((Operation { opcode: opcode.to_owned(), operands }, start)))
    }

    /// Reads the text before the next space or semicolon; empty at a quotation mark.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        if rest.starts_with('"') {
            return "";
        }
        let word = &rest[..rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn string(&mut self) -> Result<String, EpdError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                '\\' => match chars.next_if(|&(_, next)| matches!(next, '"' | '\\')) {
                    Some((_, escaped)) => text.push(escaped),
                    None => text.push('\\'),
                },
                _ => text.push(c),
            }
        }
        Err(EpdError::UnterminatedString { column: self.column(self.at) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/K1k5 w - -";

    fn operation(opcode: &str, operands: &[&str]) -> Operation {
        Operation::new(opcode, operands.iter().copied()).unwrap()
    }

    fn operations(text: &str) -> Vec<Operation> {
        Epd::parse(&format!("{KINGS}{text}")).unwrap().operations
    }

    #[test]
    fn operations_are_parsed() {
        let expected = [operation("bm", &["Kb1"]), operation("id", &["a \"b\"; c\\ d\\e"])];
        for text in [
            r#" bm Kb1; id "a \"b\"; c\\ d\e";"#,
            r#" bm Kb1; id "a \"b\"; c\\ d\e""#,
            r#" 3 9 bm Kb1; id "a \"b\"; c\\ d\e";"#,
            r#"; bm Kb1;; id "a \"b\"; c\\ d\e" ; "#,
        ] {
            assert_eq!(operations(text), expected, "{text}");
        }
        assert_eq!(operations(""), []);
        assert_eq!(operations("   resign ;draw"), [operation("resign", &[]), operation("draw", &[])]);
        assert_eq!(operations(" bm Kb1 \"Ka2\"x;")[0].operands, ["Kb1", "Ka2", "x"]);
    }

    #[test]
    fn counters_come_from_fen_or_operations() {
        for (text, halfmoves, moves) in [("", 0, 1), (" 7 12", 7, 12), (" hmvc 7; fmvn 12;", 7, 12), (" 7;", 7, 1)] {
            let position = Epd::parse(&format!("{KINGS}{text}")).unwrap().position;
            assert_eq!((position.halfmove_clock(), position.fullmove_number()), (halfmoves, moves), "{text}");
        }
        assert_eq!(operations(" hmvc 7; fmvn 12; dm 3;"), [operation("dm", &["3"])]);
    }

    #[test]
    fn errors_name_the_column() {
        for (line, error) in [
            ("", "invalid FEN: the board is missing"),
            ("8/8/8/8/8/8/8/K1k5 w - - 1x;", "column 26: invalid opcode '1x'"),
            ("8/8/8/8/8/8/8/K1k5 w - - \"bm\" e4;", "column 26: invalid opcode '\"bm\" e4;'"),
            ("8/8/8/8/8/8/8/K1k5 w - - id \"x; bm Kb1;", "column 29: unterminated string"),
            ("8/8/8/8/8/8/8/K1k5 w - - hmvc;", "column 26: 'hmvc' needs a number from 0 to 9999"),
            ("8/8/8/8/8/8/8/K1k5 w - - dm 3; fmvn 10000;", "column 32: 'fmvn' needs a number from 0 to 9999"),
            ("8/8/8/8/8/8/8/K1k5 x - - dm 3;", "invalid FEN: unexpected 'x' in the side to move at column 20"),
        ] {
            assert_eq!(Epd::parse(line).unwrap_err().to_string(), error, "{line}");
        }
    }
}
