//! Lines from stdin, read by a thread of its own so that reading never waits for searching.

use crossbeam::channel::{Receiver, unbounded};
use std::io::{BufRead, Read};
use std::thread;

/// A line longer than this is cut: no command is, and memory has an end.
const LONGEST_LINE: u64 = 16 << 20;

/// The lines of stdin. The channel closes at the end of the input.
pub(crate) fn lines() -> Receiver<String> {
    let (sender, receiver) = unbounded();
    thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match stdin.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                // The end, or an input that cannot be read any more, which is the same to us.
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if !line.ends_with(b"\n") && skip_rest(&mut stdin).is_err() {
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
fn skip_rest(stdin: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = stdin.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        stdin.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
