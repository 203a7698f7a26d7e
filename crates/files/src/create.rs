//! Creating a file with its first content.

use crate::claim;
#[cfg(test)]
use crate::power::{Operation, record};
use crate::sync_folder_of;
use crate::temporary::{sweep, temporary};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Creates a file with its first content, or no file at all, even if the process is killed meanwhile. Returns the file,
/// open for reading and writing and locked as by [`claim`].
///
/// # Errors
/// [`ErrorKind::AlreadyExists`] if there is a file; if it cannot be created or written.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    sweep(path);
    let mut temporary = temporary(path)?;
    temporary.write_all(bytes)?;
    // Otherwise the name could reach the disk before the content.
    temporary.as_file().sync_all()?;
    #[cfg(test)]
    let from = temporary.path().to_owned();
    match temporary.persist_noclobber(path) {
        Ok(file) => {
            if cfg!(windows) {
                // As `claim`: other programs may read the file.
                let _ = file.unlock();
            }
            #[cfg(test)]
            for operation in [
                Operation::Write(from.clone(), bytes.to_vec()),
                Operation::Sync(from.clone()),
                Operation::Rename(from, path.to_owned()),
            ] {
                record(operation);
            }
            sync_folder_of(path)?;
            Ok(file)
        }
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(error.error),
        // Some network file systems can neither rename without replacing nor link.
        Err(_) => directly(path, bytes),
    }
}

fn directly(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::options().read(true).write(true).create_new(true).open(path)?;
    let written = claim(&file).and_then(|()| file.write_all(bytes));
    if let Err(error) = written {
        // It is empty and would block the next attempt.
        let _ = fs::remove_file(path);
        return Err(error);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_first_content_or_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        for (name, create) in [("a", create as fn(&Path, &[u8]) -> io::Result<File>), ("b", directly)] {
            let path = folder.path().join(name);
            // Left by a killed process.
            fs::write(folder.path().join("a.77-abcdef.bartizan-tmp"), "half").unwrap();
            let mut file = create(&path, b"one").unwrap();
            assert_eq!(create(&path, b"two").unwrap_err().kind(), ErrorKind::AlreadyExists);
            if cfg!(unix) {
                assert_eq!(claim(&File::open(&path).unwrap()).unwrap_err().kind(), ErrorKind::WouldBlock);
            }
            crate::append(&mut file, b" more").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"one more");
            sweep(&folder.path().join("a"));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(create(&folder.path().join("no/file"), b"").unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nothing_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link");
        std::os::unix::fs::symlink("nothing", &path).unwrap();
        assert_eq!(create(&path, b"x").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
