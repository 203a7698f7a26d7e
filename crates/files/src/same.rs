//! Whether two paths name one file.

use crate::folder::folder_of;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The maximum number of symbolic links to follow, as in Linux.
pub(crate) const MAX_LINKS: usize = 40;

/// Whether both paths lead to the same file, links included. A program that reads one and replaces the other would
/// destroy its input. A path that leads nowhere equals no other.
pub fn is_same(one: impl AsRef<Path>, other: impl AsRef<Path>) -> bool {
    let (one, other) = (one.as_ref().canonicalize(), other.as_ref().canonicalize());
    one.is_ok_and(|one| other.is_ok_and(|other| one == other))
}

/// Whether writing to both paths would write the same file, existing or not: by [`is_same`], else by folder and name. A
/// program that writes both would lose one output.
pub fn is_same_target(one: impl AsRef<Path>, other: impl AsRef<Path>) -> bool {
    let (one, other) = (one.as_ref(), other.as_ref());
    one == other || destination(one).is_ok_and(|one| destination(other).is_ok_and(|other| one == other))
}

/// The file that writing to a path would write, with symbolic links resolved. It need not exist, but its folder must.
pub(crate) fn destination(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = fs::canonicalize(path) {
        return Ok(path);
    }
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Some(next) = next_link(&path) else {
            let name = path.file_name().ok_or(ErrorKind::NotFound)?;
            return Ok(fs::canonicalize(folder_of(&path))?.join(name));
        };
        path = next;
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The target of a symbolic link.
pub(crate) fn next_link(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok().map(|next| folder_of(path).join(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, other] = ["file", "other"].map(|name| folder.path().join(name));
        assert!(!is_same(&file, &file));
        fs::write(&file, "").unwrap();
        fs::write(&other, "").unwrap();
        assert!(is_same(&file, folder.path().join(".").join("file")));
        assert!(!is_same(&file, &other));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&file, &link).unwrap();
            assert!(is_same(link, file));
        }
    }

    #[test]
    fn a_file_that_does_not_exist_has_many_names_too() {
        let folder = tempfile::tempdir().unwrap();
        let [file, other] = ["file", "other"].map(|name| folder.path().join(name));
        for _ in 0..2 {
            assert!(is_same_target(&file, folder.path().join(".").join("file")));
            assert!(!is_same_target(&file, &other));
            fs::write(&file, "").unwrap();
        }
        assert!(is_same_target("none/file", "none/file") && !is_same_target("none/file", "file"));
        assert!(!is_same_target(&file, "none/file"));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_that_do_not_exist() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [file, link, far, circle] = ["file", "link", "far", "circle"].map(|name| folder.path().join(name));
        symlink("file", &link).unwrap();
        symlink(&link, &far).unwrap();
        symlink("circle", &circle).unwrap();
        assert!(is_same_target(&link, &file) && is_same_target(far, file));
        assert!(destination(&circle).is_err());
    }
}
