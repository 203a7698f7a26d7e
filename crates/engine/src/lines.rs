//! Lines of commands, read by a thread of their own so that reading never waits for searching.

use crossbeam::channel::{Receiver, unbounded};
use std::io::{BufRead, BufReader, Read};
use std::thread;

/// A line longer than this is cut: no command is, and memory has an end.
const LONGEST_LINE: u64 = 16 << 20;

/// The lines of an input, with their ends. The channel closes at the end of the input.
pub fn read_lines(input: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = unbounded();
    thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let mut line = Vec::new();
            match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                // The end, or an input that cannot be read any more, which is the same to us.
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if !line.ends_with(b"\n") && skip_rest(&mut input).is_err() {
                return;
            }
            // Bytes that are no text become replacement characters, which no command has.
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Reads on to the end of a line that was cut, or of the input.
fn skip_rest(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
