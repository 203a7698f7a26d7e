//! The learning file.
//!
//! It is a text file: a first line with the version, then one [`Record`] per line, latest last. It is always replaced
//! as a whole, under a lock. So a process killed at any moment leaves either the old file or the new one, and engines
//! that learn at the same time do not lose each other's records.

use super::{Record, RecordError};
use crate::files::{self, Lock};
use bartizan_notation::list;
use bartizan_types::{Bound, Escaped, Key};
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The first line, without the version.
pub(super) const HEADER: &str = "# bartizan-learning ";
const VERSION: u32 = 1;

/// Number of records that an engine keeps: half a megabyte, read in a few milliseconds.
pub const MOST_RECORDS: usize = 5_000;

/// The largest file that is read. An engine writes half a megabyte, but files can be merged.
const MOST_BYTES: u64 = 64 << 20;

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidLine {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub error: RecordError,
}

impl fmt::Display for InvalidLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

/// Why a learning file is unusable. The file is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearningError {
    /// The file cannot be read or written.
    #[error("cannot access '{}': {source}", Escaped(.path.display()))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// The file is something else.
    #[error("'{}' is not a learning file: it does not begin with '# bartizan-learning 1'", Escaped(.path.display()))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version.
    #[error("'{}': version {version} of the format is not supported, only version 1", Escaped(.path.display()))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        version: String,
    },
}

/// Refuses a file that [`LearningFile::read`] refuses for its length, without reading it.
pub(super) fn check_length(path: &Path) -> io::Result<()> {
    match bartizan_files::check_length(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        checked => checked,
    }
}

/// The contents of a learning file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearningFile {
    /// The records, latest last.
    pub records: Vec<Record>,
    /// Invalid lines, which were skipped.
    pub damages: Vec<InvalidLine>,
}

