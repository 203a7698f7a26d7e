//! Collections of tables.

use crate::checksum::CHECKSUM;
use crate::error::TablebaseError;
use crate::folders::split_folders;
use crate::handles::Handles;
use crate::kind::Kind;
use crate::material::Material;
use crate::source::{PAGE, Shared, Source};
use crate::table::Table;
use bartizan_files::{Cache, Lazy, contents};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};
use std::sync::{Arc, Mutex, PoisonError};

/// Limits on memory and open files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TablebaseConfig {
    /// Files up to this size in bytes are read whole at their first probe and kept in memory. The default, 512 KiB,
    /// covers all tables of up to four pieces, 4.4 MB in total, and the smallest tables of more.
    pub whole_file: u64,
    /// The size in bytes of the page cache for larger files. Default: 32 MiB.
    pub page_cache: usize,
    /// The maximum number of larger files that are open at once. Default: 256.
    pub open_files: usize,
}

impl Default for TablebaseConfig {
    fn default() -> Self {
        Self { whole_file: 512 << 10, page_cache: 32 << 20, open_files: 256 }
    }
}

/// A file whose header is read at the first probe.
#[derive(Debug)]
pub(crate) struct LazyTable {
    path: PathBuf,
    kind: Kind,
    material: Material,
    table: Lazy<Table, TablebaseError>,
    /// Whether the table counts as missing because it has failed in a search: [`IN_USE`], [`PAUSED`] or [`RETIRED`].
    // Relaxed: a thread that does not see the change yet fails as well and changes nothing.
    state: AtomicU8,
    /// The number of searches in which it could not be read.
    failures: AtomicU32,
}

const IN_USE: u8 = 0;

/// The file could not be read. The next search tries again.
const PAUSED: u8 = 1;

/// The file is damaged, or could not be read in many searches.
const RETIRED: u8 = 2;

/// The number of searches that try a file that cannot be read. More would not help with a broken disk; fewer might lose
/// a table because too many files were temporarily open.
const TRIES: u32 = 20;

impl LazyTable {
    fn new(path: PathBuf, kind: Kind, material: Material) -> Self {
        Self { path, kind, material, table: Lazy::default(), state: AtomicU8::new(IN_USE), failures: AtomicU32::new(0) }
    }

    fn get(&self, shared: &Arc<Shared>) -> Result<&Table, TablebaseError> {
        self.table.get(
            || Table::open(&self.path, self.kind, self.material, shared),
            // I/O errors may be temporary.
            |error| matches!(error, TablebaseError::File { .. }),
        )
    }
}

/// The files for one set of pieces.
#[derive(Debug, Default)]
struct Entry {
    wdl: Option<LazyTable>,
    dtz: Option<LazyTable>,
}

/// A set of Syzygy tables. Any number of threads may probe them.
///
/// Opening lists the folders and checks the sizes of the files. A file is read at its first probe. [`TablebaseConfig`]
/// limits the memory.
#[derive(Debug)]
pub struct Tablebases {
    /// Sorted by material. Each entry is listed for both colours of the stronger side.
    keys: Vec<(Material, u32)>,
    entries: Vec<Entry>,
    shared: Arc<Shared>,
    max_pieces: usize,
    empty: Vec<PathBuf>,
    /// The errors of tables that were retired and not yet reported.
    faults: Mutex<Vec<TablebaseError>>,
    /// Whether a file is [`PAUSED`].
    has_paused: AtomicBool,
}

impl Tablebases {
    /// Opens the tables in a list of folders: see [`split_folders`].
    ///
    /// ```
    /// use bartizan_tablebase::Tablebases;
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// assert_eq!((tables.max_pieces(), tables.len(), tables.dtz_len()), (4, 11, 10));
    /// # Ok::<(), bartizan_tablebase::TablebaseError>(())
    /// ```
    ///
    /// # Errors
    /// See [`Tablebases::open_with`].
    pub fn open(paths: &str) -> Result<Self, TablebaseError> {
        Self::open_folders(&split_folders(paths))
    }

    /// Opens the tables in several folders. If two folders have the same table, the first one is used.
    ///
    /// # Errors
    /// See [`Tablebases::open_with`].
    pub fn open_folders<P: AsRef<Path>>(folders: &[P]) -> Result<Self, TablebaseError> {
        Self::open_with(folders, TablebaseConfig::default())
    }

