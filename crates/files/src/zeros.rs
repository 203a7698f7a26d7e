//! Inputs that consist of zero bytes.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

/// The bytes of a run that no text, record or table has.
const LONGEST: u64 = 1 << 20;

/// Ends an input with an error after a run of at least 1 MiB of zero bytes. A sparse file of terabytes, which takes
/// hours to read, the part of a file that a power cut has left without content, and a small compressed file that
/// unpacks to gigabytes are such inputs.
///
/// ```
/// use bartizan_files::ZeroGuard;
/// use std::io::{Read, repeat};
///
/// let mut bytes = Vec::new();
/// assert!(ZeroGuard::new(repeat(0)).read_to_end(&mut bytes).is_err());
/// assert_eq!(ZeroGuard::new(repeat(7)).take(1 << 22).read_to_end(&mut bytes)?, 1 << 22);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ZeroGuard<R> {
    input: R,
    /// The bytes of the last reads, all of which were zero.
    run: u64,
}

impl<R> ZeroGuard<R> {
    /// Guards an input.
    pub fn new(input: R) -> Self {
        Self { input, run: 0 }
    }
}

impl<R: Read> Read for ZeroGuard<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(to)?;
        // Almost always, the first byte decides.
        if to[..count].iter().any(|&byte| byte != 0) {
            self.run = 0;
        } else {
            self.run += count as u64;
        }
        if self.run >= LONGEST {
            return Err(io::Error::new(ErrorKind::InvalidData, "it has more than 1 MiB of zero bytes in a row"));
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for ZeroGuard<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.run = 0;
        self.input.seek(to)
    }
}
