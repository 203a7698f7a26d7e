//! Appending whole records.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Appends a whole record to the end of a file, or nothing. If the write fails midway, for example on a full disk, the
/// written part is removed.
///
/// This does not hold for special files such as pipes, which cannot be truncated.
///
/// # Errors
/// If the file cannot be written.
pub fn append(file: &mut File, record: &[u8]) -> io::Result<()> {
    if !file.metadata()?.is_file() {
        return file.write_all(record);
    }
    let end = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(record);
    if written.is_err() {
        // The first error is the one to report.
        let _ = file.set_len(end);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_appended_wherever_the_file_stands() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = File::create(&path).unwrap();
        append(&mut file, b"one ").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        append(&mut file, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one two");
        let mut reader = File::open(&path).unwrap();
        assert!(append(&mut reader, b"three").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"one two");
    }
}