    /// Opens the tables in several folders with limits on memory and open files.
    ///
    /// ```
    /// use bartizan_tablebase::{TablebaseConfig, Tablebases};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let mut config = TablebaseConfig::default();
    /// config.page_cache = 64 << 20;
    /// let tables = Tablebases::open_with(&[folder], config)?;
    /// assert!(tables.empty_folders().is_empty());
    /// # Ok::<(), bartizan_tablebase::TablebaseError>(())
    /// ```
    ///
    /// # Errors
    /// [`TablebaseError`] if a folder cannot be read, if the size of a file shows that it is truncated, or if no folder
    /// contains a table. If only some folders contain none, [`Tablebases::empty_folders`] lists them.
    pub fn open_with<P: AsRef<Path>>(folders: &[P], config: TablebaseConfig) -> Result<Self, TablebaseError> {
        let (found, empty) = find(folders, Err)?;
        Self::of(found, empty, config).ok_or_else(|| no_tables(folders))
    }

    /// Opens the usable tables, and returns the errors of everything else: folders that cannot be read, truncated
    /// files, and folders without tables. No tables are returned if there are none.
    ///
    /// ```
    /// use bartizan_tablebase::{TablebaseConfig, Tablebases};
    ///
    /// let (tables, faults) = Tablebases::open_usable(&["no/such/folder"], TablebaseConfig::default());
    /// assert!(tables.is_none());
    /// assert!(faults[0].to_string().starts_with("cannot read tablebase folder 'no/such/folder'"));
    /// ```
    pub fn open_usable<P: AsRef<Path>>(folders: &[P], config: TablebaseConfig) -> (Option<Self>, Vec<TablebaseError>) {
        let mut faults = Vec::new();
        let found = find(folders, |error| {
            faults.push(error);
            Ok(())
        });
        let Ok((found, empty)) = found else { return (None, faults) };
        faults.extend(empty.iter().map(|folder| no_tables(std::slice::from_ref(folder))));
        let tables = Self::of(found, empty, config);
        if tables.is_none() && faults.is_empty() {
            faults.push(no_tables(folders));
        }
        (tables, faults)
    }

    /// The tables in memory, for a program without files: the names of the files, such as `KQvK.rtbw`, and their bytes.
    /// If two files are the same table, the first one is used.
    ///
    /// ```
    /// use bartizan_tablebase::Tablebases;
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// # let bytes = std::fs::read(format!("{folder}/KQvK.rtbw"))?;
    /// let tables = Tablebases::from_files([("KQvK.rtbw", bytes)])?;
    /// assert_eq!((tables.max_pieces(), tables.len(), tables.dtz_len()), (3, 1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TablebaseError::Damaged`] if a name is not that of a table, or a file is damaged; [`TablebaseError::NoTables`]
    /// if there is no WDL table.
    pub fn from_files<N: AsRef<str>>(files: impl IntoIterator<Item = (N, Vec<u8>)>) -> Result<Self, TablebaseError> {
        let mut found = BTreeMap::new();
        for (name, bytes) in files {
            let path = PathBuf::from(name.as_ref());
            let damaged = |what| TablebaseError::Damaged { path: path.clone(), what };
            let (kind, material) =
                kind_of(&path).ok_or_else(|| damaged("it is not named as a table, such as KQvK.rtbw"))?;
            if bytes.len() as u64 % 64 != CHECKSUM {
                return Err(damaged("invalid file size"));
            }
            let table = Table::of(&path, Source::Memory(bytes.into()), kind, material)?;
            let lazy = LazyTable::new(path, kind, material);
            lazy.table.get(|| Ok(table), |_| false)?;
            add(&mut found, lazy);
        }
        Self::of(found, Vec::new(), TablebaseConfig::default()).ok_or(TablebaseError::NoTables { folders: Vec::new() })
    }

