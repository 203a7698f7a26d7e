//! Locks between processes, for files that two engines may use at once.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Whoever holds a lock writes a few kilobytes: longer than this means that something is wrong, and nobody waits for it.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// A lock on everything that is done to a file. It ends when this is dropped, and with the process however it ends.
///
/// The lock is on a file of its own beside it: the file itself is replaced, and its lock would go with the old one.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Closing it unlocks it.
    _file: File,
}

impl Lock {
    /// Waits for the lock, but not for long.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).truncate(false).write(true).open(with_suffix(path, ".lock"))?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(io::ErrorKind::WouldBlock, "another program keeps it locked"));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// The path with something behind its last letter.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut text = path.as_os_str().to_owned();
    text.push(suffix);
    PathBuf::from(text)
}

/// Writes a file under another name and renames it, so that it is never there by half. The caller holds its lock; what a
/// killed process has left of such a file is overwritten.
pub(crate) fn replace(path: &Path, bytes: &[u8], _lock: &Lock) -> io::Result<()> {
    use io::Write;
    let temporary = with_suffix(path, ".new");
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    // Else the name could reach the disk before the text does.
    file.sync_all()?;
    drop(file);
    std::fs::rename(&temporary, path)
}

/// Makes the folder that a file lies in, if it is not there.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => std::fs::create_dir_all(folder),
        _ => Ok(()),
    }
}
