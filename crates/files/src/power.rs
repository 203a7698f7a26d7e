//! Power cuts: the operations of a test are recorded, and after each of them, every state of the disk that a power cut
//! could leave is built and opened again.
#![allow(clippy::unwrap_used)] // Only for tests.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// An operation on files.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// Appends to a file, which is created if there is none.
    Write(PathBuf, Vec<u8>),
    /// Shortens a file.
    #[cfg_attr(not(feature = "journal"), expect(dead_code))]
    Cut(PathBuf, usize),
    /// Brings the content of a file to the disk.
    Sync(PathBuf),
    /// Gives a file another name.
    Rename(PathBuf, PathBuf),
    /// Brings the names in a folder to the disk.
    SyncFolder,
}

thread_local! {
    static OPERATIONS: RefCell<Vec<Operation>> = const { RefCell::new(Vec::new()) };
}

/// Records an operation of this thread.
pub(crate) fn record(operation: Operation) {
    OPERATIONS.with_borrow_mut(|operations| operations.push(operation));
}

/// The number of operations of this thread so far.
pub(crate) fn count() -> usize {
    OPERATIONS.with_borrow(Vec::len)
}

/// The content of a file now, and on the disk for certain.
#[derive(Clone, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// What a power cut does to content that was not synchronised.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unsynced {
    Lost,
    Kept,
    Half,
    /// The length has reached the disk, the content has not.
    Zeros,
}

impl Unsynced {
    const ALL: [Self; 4] = [Self::Lost, Self::Kept, Self::Half, Self::Zeros];

    fn apply(self, Content { now, synced }: &Content) -> Vec<u8> {
        let from = synced.len().min(now.len());
        match self {
            Self::Lost => synced.clone(),
            Self::Kept => now.clone(),
            Self::Half => now[..from + (now.len() - from) / 2].to_vec(),
            Self::Zeros => [&now[..from], &vec![0; now.len() - from]].concat(),
        }
    }
}

/// Calls `check` with the number of operations done, and a folder as a power cut after them could leave it, for every
/// state that the operations of this thread pass through.
pub(crate) fn every_state(mut check: impl FnMut(usize, &Path)) {
    let operations = OPERATIONS.take();
    let (mut contents, mut names, mut synced_names) = (Vec::<Content>::new(), BTreeMap::new(), BTreeMap::new());
    for (done, operation) in (1..).zip(operations) {
        match operation {
            Operation::Write(path, bytes) => {
                let file = *names.entry(path).or_insert_with(|| {
                    contents.push(Content::default());
                    contents.len() - 1
                });
                contents[file].now.extend(bytes);
            }
            Operation::Cut(path, length) => contents[names[&path]].now.truncate(length),
            Operation::Sync(path) => contents[names[&path]].synced = contents[names[&path]].now.clone(),
            Operation::Rename(from, to) => {
                let file = names.remove(&from).unwrap();
                names.insert(to, file);
            }
            Operation::SyncFolder => synced_names = names.clone(),
        }
        for names in [&names, &synced_names] {
            for unsynced in Unsynced::ALL {
                let folder = tempfile::tempdir().unwrap();
                for (path, &file) in names {
                    let path = folder.path().join(path.file_name().unwrap());
                    fs::write(path, unsynced.apply(&contents[file])).unwrap();
                }
                check(done, folder.path());
            }
        }
    }
}

/// A file is replaced as a whole: each state has the old content or the new one.
#[test]
fn a_power_cut_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let texts = [&b"first content"[..], b"second", b"third content, longer"];
    let returned = texts.map(|text| {
        crate::replace(&path, text).unwrap();
        count()
    });
    let mut states = 0;
    every_state(|done, folder| {
        let acknowledged = returned.iter().filter(|&&count| count <= done).count();
        let found = fs::read(folder.join("file")).ok();
        let number = found.map_or(0, |found| 1 + texts.iter().position(|&text| text == found).unwrap());
        assert!(number >= acknowledged, "text {acknowledged} is lost after {done} operations");
        states += 1;
    });
    assert_eq!(states, returned[2] * 8);
}

/// A journal keeps what was acknowledged, has no half line, and can be continued.
#[cfg(feature = "journal")]
#[test]
fn a_power_cut_costs_no_acknowledged_line_of_a_journal() {
    use crate::journal::{JournalFile, read_lines};
    use std::time::Duration;
    let numbers = |path: &Path| -> Vec<u64> {
        let lines = read_lines(path).unwrap();
        lines.iter().map(|(_, line)| serde_json::from_slice(line).unwrap()).collect()
    };
    for interval in [Duration::ZERO, Duration::from_secs(3_600)] {
        // Closing the last journal has synchronised it.
        OPERATIONS.take();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut returned = Vec::new();
        let mut journal = JournalFile::create(&path, &1_000).unwrap().synced_every(interval);
        returned.push(count());
        for number in 1_001..1_006 {
            journal.append(&number).unwrap();
            if !journal.is_sync_due() {
                returned.push(count());
            }
        }
        // A line that a kill has cut off is removed before the next one.
        drop(journal);
        returned.push(count());
        std::fs::File::options()
            .append(true)
            .open(&path)
            .and_then(|mut file| std::io::Write::write_all(&mut file, b"10"))
            .unwrap();
        record(Operation::Write(path.clone(), b"10".to_vec()));
        let mut journal = JournalFile::resume(&path).unwrap().0.synced_every(interval);
        journal.append(&1_006).unwrap();
        let last = count();
        every_state(|done, folder| {
            let acknowledged = returned.iter().filter(|&&count| count <= done).count();
            let path = folder.join("journal");
            if !path.exists() {
                assert_eq!(acknowledged, 0);
                return;
            }
            let found = numbers(&path);
            assert!((1_000..).zip(&found).all(|(number, &found)| number == found), "{found:?}");
            let least = match interval {
                Duration::ZERO => acknowledged.min(6),
                // The first line, the first append, and all lines once the journal is closed.
                _ if acknowledged > 2 => 6,
                _ => acknowledged,
            };
            assert!(found.len() >= least.max(if done >= last { 7 } else { 0 }), "{found:?} after {done}: {least}");
            JournalFile::resume(&path).unwrap().0.append(&7).unwrap();
            assert_eq!(numbers(&path), [&found[..], &[7]].concat());
            OPERATIONS.take();
        });
    }
}