    /// The tables of a set of files; `None` without a WDL table.
    fn of(found: BTreeMap<Material, Entry>, empty: Vec<PathBuf>, config: TablebaseConfig) -> Option<Self> {
        let max_pieces = found.iter().filter(|(_, entry)| entry.wdl.is_some()).map(|(men, _)| men.men()).max()?;
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
            pages: Cache::new(config.page_cache / PAGE as usize),
            handles: Handles::new(config.open_files),
            next_file: AtomicU32::new(0),
        });
        Some(Self {
            keys,
            entries,
            shared,
            max_pieces,
            empty,
            faults: Mutex::default(),
            has_paused: AtomicBool::new(false),
        })
    }

    /// The greatest number of pieces of a covered position, kings and pawns included.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// The number of WDL files (`.rtbw`).
    pub fn len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.wdl.is_some()).count()
    }

    /// The number of DTZ files (`.rtbz`).
    pub fn dtz_len(&self) -> usize {
        self.entries.iter().filter(|entry| entry.dtz.is_some()).count()
    }

    /// Always `false`: opening fails if there are no tables.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The folders without tables.
    pub fn empty_folders(&self) -> &[PathBuf] {
        &self.empty
    }

    fn entry(&self, material: Material) -> Option<&Entry> {
        let place = self.keys.binary_search_by_key(&material, |&(key, _)| key).ok()?;
        self.entries.get(self.keys[place].1 as usize)
    }

    /// Whether there is a WDL file (`.rtbw`) of these pieces, with either colours.
    pub fn has_wdl(&self, material: Material) -> bool {
        self.entry(material).is_some_and(|entry| entry.wdl.is_some())
    }

    /// Whether there is a DTZ file (`.rtbz`) of these pieces, with either colours.
    pub fn has_dtz(&self, material: Material) -> bool {
        self.entry(material).is_some_and(|entry| entry.dtz.is_some())
    }

    pub(crate) fn wdl_table(&self, material: Material) -> Result<Option<&Table>, TablebaseError> {
        self.get(self.entry(material).and_then(|entry| entry.wdl.as_ref()))
    }

    pub(crate) fn dtz_table(&self, material: Material) -> Result<Option<&Table>, TablebaseError> {
        self.get(self.entry(material).and_then(|entry| entry.dtz.as_ref()))
    }

    fn get<'a>(&'a self, lazy: Option<&'a LazyTable>) -> Result<Option<&'a Table>, TablebaseError> {
        lazy.filter(|lazy| lazy.state.load(Relaxed) == IN_USE).map(|lazy| lazy.get(&self.shared)).transpose()
    }

    /// Treats a table that has failed as missing, and keeps the error for [`Tablebases::take_faults`]. After a read
    /// error, the next searches try again. Returns whether there was a file to exclude.
    #[cold]
    pub(crate) fn retire(&self, error: TablebaseError) -> bool {
        let (TablebaseError::File { path, .. } | TablebaseError::Damaged { path, .. }) = &error else { return false };
        let Some(lazy) = self.lazies().find(|lazy| lazy.path == *path) else { return false };
        // Several threads may fail at once; one of them counts and reports it.
        let is_first = match error {
            TablebaseError::File { .. } => {
                lazy.state.compare_exchange(IN_USE, PAUSED, Relaxed, Relaxed).is_ok() && {
                    let failures = lazy.failures.fetch_add(1, Relaxed) + 1;
                    if failures == TRIES {
                        lazy.state.store(RETIRED, Relaxed);
                    }
                    self.has_paused.store(true, Relaxed);
                    failures == 1
                }
            }
            _ => lazy.state.swap(RETIRED, Relaxed) != RETIRED,
        };
        if is_first {
            self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(error);
        }
        true
    }

    /// Call this when a new search starts. It tries tables again that could not be read, because the cause may be
    /// temporary, such as too many open files. After 20 such searches, a file is no longer tried.
    pub fn resume(&self) {
        if self.has_paused.swap(false, Relaxed) {
            for lazy in self.lazies() {
                let _ = lazy.state.compare_exchange(PAUSED, IN_USE, Relaxed, Relaxed);
            }
        }
    }

    fn lazies(&self) -> impl Iterator<Item = &LazyTable> {
        self.entries.iter().flat_map(|entry| [&entry.wdl, &entry.dtz]).flatten()
    }

    /// The files of the tables in use, WDL first.
    pub fn files(&self) -> impl Iterator<Item = TableFile<'_>> {
        let files = |kind: Kind| {
            self.entries
                .iter()
                .filter_map(move |entry| if kind == Kind::Wdl { entry.wdl.as_ref() } else { entry.dtz.as_ref() })
        };
        files(Kind::Wdl).chain(files(Kind::Dtz)).map(|lazy| TableFile { lazy, tables: self })
    }

    /// Whether a table has failed in a search or another probe.
    pub fn has_failed(&self) -> bool {
        self.lazies().any(|lazy| {
            lazy.failures.load(Relaxed) > 0 || lazy.state.load(Relaxed) != IN_USE || lazy.table.has_failed()
        })
    }

    /// The errors of tables that searches have excluded since the last call: see [`Tablebases::search_wdl`]. Each file
    /// is reported once.
    pub fn take_faults(&self) -> Vec<TablebaseError> {
        std::mem::take(&mut *self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How thoroughly [`TableFile::check`] checks a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckLevel {
    /// The size, the kind, the pieces and the structure, as far as the header contains them; for small files, also the
    /// checksum.
    Header,
    /// Also the checksum and every block: reads the whole file.
    Full,
}

/// A file of a set of tables.
#[derive(Clone, Copy, Debug)]
pub struct TableFile<'a> {
    lazy: &'a LazyTable,
    tables: &'a Tablebases,
}

impl<'a> TableFile<'a> {
    /// The path of the file.
    pub fn path(self) -> &'a Path {
        &self.lazy.path
    }

    /// The number of pieces, kings and pawns included.
    pub fn men(self) -> usize {
        self.lazy.material.men()
    }

    /// Checks the file. At [`CheckLevel::Full`], `stop` is called often and returns whether to stop, and `report` gets
    /// the number of bytes done and the total.
    ///
    /// ```
    /// use bartizan_tablebase::{CheckLevel, Tablebases};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// for file in tables.files() {
    ///     if let Err(error) = file.check(CheckLevel::Full, &|| false, &|_, _| ()) {
    ///         println!("{error}");
    ///     }
    /// }
    /// # Ok::<(), bartizan_tablebase::TablebaseError>(())
    /// ```
    ///
    /// # Errors
    /// [`TablebaseError`] if the file cannot be read or is damaged, or if `stop` ended the check.
    pub fn check(
        self,
        level: CheckLevel,
        stop: &dyn Fn() -> bool,
        report: &dyn Fn(u64, u64),
    ) -> Result<(), TablebaseError> {
        let table = self.lazy.get(&self.tables.shared)?;
        match level {
            CheckLevel::Header => Ok(()),
            CheckLevel::Full => table.verify(self.lazy.kind, stop, report),
        }
    }
}

