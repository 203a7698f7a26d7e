//! Atomic replacement of files.

#[cfg(test)]
use crate::power::{Operation, record};
use crate::same::destination;
use crate::sync_folder_of;
use crate::temporary::{sweep, temporary};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Replaces a file atomically, or creates it.
///
/// # Errors
/// If the file cannot be written; the old one then remains.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Replacement::new(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// The new content of a file while it is written. If dropped without [`commit`](Self::commit), the old file remains.
///
/// A symbolic link is kept: its target is replaced. The permissions of an old file are kept. Special files cannot be
/// replaced and are written directly, as are descriptors of this process such as `/dev/stdout`, even if they refer to a
/// regular file.
#[derive(Debug)]
pub struct Replacement(Kind);

#[derive(Debug)]
enum Kind {
    Renamed { temporary: NamedTempFile, path: PathBuf },
    Direct(File),
}

impl Replacement {
    /// Starts the new content. Deletes temporary files that killed processes have left for this file.
    ///
    /// # Errors
    /// If the folder does not exist or nothing can be created in it, if the old file is read-only, or if it is a
    /// folder or one of the special files of [`check_output`](crate::check_output).
    pub fn new(path: &Path) -> io::Result<Self> {
        #[cfg(unix)]
        if let Some(file) = crate::descriptor::open(path)? {
            return Ok(Self(Kind::Direct(file)));
        }
        let (path, old) = match fs::metadata(path) {
            Ok(old) if old.is_file() => (target(path)?, Some(old)),
            Ok(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(_) => {
                crate::check_output(path)?;
                return Ok(Self(Kind::Direct(File::options().write(true).open(path)?)));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (target(path)?, None),
            Err(error) => return Err(error),
        };
        sweep(&path);
        let temporary = temporary(&path)?;
        if let Some(old) = old {
            keep_permissions(&temporary, &old)?;
        }
        Ok(Self(Kind::Renamed { temporary, path }))
    }

    /// Whether the content is written directly, because the target cannot be replaced.
    pub fn is_direct(&self) -> bool {
        matches!(self.0, Kind::Direct(_))
    }

    /// Puts the new content in the place of the old one.
    ///
    /// # Errors
    /// If the content does not reach the disk or the file cannot be renamed; the old file then remains. If the folder
    /// does not reach the disk, the new one is in its place.
    pub fn commit(self) -> io::Result<()> {
        match self.0 {
            Kind::Renamed { temporary, path } => {
                // Otherwise the rename could reach the disk before the content.
                temporary.as_file().sync_all()?;
                #[cfg(test)]
                record(Operation::Sync(temporary.path().to_owned()));
                #[cfg(test)]
                let from = temporary.path().to_owned();
                temporary.persist(&path)?;
                #[cfg(test)]
                record(Operation::Rename(from, path.clone()));
                sync_folder_of(&path)
            }
            Kind::Direct(mut file) => file.flush(),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Renamed { temporary, .. } => {
                let count = temporary.as_file_mut().write(bytes)?;
                #[cfg(test)]
                record(Operation::Write(temporary.path().to_owned(), bytes[..count].to_vec()));
                Ok(count)
            }
            Kind::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Renamed { temporary, .. } => temporary.as_file_mut().flush(),
            Kind::Direct(file) => file.flush(),
        }
    }
}

/// The file that a path names, with symbolic links resolved; it need not exist.
fn target(path: &Path) -> io::Result<PathBuf> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|file| file.is_symlink());
    if is_link { destination(path) } else { Ok(path.to_owned()) }
}

fn keep_permissions(temporary: &NamedTempFile, old: &Metadata) -> io::Result<()> {
    let permissions = old.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    temporary.as_file().set_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_old_content_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"old").unwrap();
        let mut new = Replacement::new(&path).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path()).len()), (b"old".to_vec(), 2));
        drop(new);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["file".to_owned()]));
        let mut new = Replacement::new(&path).unwrap();
        new.write_all(b"new").unwrap();
        new.commit().unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"new".to_vec(), vec!["file".to_owned()]));
    }

    #[test]
    fn what_a_killed_process_has_left_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file.77-abcdef.bartizan-tmp"), "half").unwrap();
        replace(&folder.path().join("file"), b"whole").unwrap();
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn folders_and_read_only_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(replace(folder.path(), b"x").unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(replace(&folder.path().join("none/x"), b"x").unwrap_err().kind(), ErrorKind::NotFound);
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert_eq!(replace(&path, b"new").unwrap_err().kind(), ErrorKind::PermissionDenied);
        assert_eq!((fs::read(&path).unwrap(), names(folder.path()).len()), (b"old".to_vec(), 1));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        // A new file gets the permissions that other programs would give it.
        let (other, new) = (folder.path().join("other"), folder.path().join("new"));
        fs::write(&other, "").unwrap();
        replace(&new, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&new), mode(&other));
        // A link to a file that does not exist yet.
        let (made, early) = (folder.path().join("made"), folder.path().join("early"));
        symlink("made", &early).unwrap();
        replace(&early, b"new").unwrap();
        assert!(fs::symlink_metadata(&early).unwrap().is_symlink());
        assert_eq!(fs::read(&made).unwrap(), b"new");
        assert!(Replacement::new(Path::new("/dev/null")).unwrap().is_direct());
        assert!(!Replacement::new(&path).unwrap().is_direct());
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
