//! Standard input.

use crate::interrupt::Interrupt;
use anyhow::Context;
use std::io::{self, Read, stdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often an interruption is looked for while no input arrives.
const PATIENCE: Duration = Duration::from_millis(50);

/// The number of bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Standard input. Reading fails when the user interrupts the program, also while it waits for input: a thread of its
/// own waits, and the end of the program ends it.
pub(crate) struct StandardInput {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    interrupt: Interrupt,
}

impl StandardInput {
    /// Begins to read. What was read and not taken is lost.
    pub(crate) fn open(interrupt: &Interrupt) -> anyhow::Result<Self> {
        let (sender, chunks) = sync_channel(1);
        let read = move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let read = match stdin().read(&mut chunk) {
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
        let thread = thread::Builder::new().name("standard input".to_owned());
        thread.spawn(read).context("cannot start a thread that reads standard input")?;
        Ok(Self { chunks, chunk: io::Cursor::default(), interrupt: interrupt.clone() })
    }
}

impl Read for StandardInput {
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
