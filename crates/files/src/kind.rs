//! Rejecting files of the wrong kind.

use crate::check_output;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The number of bytes from which the kind of a file is determined.
const START: u64 = 4_096;

/// Checks a file before a program appends to it, by its first bytes, at most 4,096. `expected` says what it should be,
/// such as "a PGN file". Missing files pass, and so does what is not a regular file, except as in [`check_output`].
///
/// # Errors
/// [`ErrorKind::InvalidData`] if the file is of another kind; [`ErrorKind::InvalidInput`] as
/// [`check_output`]; any error of reading it.
pub fn check_kind(path: &Path, expected: &str, is_right: impl Fn(&[u8]) -> bool) -> io::Result<()> {
    check_output(path)?;
    if !fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return Ok(());
    }
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    if is_right(&start) {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidData, format!("the file exists and is not {expected}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let check = || check_kind(&path, "a list", |start| start.starts_with(b"-"));
        check().unwrap();
        fs::write(&path, "- one").unwrap();
        check().unwrap();
        fs::write(&path, "one").unwrap();
        assert_eq!(check().unwrap_err().to_string(), "the file exists and is not a list");
        check_kind(folder.path(), "a list", |_| false).unwrap();
    }
}
