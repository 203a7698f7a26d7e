//! Saves the hash table to a file, to continue an analysis later.
//!
//! The format does not depend on how the table packs its entries. All numbers are little endian:
//!
//! - `BartizanHash`, the version (u32), the size of the table in MiB (u32), and the evaluation (u32): 0 for the
//!   hand-written terms, the checksum of a network alone, its complement for the mean of both;
//! - 16 bytes for each entry: key (u64), move, value, evaluation (16 bits each, both values in internal centipawns),
//!   depth (u8), and flags (u8: bits 0 and 1 are the bound, bit 2 means on the principal variation, bit 3 that there
//!   is an evaluation);
//! - a checksum (u64) of everything before it.
//!
//! Version 1 predates networks: the size took eight bytes, of which the last four were 0.

use bartizan_engine::{Engine, EngineError, TableEntry, TranspositionTable};
use bartizan_files::Replacement;
use bartizan_types::{Bound, Depth, Escaped, Key, Move, Value};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 12] = b"BartizanHash";
const VERSION: u32 = 2;
/// Magic, version, MiB, evaluation.
const HEADER: usize = 12 + 4 + 4 + 4;
const ENTRY: usize = 16;
const CHECKSUM: usize = 8;
/// Size of the buffer for reading and writing.
const BUFFER: usize = 1 << 20;

/// Why a hash table was not saved or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HashFileError {
    /// The file cannot be read or written.
    #[error("cannot access '{}': {source}", Escaped(.path.display()))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The file is something else.
    #[error("'{}' is not a saved hash table", Escaped(.0.display()))]
    Foreign(PathBuf),
    /// The file has another version.
    #[error("'{}': version {version} of the format is not supported, only versions 1 and 2", Escaped(.path.display()))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        version: u32,
    },
    /// The table had another size.
    #[error(
        "'{}': the saved table has {saved} MiB, the current one {present} MiB; set 'Hash' to {saved}",
        Escaped(.path.display())
    )]
    Size {
        /// The file.
        path: PathBuf,
        /// The size of the saved table, in MiB.
        saved: u64,
        /// The size of the current table, in MiB.
        present: usize,
    },
    /// The scores come from another evaluation.
    #[error("'{}': the saved table has scores of another evaluation; set 'Evaluation' and 'EvalFile' to their values \
             at that time", Escaped(.0.display()))]
    Evaluation(PathBuf),
    /// The file is damaged.
    #[error("'{}' is damaged: {what}", Escaped(.path.display()))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        what: &'static str,
    },
}

/// FNV-1a over 64-bit words, with a shift that mixes high bits into low ones. It detects accidents, not tampering.
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
            self.0 ^= self.0 >> 29;
        }
    }
}

/// Why a hash table was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadHashError {
    /// The hash table cannot be allocated.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The file is not usable.
    #[error(transparent)]
    File(#[from] HashFileError),
}

/// The properties that a table and a file must share.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// The size in MiB.
    megabytes: usize,
    /// The evaluation, encoded as in the format.
    evaluation: u32,
}

impl Origin {
    /// The properties that an engine's table of this size shares with its files.
    fn of(engine: &Engine, megabytes: usize) -> Self {
        Self { megabytes, evaluation: engine.evaluation_model().checksum() }
    }
}

/// Writes an engine's hash table to a file, for [`load_hash`]. Returns the number of positions. Do not call during a
/// search.
///
/// # Errors
/// [`HashFileError`]; an existing file is unchanged.
pub fn save_hash(engine: &Engine, path: &Path) -> Result<u64, HashFileError> {
    let table = engine.hash_table();
    let megabytes = table.map_or(engine.options().hash_mib, TranspositionTable::megabytes);
    save(path, Origin::of(engine, megabytes), table.iter().flat_map(|table| table.entries()))
}

/// Loads a file written by [`save_hash`] into an engine's hash table, which must have the size of the saved one and
/// scores of the same evaluation. Entries in the table are kept unless they are replaced. Returns the number of
/// positions. Do not call during a search.
///
/// # Errors
/// [`LoadHashError`] when there is no memory for the table, or the file is damaged, of another version, or of a table
/// of another size or evaluation. The table is unchanged.
pub fn load_hash(engine: &mut Engine, path: &Path) -> Result<u64, LoadHashError> {
    engine.prepare()?;
    let Some(table) = engine.hash_table() else { return Ok(0) };
    Ok(load(path, Origin::of(engine, table.megabytes()), |key, entry| table.store(key, entry))?)
}

/// Replaces a whole file by one with these entries, unless it is of another kind. Returns the number of entries.
fn save(path: &Path, origin: Origin, entries: impl Iterator<Item = (Key, TableEntry)>) -> Result<u64, HashFileError> {
    let is_right = |start: &[u8]| start.is_empty() || start.starts_with(MAGIC);
    bartizan_files::check_kind(path, "a saved hash table", is_right)
        .and_then(|()| write(path, origin, entries))
        .map_err(|source| HashFileError::Io { path: path.to_owned(), source })
}

