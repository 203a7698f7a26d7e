#![doc = include_str!("../README.md")]
//!
//! The new content is written to a temporary file beside the old one, synchronised with the disk, and renamed. The
//! temporary file is named `NAME.PID-RANDOM.bartizan-tmp` and locked as long as its owner lives. A killed process
//! leaves it behind, unlocked; the next replacement of the file, or a call of [`sweep`], deletes it.

mod append;
#[cfg(feature = "cache")]
mod cache;
#[cfg(feature = "compressed")]
mod compressed;
#[cfg(feature = "compressed")]
mod compressor;
#[cfg(feature = "write")]
mod create;
#[cfg(unix)]
mod descriptor;
mod folder;
mod interruptible;
#[cfg(feature = "journal")]
pub mod journal;
mod kind;
mod lazy;
#[cfg(feature = "map")]
mod map;
mod named;
mod positional;
#[cfg(test)]
mod power;
#[cfg(feature = "write")]
mod replacement;
mod same;
mod sync;
#[cfg(feature = "write")]
mod temporary;
mod zeros;

pub use append::append;
#[cfg(feature = "cache")]
pub use cache::{Cache, Part};
#[cfg(feature = "compressed")]
pub use compressed::{Compression, decompress, has_extension, open};
#[cfg(feature = "compressed")]
pub use compressor::Compressor;
#[cfg(feature = "write")]
pub use create::create;
pub use folder::{contents, folder_of, list};
pub use interruptible::InterruptibleReader;
pub use kind::check_kind;
pub use lazy::Lazy;
#[cfg(feature = "map")]
pub use map::MappedFile;
pub use named::{
    InputKind, MOST_WHOLE, check_length, check_output, check_regular, check_standard_input, is_standard_input, length,
    open_input, open_regular, read, read_regular, read_text,
};
pub use positional::{POSITIONAL, read_exact_at};
#[cfg(feature = "write")]
pub use replacement::{Replacement, replace};
pub use same::{is_same, is_same_target};
pub use sync::{Syncer, sync_folder_of};
#[cfg(feature = "write")]
pub use temporary::{sweep, temporary};
pub use zeros::ZeroGuard;

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Locks a file that this process will write to for some time. The lock ends when the file is closed or the process
/// ends. A file system without locks is not an error.
///
/// On Windows this does nothing, because a lock there would also prevent other programs from reading the file.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another process holds the lock.
pub fn claim(file: &File) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(ErrorKind::WouldBlock, "another process is writing there")),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Locks a folder in the same way. The lock ends when the result is dropped.
///
/// # Errors
/// [`ErrorKind::WouldBlock`] if another process holds the lock; also if the folder cannot be opened.
pub fn claim_folder(path: &Path) -> io::Result<Option<File>> {
    if cfg!(windows) {
        return Ok(None);
    }
    let folder = File::open(path)?;
    claim(&folder)?;
    Ok(Some(folder))
}
