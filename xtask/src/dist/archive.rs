//! Archives whose bytes depend only on their contents.

use crate::error::{Error, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// The format of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// A compressed tar archive
    #[value(name = "tar.gz")]
    TarGz,
    /// A zip archive
    Zip,
}

impl Default for Format {
    fn default() -> Self {
        if cfg!(windows) { Self::Zip } else { Self::TarGz }
    }
}

/// The modes of programs and of other files.
const PROGRAM: u32 = 0o755;
const FILE: u32 = 0o644;

/// Files to pack into a folder, sorted by name.
pub(crate) struct Archive {
    folder: String,
    /// The time of each entry, in seconds since 1970.
    time: u64,
    entries: BTreeMap<String, (u32, Vec<u8>)>,
}

impl Archive {
    /// An archive that unpacks to a folder.
    pub(crate) fn new(folder: &str, time: u64) -> Self {
        Self { folder: folder.to_owned(), time, entries: BTreeMap::new() }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, path: &str, contents: Vec<u8>) {
        self.entries.insert(format!("{}/{path}", self.folder), (FILE, contents));
    }

    /// Adds an executable file.
    pub(crate) fn add_program(&mut self, path: &str, contents: Vec<u8>) {
        self.entries.insert(format!("{}/{path}", self.folder), (PROGRAM, contents));
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Writes the archive into a folder and returns its path.
    pub(crate) fn write(&self, out: &Path, format: Format) -> Result<PathBuf> {
        let (suffix, packed) = match format {
            Format::TarGz => ("tar.gz", self.tar_gz()),
            Format::Zip => ("zip", self.zip()),
        };
        let path = out.join(format!("{}.{suffix}", self.folder));
        let write = |bytes: Vec<u8>| -> io::Result<()> {
            std::fs::create_dir_all(out)?;
            bartizan_files::replace(&path, &bytes)
        };
        packed.and_then(write).map_err(Error::io(&path))?;
        Ok(path)
    }

    fn tar_gz(&self) -> io::Result<Vec<u8>> {
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
        for (path, (mode, contents)) in &self.entries {
            let mut header = tar::Header::new_gnu();
            header.set_size(contents.len() as u64);
            header.set_mode(*mode);
            header.set_mtime(self.time);
            header.set_uid(0);
            header.set_gid(0);
            tar.append_data(&mut header, path, contents.as_slice())?;
        }
        tar.into_inner()?.finish()
    }

    fn zip(&self) -> io::Result<Vec<u8>> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, (mode, contents)) in &self.entries {
            // Without the crate's feature `time`, entries are dated 1980-01-01.
            zip.start_file(path, SimpleFileOptions::default().unix_permissions(*mode))?;
            zip.write_all(contents)?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn archive(names: &[&str]) -> Archive {
        let mut archive = Archive::new("folder", 1_000_000_000);
        names.iter().for_each(|name| archive.add(name, name.as_bytes().to_vec()));
        archive.add_program("program", vec![1, 2, 3]);
        archive
    }

    #[test]
    fn the_bytes_do_not_depend_on_the_order_or_the_time_of_packing() {
        let folder = tempfile::tempdir().unwrap();
        for format in [Format::TarGz, Format::Zip] {
            let first = archive(&["b", "a"]).write(&folder.path().join("1"), format).unwrap();
            let second = archive(&["a", "b"]).write(&folder.path().join("2"), format).unwrap();
            assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap(), "{format:?}");
            assert_eq!(std::fs::read_dir(folder.path().join("1")).unwrap().count(), 1, "{format:?}");
            // As other programs create files, so that everyone may read them.
            let other = std::fs::File::create(folder.path().join("other")).unwrap().metadata().unwrap();
            assert_eq!(std::fs::metadata(&first).unwrap().permissions(), other.permissions(), "{format:?}");
            std::fs::remove_file(first).unwrap();
        }
    }

    #[test]
    fn tar_entries_have_fixed_owners_times_and_modes() {
        let bytes = archive(&["b", "a/c"]).tar_gz().unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in tar.entries().unwrap() {
            let entry = entry.unwrap();
            let (path, header) = (entry.path().unwrap().display().to_string(), entry.header());
            assert_eq!((header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()), (0, 0, 1_000_000_000));
            found.push((path, header.mode().unwrap()));
        }
        let expected = [("folder/a/c", 0o644), ("folder/b", 0o644), ("folder/program", 0o755)];
        assert_eq!(found, expected.map(|(path, mode)| (path.to_owned(), mode)));
    }

    #[test]
    fn zip_entries_can_be_read() {
        let bytes = archive(&["a"]).zip().unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut program = zip.by_name("folder/program").unwrap();
        let mut contents = Vec::new();
        program.read_to_end(&mut contents).unwrap();
        assert_eq!((program.unix_mode().unwrap() & 0o777, contents), (0o755, vec![1, 2, 3]));
    }
}