impl LearningFile {
    /// Reads a file. A missing or empty file has no records.
    ///
    /// # Errors
    /// [`LearningError`] if the file cannot be read, has more than 64 MiB or is not a learning file.
    /// Invalid lines are skipped.
    pub fn read(path: &Path) -> Result<Self, LearningError> {
        match bartizan_files::read_regular(path, MOST_BYTES) {
            Ok(bytes) => Self::parse(&String::from_utf8_lossy(&bytes), path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(LearningError::Io { path: path.to_owned(), source }),
        }
    }

    fn parse(text: &str, path: &Path) -> Result<Self, LearningError> {
        let mut file = Self::default();
        if text.trim().is_empty() {
            return Ok(file);
        }
        let mut lines = text.lines().enumerate();
        let header = lines.next().and_then(|(_, line)| line.strip_prefix(HEADER));
        let version = header.ok_or_else(|| LearningError::Foreign { path: path.to_owned() })?.trim();
        if version != VERSION.to_string() {
            let version = version.chars().take(20).collect();
            return Err(LearningError::Version { path: path.to_owned(), version });
        }
        for (index, line) in lines {
            let Some(record) = list::record(line) else { continue };
            match record.parse() {
                Ok(record) => file.records.push(record),
                Err(error) => file.damages.push(InvalidLine { line: index + 1, error }),
            }
        }
        Ok(file)
    }

    /// Adds records to a file, keeps at most `most`, and returns the new contents. Creates the file and its folder if
    /// necessary, and removes invalid lines.
    ///
    /// # Errors
    /// [`LearningError`]; the file is unchanged.
    pub fn add(path: &Path, records: &[Record], most: usize) -> Result<Self, LearningError> {
        Self::update(path, |all| {
            merge(all, records.iter().cloned());
            prune(all, most);
        })
    }

    /// Changes the records of a file atomically.
    ///
    /// # Errors
    /// [`LearningError`]; the file is unchanged.
    pub fn update(path: &Path, change: impl FnOnce(&mut Vec<Record>)) -> Result<Self, LearningError> {
        let io_error = |source| LearningError::Io { path: path.to_owned(), source };
        files::create_parent(path).map_err(io_error)?;
        let lock = Lock::acquire(path).map_err(io_error)?;
        let mut file = Self::read(path)?;
        change(&mut file.records);
        files::replace(path, file.to_text().as_bytes(), &lock).map_err(io_error)?;
        Ok(file)
    }

    fn to_text(&self) -> String {
        let mut text = format!("{HEADER}{VERSION}\n");
        for record in &self.records {
            text += &record.to_string();
            text.push('\n');
        }
        text
    }
}

/// Adds records. Of two records of a position, the deeper one is kept, and the later one if the depths are equal.
pub fn merge(records: &mut Vec<Record>, more: impl IntoIterator<Item = Record>) {
    // A bound and an exact value of the same position may both be kept.
    let key = |record: &Record| (record.key(), record.bound == Bound::Exact);
    let mut places: HashMap<(Key, bool), usize> = HashMap::new();
    let all: Vec<Record> = records.drain(..).chain(more).collect();
    let mut kept: Vec<Option<Record>> = Vec::with_capacity(all.len());
    for record in all {
        let place = places.get(&key(&record)).copied();
        let old = place.and_then(|place| kept.get(place)?.as_ref());
        if old.is_some_and(|old| old.depth > record.depth) {
            continue;
        }
        if let Some(slot) = place.and_then(|place| kept.get_mut(place)) {
            *slot = None;
        }
        places.insert(key(&record), kept.len());
        kept.push(Some(record));
    }
    records.extend(kept.into_iter().flatten());
}

/// Removes records until at most `most` are left: from the older half, shallowest first and then oldest first.
pub fn prune(records: &mut Vec<Record>, most: usize) {
    let surplus = records.len().saturating_sub(most);
    if surplus == 0 {
        return;
    }
    // The newer half is spared while the older half suffices, because its records have had little time to be replaced
    // by deeper ones.
    let older = (records.len() / 2).max(surplus);
    let mut order: Vec<usize> = (0..older).collect();
    order.sort_by_key(|&index| (records[index].depth, index));
    let mut leaves = vec![false; records.len()];
    for &index in order.iter().take(surplus) {
        leaves[index] = true;
    }
    let mut leaves = leaves.into_iter();
    records.retain(|_| !leaves.next().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_position::Position;
    use bartizan_types::Value;

    fn record(fen: &str, depth: u32) -> Record {
        Record::new(Position::from_fen(fen).unwrap(), None, Value(-300), Bound::Exact, depth)
    }

    /// Records of different positions.
    fn numbered(depths: &[u32]) -> Vec<Record> {
        let squares = "abcdefgh".chars().flat_map(|file| (3..=6).map(move |rank| format!("{file}{rank}")));
        let fens = squares.map(|square| {
            // Black to move, so that the knight may give check.
            let mut setup = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap().to_setup();
            setup.board[square.parse::<bartizan_types::Square>().unwrap().index()] =
                Some(bartizan_types::PieceType::Knight.of(bartizan_types::Color::White));
            setup.validate(bartizan_position::Tolerance::ALL).unwrap().to_fen()
        });
        fens.zip(depths).map(|(fen, &depth)| record(&fen, depth)).collect()
    }

    fn depths(records: &[Record]) -> Vec<u32> {
        records.iter().map(|record| record.depth).collect()
    }

    #[test]
    fn the_deeper_record_stays_then_the_later() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let mut records = vec![record(fen, 12)];
        merge(&mut records, [record(fen, 11)]);
        assert_eq!(depths(&records), [12]);
        merge(&mut records, [Record { value: Value(5), ..record("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30", 12) }]);
        assert_eq!((records.len(), records[0].value), (1, Value(5)));
        merge(&mut records, [Record { bound: Bound::Lower, ..record(fen, 3) }]);
        assert_eq!(records.len(), 2);
    }

    #[test]
    fn the_shallowest_of_the_older_half_are_removed_first() {
        let mut records = numbered(&[20, 5, 30, 6, 4, 4, 4, 4]);
        prune(&mut records, 6);
        assert_eq!(depths(&records), [20, 30, 4, 4, 4, 4]);
        prune(&mut records, 1);
        assert_eq!(records.len(), 1);
        prune(&mut records, 0);
        assert!(records.is_empty());
    }

    #[test]
    fn files_round_trip_and_invalid_lines_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub").join("learn.epd");
        assert_eq!(LearningFile::read(&path).unwrap(), LearningFile::default());
        let records = numbered(&[10, 11, 12]);
        LearningFile::add(&path, &records[..2], 100).unwrap();
        LearningFile::add(&path, &records[2..], 100).unwrap();
        assert_eq!(LearningFile::read(&path).unwrap().records, records);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("# bartizan-learning 1\n"));
        let lines: Vec<&str> = text.lines().collect();
        let damaged = [lines[0], lines[1], "8/8/8 rubbish", &lines[2][..lines[2].len() / 2], lines[3]].join("\n");
        std::fs::write(&path, damaged).unwrap();
        let file = LearningFile::read(&path).unwrap();
        assert_eq!(depths(&file.records), [10, 12]);
        assert_eq!(file.damages.iter().map(|damage| damage.line).collect::<Vec<_>>(), [3, 4]);
        assert!(file.damages[0].to_string().starts_with("line 3: "));
    }

    #[test]
    fn other_files_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        for text in ["my notes\n", "# bartizan-learning 2\nx\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(LearningFile::add(&path, &numbered(&[9]), 100).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn large_files_are_refused_by_their_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learn.epd");
        LearningFile::add(&path, &[], 1).unwrap();
        check_length(&path).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(MOST_BYTES + 1).unwrap();
        let error = LearningFile::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("it has 67108865 bytes, more than 67108864"), "{error}");
        assert_eq!(check_length(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        check_length(&folder.path().join("none")).unwrap();
    }

    #[test]
    fn concurrent_writers_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("learn.epd");
        let records = numbered(&[9; 24]);
        std::thread::scope(|scope| {
            for part in records.chunks(6) {
                let path = &path;
                scope.spawn(move || {
                    for record in part {
                        LearningFile::add(path, std::slice::from_ref(record), 100).unwrap();
                    }
                });
            }
        });
        assert_eq!(LearningFile::read(&path).unwrap().records.len(), 24);
    }
}