/// Finds the tables of several folders, and the folders that have none. `fault` decides whether an error ends this.
fn find<P: AsRef<Path>>(
    folders: &[P],
    mut fault: impl FnMut(TablebaseError) -> Result<(), TablebaseError>,
) -> Result<(BTreeMap<Material, Entry>, Vec<PathBuf>), TablebaseError> {
    let (mut found, mut empty) = (BTreeMap::new(), Vec::new());
    for folder in folders {
        let folder = folder.as_ref();
        match add_folder(folder, &mut found, &mut fault) {
            Ok(0) => empty.push(folder.to_owned()),
            Ok(_) => {}
            Err(error) => fault(error)?,
        }
    }
    Ok((found, empty))
}

fn no_tables<P: AsRef<Path>>(folders: &[P]) -> TablebaseError {
    TablebaseError::NoTables { folders: folders.iter().map(|folder| folder.as_ref().to_owned()).collect() }
}

/// Adds the tables of a folder. Returns the number of its table files, including those reported to `fault`.
fn add_folder(
    folder: &Path,
    found: &mut BTreeMap<Material, Entry>,
    fault: &mut impl FnMut(TablebaseError) -> Result<(), TablebaseError>,
) -> Result<usize, TablebaseError> {
    let error = |error: io::Error| TablebaseError::Folder { path: folder.to_owned(), source: Arc::new(error) };
    let mut tables = 0;
    for path in contents(folder).map_err(error)? {
        let Some((kind, material)) = kind_of(&path) else { continue };
        tables += 1;
        if let Err(error) = check_size(&path) {
            fault(error)?;
            continue;
        }
        add(found, LazyTable::new(path, kind, material));
    }
    Ok(tables)
}

fn add(found: &mut BTreeMap<Material, Entry>, table: LazyTable) {
    let entry = found.entry(table.material).or_default();
    let slot = if table.kind == Kind::Wdl { &mut entry.wdl } else { &mut entry.dtz };
    slot.get_or_insert(table);
}

/// The kind and the pieces that the name of a file says; `None` if it is not that of a table.
fn kind_of(path: &Path) -> Option<(Kind, Material)> {
    let kind = match path.extension()?.to_str()? {
        "rtbw" => Kind::Wdl,
        "rtbz" => Kind::Dtz,
        _ => return None,
    };
    let material = Material::parse(path.file_stem()?.to_str()?)?;
    // The same table serves both colours.
    (3..=crate::MAX_MEN).contains(&material.men()).then(|| (kind, material.max(material.mirrored())))
}

fn check_size(path: &Path) -> Result<(), TablebaseError> {
    let meta =
        fs::metadata(path).map_err(|error| TablebaseError::File { path: path.to_owned(), source: Arc::new(error) })?;
    if meta.is_file() && meta.len() % 64 == CHECKSUM {
        Ok(())
    } else {
        Err(TablebaseError::Damaged { path: path.to_owned(), what: "invalid file size" })
    }
}

// Threads may share these types.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Tablebases>();
    shared::<Source>();
};
