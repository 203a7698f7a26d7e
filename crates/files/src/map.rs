//! Memory-mapped files for reading at any offset.

use crate::positional::{POSITIONAL, read_exact_at};
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// A file that is read at any offset, by any number of threads.
///
/// Small files are read into memory when they are opened. Larger ones are mapped, so that pages are loaded on demand
/// and shared with other programs. A file that cannot be mapped is read at each call.
///
/// # Files that change
/// A file that is replaced by renaming another one over it, as [`replace`](crate::replace) does, stays as it was
/// opened. If it is truncated in place instead, [`MappedFile::read`] returns an error, and on Linux also if the disk
/// fails. If that happens between this check and the copy, the operating system kills the process with SIGBUS. On
/// Windows, a mapped file can be neither truncated nor replaced. Bytes that another program overwrites in place may be
/// read as old, new, or a mixture.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("table");
/// std::fs::write(&path, b"0123456789")?;
/// let map = bartizan_files::MappedFile::open(&path, 0)?;
/// let mut bytes = [0; 3];
/// map.read(5, &mut bytes)?;
/// assert_eq!(&bytes, b"567");
/// assert!(map.read(8, &mut bytes).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MappedFile {
    len: u64,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Memory(Box<[u8]>),
    Mapped { map: MmapRaw, file: File },
    Disk(File),
}

impl MappedFile {
    /// Opens a file. A file of up to `whole` bytes is read into memory.
    ///
    /// # Errors
    /// [`io::Error`] if the file cannot be read, or is a folder, a pipe or a device.
    pub fn open(path: &Path, whole: u64) -> io::Result<Self> {
        let mut file = crate::open_regular(path)?;
        let len = file.metadata()?.len();
        if len <= whole || !POSITIONAL {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            return Ok(Self { len: bytes.len() as u64, bytes: Bytes::Memory(bytes.into_boxed_slice()) });
        }
        // An address space may be too small for the file, and not every file system can map.
        let map = usize::try_from(len).ok().and_then(|len| MmapOptions::new().len(len).map_raw_read_only(&file).ok());
        let bytes = match map {
            Some(map) => Bytes::Mapped { map, file },
            None => Bytes::Disk(file),
        };
        Ok(Self { len, bytes })
    }

    /// The length in bytes when the file was opened.
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Copies the bytes from the offset `at` into a buffer and fills it.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if the file ends too early or has been truncated since it was opened; [`io::Error`]
    /// if it cannot be read.
    pub fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        if at.checked_add(buffer.len() as u64).is_none_or(|end| end > self.len) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        match &self.bytes {
            Bytes::Memory(bytes) => buffer.copy_from_slice(&bytes[at as usize..][..buffer.len()]),
            Bytes::Mapped { map, file } => {
                self.check_len(file)?;
                check_pages(map, at as usize, buffer.len())?;
                copy(map, at as usize, buffer);
            }
            Bytes::Disk(file) => read_exact_at(file, buffer, at)?,
        }
        Ok(())
    }

    /// Whether the file still has its length: reading a page beyond its end would kill the process.
    fn check_len(&self, mut file: &File) -> io::Result<()> {
        // The cheapest way to get the length; the position is not used.
        let len = file.seek(SeekFrom::End(0))?;
        if len >= self.len {
            return Ok(());
        }
        let text = format!("it has been cut off from {} to {len} bytes since it was opened", self.len);
        Err(io::Error::new(ErrorKind::UnexpectedEof, text))
    }
}

