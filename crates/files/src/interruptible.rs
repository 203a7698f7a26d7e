//! Inputs that may block.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often to check for an interruption while no input arrives.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// An input that may block, such as a pipe. A read fails once reading is to stop, even while it waits: a separate
/// thread blocks in the read until the program ends.
///
/// ```
/// use std::io::{Read, empty};
///
/// let mut input = bartizan_files::InterruptibleReader::start("example", || true, || Ok(empty()))?;
/// assert!(input.read(&mut [0]).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct InterruptibleReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    is_stopped: Box<dyn Fn() -> bool + Send>,
}

impl InterruptibleReader {
    /// Opens and reads an input in a separate thread of this name: opening a named pipe waits for a writer. Data that
    /// has been read but not consumed is lost. `is_stopped` tells whether to stop reading.
    ///
    /// # Errors
    /// If the thread cannot be started. Errors of `open` are returned by the first read.
    pub fn start<R: Read>(
        name: &str,
        is_stopped: impl Fn() -> bool + Send + 'static,
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(1);
        let read = move || {
            let mut input = match open() {
                Ok(input) => input,
                Err(error) => {
                    // Fails if the input is no longer wanted.
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
                // Fails if the rest is no longer wanted.
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(read)?;
        Ok(Self { chunks, chunk: io::Cursor::default(), is_stopped: Box::new(is_stopped) })
    }
}

impl Read for InterruptibleReader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if (self.is_stopped)() {
            return Err(io::Error::other("interrupted"));
        }
        loop {
            let count = self.chunk.read(to)?;
            if count > 0 || to.is_empty() {
                return Ok(count);
            }
            match self.chunks.recv_timeout(POLL_INTERVAL) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if (self.is_stopped)() => {
                    return Err(io::Error::other("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
