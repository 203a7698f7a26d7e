//! Temporary files, and cleaning up those of dead processes.

use crate::folder::folder_of;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

const SUFFIX: &str = ".bartizan-tmp";

/// Number of random letters and digits in a name.
const RANDOM: usize = 6;

/// The maximum length in bytes of the part of a file's name that enters the temporary name; file systems allow 255.
const LONGEST: usize = 180;

/// The prefix of a file's temporary files.
fn prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or(OsStr::new("file")).to_string_lossy();
    let end = name.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= LONGEST).last();
    format!("{}.", &name[..end.unwrap_or(0)])
}

/// Whether [`temporary`] could have created a file of this name.
fn is_temporary(name: &str, prefix: &str) -> bool {
    let middle = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
    middle.and_then(|middle| middle.split_once('-')).is_some_and(|(pid, random)| {
        !pid.is_empty()
            && pid.bytes().all(|byte| byte.is_ascii_digit())
            && random.len() == RANDOM
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The error without the name of the temporary file, which the crate `tempfile` adds and which means nothing to a user.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((text, _)) => io::Error::new(error.kind(), text),
        None => error,
    }
}

/// Creates a temporary file in the folder of `path`. It is deleted when it is dropped.
///
/// It belongs to the process that created it, and is locked. If that process is killed, [`sweep`] deletes it.
///
/// # Errors
/// If the file cannot be created.
pub fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = format!("{}{}-", prefix(path), std::process::id());
    loop {
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX).rand_bytes(RANDOM);
        #[cfg(unix)]
        {
            // The mode that other programs use; the umask applies.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(path)).map_err(without_path)?;
        match file.as_file().try_lock() {
            // Between creation and locking, another process may have mistaken the file for an abandoned one and deleted
            // it.
            Ok(()) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Without locks, no process deletes the file.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Deletes the temporary files that killed processes have left for a file. Returns their number.
///
/// Files of living processes are locked and stay, as do files with other names.
pub fn sweep(path: &Path) -> usize {
    let prefix = prefix(path);
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return 0 };
    let abandoned = entries.flatten().filter(|entry| {
        is_temporary(&entry.file_name().to_string_lossy(), &prefix)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && delete_abandoned(&entry.path())
    });
    abandoned.count()
}

/// Deletes a file unless a process holds its lock.
fn delete_abandoned(path: &Path) -> bool {
    let Ok(file) = File::options().write(true).open(path) else { return false };
    file.try_lock().is_ok() && fs::remove_file(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_do_not_name_the_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = temporary(&folder.path().join("none/file")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("none"), "{error}");
    }

    #[test]
    fn names_are_recognised_and_others_are_not() {
        let prefix = prefix(Path::new("x/games.pgn"));
        assert!(is_temporary("games.pgn.4711-aB3dE6.bartizan-tmp", &prefix));
        for other in [
            "games.pgn",
            "games.pgn.bartizan-tmp",
            "games.pgn.4711-aB3dE6.tmp",
            "games.pgn.-aB3dE6.bartizan-tmp",
            "games.pgn.4711-aB3dE.bartizan-tmp",
            "games.pgn.47x1-aB3dE6.bartizan-tmp",
            "games.pgn.2.4711-aB3dE6.bartizan-tmp",
            "my games.pgn.4711-aB3dE6.bartizan-tmp",
        ] {
            assert!(!is_temporary(other, &prefix), "{other}");
        }
    }

    #[test]
    fn abandoned_files_are_deleted_and_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let living = temporary(&path).unwrap();
        let abandoned = folder.path().join("file.1-abcdef.bartizan-tmp");
        let foreign = folder.path().join("file.1-abcdef.tmp");
        for file in [&abandoned, &foreign] {
            fs::write(file, "text").unwrap();
        }
        assert_eq!(sweep(&path), 1);
        assert!(living.path().exists() && foreign.exists() && !abandoned.exists());
        assert_eq!(sweep(&folder.path().join("none/file")), 0);
    }

    #[test]
    fn long_names_are_shortened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ä".repeat(127));
        let file = temporary(&path).unwrap();
        let kept = file.into_temp_path().keep().unwrap();
        assert!(kept.exists());
        assert_eq!(sweep(&path), 1);
    }
}