/// Brings pages into memory, so that a failing disk is an error here. Linux before 5.14 lacks this call.
#[cfg(target_os = "linux")]
fn check_pages(map: &MmapRaw, at: usize, len: usize) -> io::Result<()> {
    match map.advise_range(memmap2::Advice::PopulateRead, at, len) {
        Err(error) if error.kind() != ErrorKind::InvalidInput => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn check_pages(_: &MmapRaw, _: usize, _: usize) -> io::Result<()> {
    Ok(())
}

/// Copies bytes of a map.
///
/// # Panics
/// If they are not within the map.
// The only unsafe code of the crate. A slice of the map would be unsound: other programs may change the bytes, which
// must not happen to a slice. Mapping costs as much as reading and needs no page cache of its own: see the examples
// `probe_cost` of `bartizan-dtm` and `large_book` of `bartizan-book`.
#[allow(unsafe_code)]
fn copy(map: &MmapRaw, at: usize, buffer: &mut [u8]) {
    assert!(at.checked_add(buffer.len()).is_some_and(|end| end <= map.len()), "beyond the end of the map");
    // SAFETY: the source lies within the map, which is readable as long as `map` exists, and the buffer is borrowed
    // exclusively, so the two do not overlap. Any byte is a valid `u8`. No reference to the source is created.
    unsafe { std::ptr::copy_nonoverlapping(map.as_ptr().add(at), buffer.as_mut_ptr(), buffer.len()) }
}

// Threads may share this type.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<MappedFile>();
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The same file in memory, mapped, and read at each call.
    fn all_ways(path: &Path) -> [MappedFile; 3] {
        let [memory, mapped] = [u64::MAX, 0].map(|whole| MappedFile::open(path, whole).unwrap());
        assert!(matches!(memory.bytes, Bytes::Memory(_)));
        assert!(matches!(mapped.bytes, Bytes::Mapped { .. }));
        let disk = MappedFile { len: mapped.len, bytes: Bytes::Disk(File::open(path).unwrap()) };
        [memory, mapped, disk]
    }

    #[test]
    fn every_way_reads_the_same_and_nothing_beyond_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let content: Vec<u8> = (0..20_000_u32).map(|at| (at * 7 / 3) as u8).collect();
        fs::write(&path, &content).unwrap();
        for map in all_ways(&path) {
            assert_eq!(map.bytes(), content.len() as u64);
            for (at, len) in [(0, 0), (0, 1), (0, 20_000), (4_090, 12), (8_191, 4_098), (19_999, 1), (20_000, 0)] {
                let mut buffer = vec![0; len];
                map.read(at as u64, &mut buffer).unwrap();
                assert_eq!(buffer, content[at..at + len], "{map:?}");
            }
            for (at, len) in [(20_000, 1), (19_999, 2), (u64::MAX, 1), (u64::MAX, 0), (0, 20_001)] {
                let error = map.read(at, &mut vec![0; len]).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{map:?}");
            }
        }
    }

    #[test]
    fn a_file_that_is_replaced_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [1; 10_000]).unwrap();
        let maps = all_ways(&path);
        crate::replace(&path, &[2; 10]).unwrap();
        for map in maps {
            let mut buffer = [0; 100];
            map.read(9_900, &mut buffer).unwrap();
            assert_eq!(buffer, [1; 100], "{map:?}");
        }
    }

    /// Without the check, this test would end with SIGBUS.
    #[test]
    fn a_file_that_is_cut_off_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [1; 10_000]).unwrap();
        let [memory, mapped, disk] = all_ways(&path);
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        let mut buffer = [0; 100];
        memory.read(9_000, &mut buffer).unwrap();
        assert_eq!(disk.read(9_000, &mut buffer).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        let error = mapped.read(9_000, &mut buffer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(error.to_string(), "it has been cut off from 10000 to 10 bytes since it was opened");
    }

    /// The second check: the length is right again, or was when it was asked for.
    #[test]
    #[cfg(target_os = "linux")]
    fn pages_that_cannot_be_read_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, [1; 10_000]).unwrap();
        let MappedFile { bytes: Bytes::Mapped { map, .. }, .. } = MappedFile::open(&path, 0).unwrap() else { panic!() };
        check_pages(&map, 8_000, 2_000).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        check_pages(&map, 0, 10).unwrap();
        let error = check_pages(&map, 8_000, 2_000);
        // Linux before 5.14 cannot tell.
        assert!(error.is_err() || check_pages(&map, 4_096, 1).is_ok());
    }

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(MappedFile::open(folder.path(), 0).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(MappedFile::open(&folder.path().join("none"), 0).unwrap_err().kind(), ErrorKind::NotFound);
        let path = folder.path().join("empty");
        fs::write(&path, "").unwrap();
        let empty = MappedFile::open(&path, 0).unwrap();
        assert_eq!(empty.bytes(), 0);
        empty.read(0, &mut []).unwrap();
    }
}
