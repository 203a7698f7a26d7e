//! Paths that name a descriptor of this process, such as `/dev/stdout`.

use crate::folder::folder_of;
use crate::same::{MAX_LINKS, next_link};
use std::fs;
use std::path::Path;
#[cfg(feature = "write")]
use std::{
    fs::File,
    io::{self, Write},
    os::fd::AsFd,
};

/// The folders of descriptors, which are the same one where `/dev/fd` is a link.
const FOLDERS: [&str; 2] = ["/proc/self/fd", "/dev/fd"];

/// Opens the descriptor that a path names, to continue writing at its current position. `None` if the path names none.
///
/// A descriptor may refer to a regular file; opening that by name would overwrite it from its start.
#[cfg(feature = "write")]
pub(crate) fn open(path: &Path) -> io::Result<Option<File>> {
    let descriptor = match number(path) {
        None => return Ok(None),
        Some(1) => {
            let mut stdout = io::stdout();
            stdout.flush()?;
            stdout.as_fd().try_clone_to_owned()?
        }
        Some(2) => io::stderr().as_fd().try_clone_to_owned()?,
        // Its position is unknown.
        Some(_) => return File::options().append(true).open(path).map(Some),
    };
    Ok(Some(descriptor.into()))
}

/// The number of the descriptor that a path names, behind symbolic links.
pub(crate) fn number(path: &Path) -> Option<u32> {
    let folders = FOLDERS.map(fs::canonicalize);
    let is_known = |folder: &Path| {
        let folder = fs::canonicalize(folder);
        folder.is_ok_and(|folder| folders.iter().flatten().any(|known| *known == folder))
    };
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if is_known(folder_of(&path)) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = next_link(&path)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn names_of_descriptors() {
        let folder = tempfile::tempdir().unwrap();
        let [link, far, circle] = ["link", "far", "circle"].map(|name| folder.path().join(name));
        symlink("/dev/stdout", &link).unwrap();
        symlink("link", &far).unwrap();
        symlink("circle", &circle).unwrap();
        for (path, expected) in [
            (Path::new("/dev/stdout"), Some(1)),
            (Path::new("/dev/stderr"), Some(2)),
            (Path::new("/dev/fd/7"), Some(7)),
            (Path::new("/dev/fd/../fd/1"), Some(1)),
            (&far, Some(1)),
            (&circle, None),
            (Path::new("/dev/null"), None),
            (Path::new("/dev/fd"), None),
            (Path::new("1"), None),
        ] {
            assert_eq!(number(path), expected, "{}", path.display());
        }
    }
}
