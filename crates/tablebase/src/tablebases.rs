//! The tables of some folders.

use crate::cache::PageCache;
use crate::error::TablebaseError;
use crate::handles::Handles;
use crate::material::Material;
use crate::source::{Shared, Source};
use crate::table::{CHECKSUM, Kind, Table};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, OnceLock};

/// How much memory the tables may use, and how many files may be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Files up to this many bytes are read whole at their first probe, and kept. Default 512 KiB: all tables of up to
    /// four men, which have 4.4 MB together, and the smaller ones of more.
    pub whole_file: u64,
    /// Bytes for pages of bigger files, over all files. Default 32 MiB.
    pub page_cache: usize,
    /// Bigger files that are open at once. Default 256.
    pub open_files: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { whole_file: 512 << 10, page_cache: 32 << 20, open_files: 256 }
    }
}

/// A file whose description is read when it is first asked.
#[derive(Debug)]
pub(crate) struct Lazy {
    path: PathBuf,
    kind: Kind,
    material: Material,
    /// The table, or what is wrong with it for good.
    table: OnceLock<Result<Table, TablebaseError>>,
    reading: Mutex<()>,
}

impl Lazy {
    fn new(path: PathBuf, kind: Kind, material: Material) -> Self {
        Self { path, kind, material, table: OnceLock::new(), reading: Mutex::new(()) }
    }

    fn get(&self, shared: &Arc<Shared>) -> Result<&Table, TablebaseError> {
        if let Some(table) = self.table.get() {
            return table.as_ref().map_err(Clone::clone);
        }
        // One thread reads; those who wait find the table there.
        let _reading = self.reading.lock();
        if let Some(table) = self.table.get() {
            return table.as_ref().map_err(Clone::clone);
        }
        match Table::open(&self.path, self.kind, self.material, shared) {
            // A disk may come back.
            Err(error @ TablebaseError::File { .. }) => Err(error),
            table => self.table.get_or_init(|| table).as_ref().map_err(Clone::clone),
        }
    }
}

/// The files for some men.
#[derive(Debug, Default)]
struct Entry {
    wdl: Option<Lazy>,
    dtz: Option<Lazy>,
}

/// Syzygy tables, ready to be probed by any number of threads.
///
/// Opening lists the folders and looks at the sizes of the files; a file is read at its first probe. See [`Config`] for
/// what is kept in memory.
#[derive(Debug)]
pub struct Tablebases {
    /// Sorted by the men; each entry is there for both colours of the side that has more.
    keys: Vec<(Material, u32)>,
    entries: Vec<Entry>,
    shared: Arc<Shared>,
    max_pieces: usize,
    empty: Vec<PathBuf>,
}