fn write(path: &Path, origin: Origin, entries: impl Iterator<Item = (Key, TableEntry)>) -> io::Result<u64> {
    let mut file = BufWriter::with_capacity(BUFFER, Replacement::new(path)?);
    let mut checksum = Checksum::new();
    let mut header = Vec::with_capacity(HEADER);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    // Even the maximum of 32 TiB is a number of MiB that fits.
    header.extend_from_slice(&(origin.megabytes as u32).to_le_bytes());
    header.extend_from_slice(&origin.evaluation.to_le_bytes());
    let mut number = 0;
    checksum.add(&header);
    file.write_all(&header)?;
    for (key, entry) in entries {
        let bytes = pack(key, &entry);
        checksum.add(&bytes);
        file.write_all(&bytes)?;
        number += 1;
    }
    file.write_all(&checksum.0.to_le_bytes())?;
    file.into_inner().map_err(IntoInnerError::into_error)?.commit()?;
    Ok(number)
}

/// Calls `take` with every entry of a file, or with none if the file is invalid. Returns the number of entries.
fn load(path: &Path, origin: Origin, mut take: impl FnMut(Key, TableEntry)) -> Result<u64, HashFileError> {
    let io_error = |source| HashFileError::Io { path: path.to_owned(), source };
    let mut file = bartizan_files::open_regular(path).map_err(io_error)?;
    // Read the file twice, first to check it: a copy of the entries may not fit in memory.
    let number = check(&mut file, path, origin)?;
    file.seek(SeekFrom::Start(HEADER as u64)).map_err(io_error)?;
    let mut file = BufReader::with_capacity(BUFFER, file);
    for _ in 0..number {
        let mut bytes = [0; ENTRY];
        file.read_exact(&mut bytes).map_err(io_error)?;
        if let Some((key, entry)) = unpack(&bytes) {
            take(key, entry);
        }
    }
    Ok(number)
}

/// Checks a file, and that its table has this size and evaluation. Returns the number of entries.
fn check(file: &mut File, path: &Path, origin: Origin) -> Result<u64, HashFileError> {
    let path = || path.to_owned();
    let io_error = |source| HashFileError::Io { path: path(), source };
    let damaged = |what| HashFileError::Damaged { path: path(), what };
    let length = file.metadata().map_err(io_error)?.len();
    let mut file = BufReader::with_capacity(BUFFER, file);
    let mut header = [0; HEADER];
    let read = file.read_exact(&mut header);
    if !header.starts_with(MAGIC) {
        return Err(HashFileError::Foreign(path()));
    }
    read.map_err(|_| damaged("it is too short"))?;
    let (version, saved) = header[MAGIC.len()..].split_first_chunk().ok_or_else(|| damaged("it is too short"))?;
    let version = u32::from_le_bytes(*version);
    if !(1..=VERSION).contains(&version) {
        return Err(HashFileError::Version { path: path(), version });
    }
    let saved = saved.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (saved, evaluation) = (saved & u64::from(u32::MAX), (saved >> 32) as u32);
    let entries = length.checked_sub((HEADER + CHECKSUM) as u64).ok_or_else(|| damaged("it is too short"))?;
    if !entries.is_multiple_of(ENTRY as u64) {
        return Err(damaged("its length is wrong"));
    }
    // The length and the table come first: the checksum takes seconds for each gigabyte.
    if saved != origin.megabytes as u64 {
        return Err(HashFileError::Size { path: path(), saved, present: origin.megabytes });
    }
    if evaluation != origin.evaluation {
        return Err(HashFileError::Evaluation(path()));
    }
    // An entry takes as many bytes in the table.
    if entries > saved << 20 {
        return Err(damaged("it has more entries than the table"));
    }
    let mut checksum = Checksum::new();
    checksum.add(&header);
    for _ in 0..entries / ENTRY as u64 {
        let mut bytes = [0; ENTRY];
        file.read_exact(&mut bytes).map_err(io_error)?;
        checksum.add(&bytes);
    }
    let mut sum = [0; CHECKSUM];
    file.read_exact(&mut sum).map_err(io_error)?;
    if checksum.0 != u64::from_le_bytes(sum) {
        return Err(damaged("its checksum is wrong"));
    }
    Ok(entries / ENTRY as u64)
}

fn pack(key: Key, entry: &TableEntry) -> [u8; ENTRY] {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    let flags: u8 = bound | u8::from(entry.is_pv) << 2 | u8::from(entry.eval.is_some()) << 3;
    let mut bytes = [0; ENTRY];
    bytes[..8].copy_from_slice(&key.0.to_le_bytes());
    bytes[8..10].copy_from_slice(&entry.mv.map_or(0, Move::to_bits).to_le_bytes());
    bytes[10..12].copy_from_slice(&(entry.value.0 as i16).to_le_bytes());
    bytes[12..14].copy_from_slice(&(entry.eval.unwrap_or(Value::ZERO).0 as i16).to_le_bytes());
    bytes[14] = entry.depth.0.clamp(0, 255) as u8;
    bytes[15] = flags;
    bytes
}

