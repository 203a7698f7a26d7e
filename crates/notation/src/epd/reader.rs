//! Reading files of EPDs.

use super::{Epd, EpdError, EpdReadError, EpdReadErrorKind};
use crate::lines::{Line, LineReader};
use crate::list;
use std::io::BufRead;

/// Reads EPDs, one per line. Skips blank lines and lines that begin with `#`. After an invalid line, the iterator
/// continues with the next line; after an I/O error, it ends.
pub fn read_epd<R: BufRead>(reader: R) -> EpdReader<R> {
    EpdReader { lines: LineReader::new(reader), failed: false }
}

/// Iterator over the EPDs of a file; see [`read_epd`].
#[derive(Debug)]
pub struct EpdReader<R> {
    lines: LineReader<R>,
    failed: bool,
}

impl<R: BufRead> EpdReader<R> {
    /// The number of the last line read, from 1.
    pub fn line(&self) -> usize {
        self.lines.number
    }

    fn next_epd(&mut self) -> Result<Option<Epd>, EpdReadErrorKind> {
        loop {
            match self.lines.next_line()? {
                Line::End => return Ok(None),
                Line::TooLong => return Err(EpdError::TooLong.into()),
                Line::Read => {}
            }
            if let Some(record) = list::record(&self.lines.text) {
                return Ok(Some(Epd::parse(record)?));
            }
        }
    }
}

impl<R: BufRead> Iterator for EpdReader<R> {
    type Item = Result<Epd, EpdReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let item = self.next_epd().transpose()?;
        Some(item.map_err(|kind| {
            self.failed = matches!(kind, EpdReadErrorKind::Io(_));
            EpdReadError { line: self.lines.number, kind }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_ends_the_reading() {
        let mut reader = read_epd(&b"\xff\xfe8\0/\0\n\08\0"[..]);
        assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "line 1: the text is UTF-16, not UTF-8");
        assert!(reader.next().is_none());
    }

    #[test]
    fn errors_do_not_end_a_file() {
        let file = "# kings\n8/8/8/8/8/8/8/K1k5 w - -\r\n\nhello\n8/8/8/8/8/8/8/K1k5 b - - id \"R\u{e9}ti\";";
        let mut latin_1: Vec<u8> = Vec::new();
        latin_1.extend(file.chars().map(|c| c as u8));
        let mut reader = read_epd(latin_1.as_slice());
        assert!(reader.next().unwrap().is_ok());
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "line 4: invalid FEN: unexpected 'h' in the board at column 1");
        assert_eq!(reader.next().unwrap().unwrap().id(), Some("Réti"));
        assert_eq!(reader.line(), 5);
        assert!(reader.next().is_none());
    }
}
