//! Files shared by several engines: locks, atomic replacement, and the user's folder.

use bartizan_files::MOST_WHOLE;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for a lock. Its holder writes a few kilobytes, so a longer wait means that something is wrong.
const LOCK_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A lock on a file. It ends when this is dropped, and when the process ends for any reason.
///
/// It locks another file beside it, because the file itself is replaced, which would leave the lock on the old one.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Closing it unlocks it.
    _file: File,
}

impl Lock {
    /// Waits for the lock for up to [`LOCK_TIMEOUT`].
    pub(crate) fn acquire(path: &Path) -> io::Result<Self> {
        let path = with_suffix(path, ".lock");
        bartizan_files::check_regular(&path)?;
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        let deadline = Instant::now() + LOCK_TIMEOUT;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(io::Error::new(io::ErrorKind::WouldBlock, "locked by another program"));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// The path with a suffix added to the file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut text = path.as_os_str().to_owned();
    text.push(suffix);
    PathBuf::from(text)
}

/// The content of a file that a command names, of at most [`MOST_WHOLE`] bytes.
///
/// # Errors
/// As [`bartizan_files::read`]; for standard input, which has the commands.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if bartizan_files::is_standard_input(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "standard input, from which commands are read"));
    }
    bartizan_files::read(path, MOST_WHOLE)
}

/// Replaces a whole file, so that readers never see a part of it. The caller holds the lock.
pub(crate) fn replace(path: &Path, bytes: &[u8], _lock: &Lock) -> io::Result<()> {
    bartizan_files::replace(path, bytes)
}

/// Creates the folder of a file if it does not exist.
pub(crate) fn create_parent(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => std::fs::create_dir_all(folder),
        _ => Ok(()),
    }
}

/// Checks that a file can be written, without creating or changing it; its folder is created. Deletes temporary files
/// that killed processes have left for it.
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    bartizan_files::check_regular(path)?;
    create_parent(path)?;
    bartizan_files::sweep(path);
    match File::options().append(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bartizan_files::temporary(path)?;
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// This program's folder among the user's files: `$XDG_CONFIG_HOME/bartizan` or `~/.config/bartizan`, on macOS
/// `~/Library/Application Support/Bartizan`, on Windows `%APPDATA%\Bartizan`. `None` if the system has no such folder.
pub(crate) fn user_folder() -> Option<PathBuf> {
    // A relative path would depend on the working directory.
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        variable("APPDATA").map(|path| path.join("Bartizan"))
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|path| path.join("Library/Application Support/Bartizan"))
    } else {
        let config = variable("XDG_CONFIG_HOME").or_else(|| variable("HOME").map(|path| path.join(".config")));
        config.map(|path| path.join("bartizan"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checking_a_path_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub").join("file");
        check_writable(&path).unwrap();
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        std::fs::write(&path, "text").unwrap();
        check_writable(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "text");
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&path.join("below a file")).is_err());
    }
}