fn unpack(bytes: &[u8; ENTRY]) -> Option<(Key, TableEntry)> {
    let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let value = |at: usize| Value(i32::from(half(at) as i16));
    let (key, _) = bytes.split_first_chunk()?;
    let flags = bytes[15];
    let bound = match flags & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (flags >> 3 & 1 != 0).then(|| value(12));
    let (mv, depth) = (Move::from_bits(half(8)), Depth(i32::from(bytes[14])));
    let entry = TableEntry { mv, value: value(10), eval, depth, bound, is_pv: flags >> 2 & 1 != 0 };
    Some((Key(u64::from_le_bytes(*key)), entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_engine::EvaluationKind;
    use bartizan_types::Square;

    fn entries() -> Vec<(Key, TableEntry)> {
        let entry = |n: i32| TableEntry {
            mv: (n % 3 > 0).then(|| Move::normal(Square::E2, Square::E4)),
            value: Value(n * 7 - 300),
            eval: (n % 2 > 0).then_some(Value(-n)),
            depth: Depth(n),
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][n as usize % 3],
            is_pv: n % 4 == 0,
        };
        (0..100).map(|n| (Key((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)), entry(n))).collect()
    }

    fn origin(megabytes: usize) -> Origin {
        Origin { megabytes, evaluation: 0x1234_5678 }
    }

    fn load_all(path: &Path, megabytes: usize) -> Result<Vec<(Key, TableEntry)>, String> {
        let mut entries = Vec::new();
        let number = load(path, origin(megabytes), |key, entry| entries.push((key, entry)))
            .map_err(|error| error.to_string())?;
        assert_eq!(number, entries.len() as u64);
        Ok(entries)
    }

    #[test]
    fn saved_entries_are_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        assert_eq!(save(&path, origin(16), entries().into_iter()).unwrap(), 100);
        assert_eq!(load_all(&path, 16).unwrap(), entries());
        assert_eq!(save(&path, origin(16), std::iter::empty()).unwrap(), 0);
        assert_eq!(load_all(&path, 16).unwrap(), []);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(save(&folder.path().join("no/such/folder"), origin(16), std::iter::empty()).is_err());
    }

    #[test]
    fn invalid_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        save(&path, origin(16), entries().into_iter()).unwrap();
        assert!(
            load_all(&path, 32)
                .unwrap_err()
                .ends_with("the saved table has 16 MiB, the current one 32 MiB; set 'Hash' to 16")
        );
        let whole = std::fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, bytes).unwrap();
            assert!(load_all(&path, 16).is_err(), "byte {at}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(load_all(&path, 16).is_err(), "cut at {at}");
        }
        let mut bytes = whole.clone();
        bytes[12] = 3;
        std::fs::write(&path, bytes).unwrap();
        assert!(load_all(&path, 16).unwrap_err().contains("version 3"));
    }

    #[test]
    fn scores_of_another_evaluation_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        save(&path, Origin { megabytes: 16, evaluation: 0 }, entries().into_iter()).unwrap();
        assert!(load_all(&path, 16).unwrap_err().contains("another evaluation"));
        // The scores in a version 1 file come from the hand-written terms.
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[12] = 1;
        let end = bytes.len() - CHECKSUM;
        let mut checksum = Checksum::new();
        checksum.add(&bytes[..HEADER]);
        bytes[HEADER..end].chunks(ENTRY).for_each(|entry| checksum.add(entry));
        bytes[end..].copy_from_slice(&checksum.0.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        let mut loaded = 0;
        assert_eq!(load(&path, Origin { megabytes: 16, evaluation: 0 }, |_, _| loaded += 1).unwrap(), 100);
        assert_eq!(loaded, 100);
    }

    /// A terabyte is refused by its length: its checksum would take a quarter of an hour.
    #[test]
    fn wrong_lengths_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        save(&path, origin(16), entries().into_iter()).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len((1 << 40) + 1).unwrap();
        assert!(load_all(&path, 16).unwrap_err().ends_with("its length is wrong"));
        file.set_len((1 << 40) + (HEADER + CHECKSUM) as u64).unwrap();
        assert!(load_all(&path, 32).unwrap_err().contains("the current one 32 MiB"));
        assert!(load_all(&path, 16).unwrap_err().ends_with("it has more entries than the table"));
    }

    /// The hash table belongs to one evaluation.
    #[test]
    fn the_table_of_an_engine_is_loaded_with_the_same_evaluation() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("hash");
        let mut engine = Engine::new();
        save_hash(&engine, &file).unwrap();
        engine.configure(|options| options.evaluation = EvaluationKind::Network).unwrap();
        assert!(matches!(load_hash(&mut engine, &file), Err(LoadHashError::File(HashFileError::Evaluation(_)))));
        engine.configure(|options| options.evaluation = EvaluationKind::Combined).unwrap();
        load_hash(&mut engine, &file).unwrap();
    }
}
