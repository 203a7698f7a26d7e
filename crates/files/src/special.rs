//! Special files: named pipes and devices.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Rejects existing paths that are neither files nor folders: named pipes, which may block for ever when opened, and
/// devices, which may have no end. The pipes that a shell creates for `<(…)` pass, because they have a writer.
///
/// # Errors
/// [`ErrorKind::InvalidInput`].
pub fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() && !found.is_dir() && (!is_pipe(&found) || has_name(path)) => {
            Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"))
        }
        _ => Ok(()),
    }
}

/// Opens a file for reading, unless [`check_regular`] rejects it.
///
/// # Errors
/// As [`check_regular`]; if it cannot be opened.
pub fn open_regular(path: impl AsRef<Path>) -> io::Result<File> {
    check_regular(path.as_ref())?;
    File::open(path)
}

/// The content of a file, unless [`check_regular`] rejects it.
///
/// # Errors
/// As [`open_regular`]; if it cannot be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    check_regular(path.as_ref())?;
    fs::read(path)
}

/// Rejects a named pipe: opening it for writing would wait for a reader. Devices such as `/dev/stdout` pass.
///
/// # Errors
/// [`ErrorKind::InvalidInput`].
pub fn check_no_named_pipe(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| is_pipe(&found)) && has_name(path) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "a named pipe"));
    }
    Ok(())
}

#[cfg(unix)]
fn is_pipe(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

/// Whether a pipe has a place in the file system. A pipe without one is already open, and its path, such as
/// `/dev/fd/63`, refers to the open file.
fn has_name(path: &Path) -> bool {
    path.canonicalize().is_ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn named_pipes_and_devices_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|made| made.success()) {
            assert!(check_regular(&pipe).is_err() && check_no_named_pipe(&pipe).is_err());
            assert!(crate::check_kind(&pipe, "a list", |_| true).is_err());
            assert!(open_regular(&pipe).is_err() && read(&pipe).is_err());
        }
        let null = Path::new("/dev/null");
        assert!(crate::check_kind(null, "a list", |_| false).is_ok());
        assert!(check_regular(null).is_err() && check_no_named_pipe(null).is_ok());
        for path in [folder.path().to_owned(), folder.path().join("none")] {
            assert!(check_regular(&path).is_ok() && check_no_named_pipe(&path).is_ok());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_that_is_open_already_is_taken() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let path = std::path::PathBuf::from(format!("/proc/{}/fd/0", child.id()));
        assert!(check_regular(&path).is_ok() && check_no_named_pipe(&path).is_ok());
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