impl Tablebases {
    /// Opens the tables of a list of folders, with `:` between them (`;` on Windows), as in UCI's `SyzygyPath`.
    ///
    /// # Errors
    /// See [`Tablebases::open_with`].
    pub fn open(paths: &str) -> Result<Self, TablebaseError> {
        let folders: Vec<PathBuf> = std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()).collect();
        Self::open_folders(&folders)
    }

    /// Opens the tables of folders. Where a table is in two of them, the first is taken.
    ///
    /// # Errors
    /// See [`Tablebases::open_with`].
    pub fn open_folders<P: AsRef<Path>>(folders: &[P]) -> Result<Self, TablebaseError> {
        Self::open_with(folders, Config::default())
    }

    /// Opens the tables of folders, and says what they may use.
    ///
    /// # Errors
    /// [`TablebaseError`] when a folder cannot be read, when a file has a size that no table has (it was not copied
    /// whole), or when there is no table in any of the folders. [`Tablebases::empty_folders`] names those that have
    /// none beside others that have.
    pub fn open_with<P: AsRef<Path>>(folders: &[P], config: Config) -> Result<Self, TablebaseError> {
        let mut found = BTreeMap::new();
        let mut empty = Vec::new();
        for folder in folders {
            let folder = folder.as_ref();
            if add_folder(folder, &mut found)? == 0 {
                empty.push(folder.to_owned());
            }
        }
        if found.values().all(|entry: &Entry| entry.wdl.is_none()) {
            return Err(TablebaseError::NoTables { folders: folders.iter().map(|f| f.as_ref().to_owned()).collect() });
        }
        let max_pieces = found.iter().filter(|(_, entry)| entry.wdl.is_some()).map(|(men, _)| men.men()).max();
        let (mut keys, mut entries) = (Vec::new(), Vec::new());
        for (material, entry) in found {
            let number = entries.len() as u32;
            keys.push((material, number));
            if !material.is_symmetric() {
                keys.push((material.mirrored(), number));
            }
            entries.push(entry);
        }
        keys.sort_unstable();
        let shared = Arc::new(Shared {
            whole: config.whole_file,
            pages: PageCache::new(config.page_cache),
            handles: Handles::new(config.open_files),
            next_file: AtomicU32::new(0),
        });
        Ok(Self { keys, entries, shared, max_pieces: max_pieces.unwrap_or(0), empty })
    }

    /// The most men, kings and pawns included, of a position that may be found.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// How many files say who wins (`.rtbw`).
    pub fn len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.wdl.is_some()).count()
    }

    /// How many files say how far it is (`.rtbz`).
    pub fn dtz_len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.dtz.is_some()).count()
    }

    /// Never: without a table, opening fails.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The folders that have no tables.
    pub fn empty_folders(&self) -> &[PathBuf] {
        &self.empty
    }

    fn entry(&self, material: Material) -> Option<&Entry> {
        let place = self.keys.binary_search_by_key(&material, |&(key, _)| key).ok()?;
        self.entries.get(self.keys[place].1 as usize)
    }

    pub(crate) fn wdl_table(&self, material: Material) -> Result<Option<&Table>, TablebaseError> {
        self.entry(material).and_then(|entry| entry.wdl.as_ref()).map(|lazy| lazy.get(&self.shared)).transpose()
    }

    pub(crate) fn dtz_table(&self, material: Material) -> Result<Option<&Table>, TablebaseError> {
        self.entry(material).and_then(|entry| entry.dtz.as_ref()).map(|lazy| lazy.get(&self.shared)).transpose()
    }
}

/// Adds the tables of a folder; says how many there are.
fn add_folder(folder: &Path, found: &mut BTreeMap<Material, Entry>) -> Result<usize, TablebaseError> {
    let error = |error: io::Error| TablebaseError::Folder { path: folder.to_owned(), source: Arc::new(error) };
    let mut tables = 0;
    for file in fs::read_dir(folder).map_err(error)? {
        let path = file.map_err(error)?.path();
        let kind = match path.extension().and_then(|extension| extension.to_str()) {
            Some("rtbw") => Kind::Wdl,
            Some("rtbz") => Kind::Dtz,
            _ => continue,
        };
        let Some(material) = path.file_stem().and_then(|name| name.to_str()).and_then(Material::parse) else {
            continue;
        };
        if !(3..=crate::MAX_MEN).contains(&material.men()) {
            continue;
        }
        check_size(&path)?;
        tables += 1;
        // The other way round is the same table.
        let material = material.max(material.mirrored());
        let entry = found.entry(material).or_default();
        let slot = if kind == Kind::Wdl { &mut entry.wdl } else { &mut entry.dtz };
        slot.get_or_insert_with(|| Lazy::new(path, kind, material));
    }
    Ok(tables)
}

fn check_size(path: &Path) -> Result<(), TablebaseError> {
    let meta =
        fs::metadata(path).map_err(|error| TablebaseError::File { path: path.to_owned(), source: Arc::new(error) })?;
    if meta.is_file() && meta.len() % 64 == CHECKSUM {
        Ok(())
    } else {
        Err(TablebaseError::Damaged { path: path.to_owned(), what: "a size that no table has" })
    }
}

// What threads share is safe to share.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Tablebases>();
    shared::<Source>();
};
