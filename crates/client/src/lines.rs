//! Reads lines of bounded length.

use std::io::{self, BufRead, ErrorKind};

/// The maximum length of a line in bytes; the rest is discarded. Real lines are less than a tenth as long.
pub(crate) const MAX_LINE: usize = 64 * 1024;

/// Reads a line without its line break; `None` at the end of the output. Bytes that are not UTF-8 become `U+FFFD`.
pub(crate) fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(any.then(|| text(&line)));
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(part.get(..room).unwrap_or(part));
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(text(&line)));
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A buffer of three bytes splits the lines into pieces.
        let mut reader = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut reader).unwrap()).collect()
    }

    #[test]
    fn line_breaks() {
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"a\nbcdef\r\n\n\r\nlast"), ["a", "bcdef", "", "", "last"]);
        assert_eq!(lines(b"a\r\r\nb\rc\n"), ["a\r", "b\rc"]);
    }

    #[test]
    fn invalid_bytes_and_long_lines() {
        assert_eq!(lines(b"a\xffb\0\n"), ["a\u{fffd}b\0"]);
        let mut long = vec![b'x'; MAX_LINE + 10];
        long.extend_from_slice(b"\nnext\n");
        let lines = lines(&long);
        assert_eq!((lines[0].len(), lines[1].as_str()), (MAX_LINE, "next"));
    }
}
