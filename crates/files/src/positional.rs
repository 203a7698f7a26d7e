//! Reading at an offset, without the shared cursor of a file.

use std::fs::File;
use std::io;

/// Whether the platform can read at an offset: see [`read_exact_at`].
pub const POSITIONAL: bool = cfg!(any(unix, windows));

/// Fills a buffer from the offset `at` of a file, in bytes. Any number of threads may do so at once.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if the file ends too early, [`io::ErrorKind::Unsupported`] where [`POSITIONAL`] is
/// false; [`io::Error`] if the file cannot be read.
pub fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    fill(file, buffer, at)
}

#[cfg(unix)]
fn fill(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn fill(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn fill(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
