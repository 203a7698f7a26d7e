//! Inputs that keep a program waiting: standard input and named pipes.

use crate::interrupt::{Interrupt, Interrupted};
use anyhow::{Context, bail, ensure};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often an interruption is looked for while no input arrives.
const PATIENCE: Duration = Duration::from_millis(50);

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// The maximum length of a line with a position, in bytes without its end. Real ones have a few hundred.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// An input that can keep the program waiting. Reading fails when the user interrupts the program, also while it waits:
/// a separate thread waits, and the end of the program ends it.
pub(crate) struct Waiting {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    interrupt: Interrupt,
}

impl Waiting {
    /// Begins to read standard input. What was read and not taken is lost.
    pub(crate) fn for_standard_input(interrupt: &Interrupt) -> anyhow::Result<Self> {
        Self::start("standard input", interrupt, || Ok(stdin()))
            .context("cannot start a thread that reads standard input")
    }

    /// Opens and reads an input in a separate thread: opening a named pipe waits for a writer.
    fn start<R: Read>(
        name: &str,
        interrupt: &Interrupt,
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(1);
        let read = move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => {
                    // It fails if the input is not wanted.
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = match input.read(&mut chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read.map(|count| {
                        chunk.truncate(count);
                        chunk
                    }),
                };
                let is_last = !read.as_ref().is_ok_and(|chunk| !chunk.is_empty());
                // It fails if the rest is not wanted.
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(read)?;
        Ok(Self { chunks, chunk: io::Cursor::default(), interrupt: interrupt.clone() })
    }
}

impl Read for Waiting {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.interrupt.is_set() {
            return Err(io::Error::other("interrupted"));
        }
        loop {
            let count = self.chunk.read(to)?;
            if count > 0 || to.is_empty() {
                return Ok(count);
            }
            match self.chunks.recv_timeout(PATIENCE) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_set() => {
                    return Err(io::Error::other("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Whether a path names something other than a file or a folder: a named pipe or a device. It can be read only once,
/// and may keep the program waiting.
pub(crate) fn is_stream(path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Refuses what can be read only once, where it is read several times.
///
/// # Errors
/// If the path names a named pipe or a device.
pub(crate) fn refuse_stream(path: &Path) -> anyhow::Result<()> {
    // To open what does not exist fails anyway.
    let is_stream = is_stream(path).unwrap_or(false);
    ensure!(!is_stream, "'{}' can be read only once, and is read several times: choose a file", path.display());
    Ok(())
}

/// Opens a file, or a named pipe or device, of which the reading fails when the user interrupts the program.
pub(crate) fn open(path: &Path, interrupt: &Interrupt) -> io::Result<Box<dyn Read + Send>> {
    if !is_stream(path)? {
        return Ok(Box::new(File::open(path)?));
    }
    let path = path.to_owned();
    Ok(Box::new(Waiting::start("named pipe", interrupt, move || File::open(path))?))
}

/// The name of an input for messages. Without a path it is standard input.
pub(crate) fn name(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard input".to_owned(), |path| format!("'{}'", path.display()))
}

/// The text of an input with lines of positions, which may be compressed.
///
/// # Errors
/// If it cannot be read, if a line is too long, or if the user interrupts the program.
pub(crate) fn read_positions(path: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
    let input = match path {
        Some(path) => open(path, interrupt),
        None => Ok(Box::new(Waiting::for_standard_input(interrupt)?) as _),
    };
    let text = input.and_then(bartizan_files::decompress).and_then(read_lines);
    if interrupt.is_set() {
        bail!(Interrupted(format!("while reading {}", name(path))));
    }
    text.with_context(|| format!("cannot read {}", name(path)))
}

/// Reads an input of lines with positions to its end.
pub(crate) fn read_lines(input: impl Read) -> io::Result<Vec<u8>> {
    let mut input = BufReader::with_capacity(CHUNK, input);
    let (mut text, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        let read = read_line(&mut input, &mut line);
        if !read.map_err(|error| io::Error::new(error.kind(), format!("line {number}: {error}")))? {
            break;
        }
        text.extend_from_slice(&line);
    }
    Ok(text)
}

/// Reads a line with its end; `false` at the end of the input.
///
/// # Errors
/// If the input cannot be read, or if the line is longer than [`LONGEST_LINE`].
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
        let error = format!("it is longer than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(!line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_to_the_limit_are_read() {
        let mut text = vec![b'x'; LONGEST_LINE];
        text.extend_from_slice(b"\nb\n\nc");
        assert_eq!(read_lines(text.as_slice()).unwrap(), text);
        text.insert(0, b'x');
        assert_eq!(read_lines(text.as_slice()).unwrap_err().to_string(), "line 1: it is longer than 65536 bytes");
        let endless = b"a\n".chain(io::repeat(b'x'));
        assert_eq!(read_lines(endless).unwrap_err().to_string(), "line 2: it is longer than 65536 bytes");
    }
}
