//! Sorting more than fits into memory.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Sorts records by their keys, in bounded memory: what does not fit is sorted in parts, in temporary files without
/// names, and merged. Records with equal keys keep their order.
///
/// ```
/// use bartizan_games::Sorter;
///
/// let folder = tempfile::tempdir()?;
/// let mut sorter = Sorter::new(1 << 20, folder.path());
/// sorter.push(b"2", b"second")?;
/// sorter.push(b"1", b"first")?;
/// sorter.push(b"2", b"third")?;
/// let mut sorted = sorter.finish()?;
/// let mut values = Vec::new();
/// while let Some((_, value)) = sorted.next()? {
///     values.push(String::from_utf8_lossy(value).into_owned());
/// }
/// assert_eq!(values, ["first", "second", "third"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    folder: PathBuf,
    records: Records,
    /// Sorted files in the order of the input, each with its level: 0 for what was in memory, and one more than the
    /// files that it was merged from. Levels do not rise, and each has fewer than [`Self::FAN`] files.
    runs: Vec<(u32, File)>,
}

/// Records in memory.
#[derive(Debug, Default)]
struct Records {
    bytes: Vec<u8>,
    /// For each record its start, the start of its value, and its end.
    index: Vec<[usize; 3]>,
}

impl Records {
    fn size(&self) -> usize {
        self.bytes.len() + self.index.len() * size_of::<[usize; 3]>()
    }

    fn key(&self, &[start, value, _]: &[usize; 3]) -> &[u8] {
        &self.bytes[start..value]
    }

    fn value(&self, &[_, value, end]: &[usize; 3]) -> &[u8] {
        &self.bytes[value..end]
    }

    fn sort(&mut self) {
        let mut index = std::mem::take(&mut self.index);
        index.sort_by(|a, b| self.key(a).cmp(self.key(b)));
        self.index = index;
    }
}

impl Sorter {
    /// The number of temporary files that are merged at once.
    const FAN: usize = if cfg!(test) { 8 } else { 64 };

    /// The greatest length of a key or a value.
    const LONGEST: usize = u32::MAX as usize;

    /// Creates a sorter that uses this many bytes of memory, or a little more than the largest record, and puts its
    /// temporary files into a folder.
    pub fn new(memory: usize, folder: &Path) -> Self {
        Self { memory, folder: folder.to_owned(), records: Records::default(), runs: Vec::new() }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// A temporary file cannot be written, or the record has more than 4 GiB.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        if key.len().max(value.len()) > Self::LONGEST {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a record has more than 4 GiB"));
        }
        if !self.records.index.is_empty() && self.records.size() + key.len() + value.len() > self.memory {
            self.spill()?;
        }
        let start = self.records.bytes.len();
        self.records.bytes.extend_from_slice(key);
        self.records.bytes.extend_from_slice(value);
        self.records.index.push([start, start + key.len(), self.records.bytes.len()]);
        Ok(())
    }

    /// Writes what is in memory, sorted, to a temporary file.
    fn spill(&mut self) -> io::Result<()> {
        self.records.sort();
        let mut run = self.create()?;
        for at in &self.records.index {
            write_record(&mut run, self.records.key(at), self.records.value(at))?;
        }
        self.runs.push((0, ended(run)?));
        self.records.bytes.clear();
        self.records.index.clear();
        // Each record is written once for each level, of which there are few.
        while let Some(level) = self.full_level() {
            let merged = self.runs.split_off(self.runs.len() - Self::FAN);
            let mut file = self.create()?;
            let mut merge = Merge::new(merged.into_iter().map(|(_, run)| run).collect())?;
            while let Some((key, value)) = merge.next()? {
                write_record(&mut file, key, value)?;
            }
            self.runs.push((level + 1, ended(file)?));
        }
        Ok(())
    }

    /// The level of the last files, if there are as many as are merged at once.
    fn full_level(&self) -> Option<u32> {
        let first = self.runs.len().checked_sub(Self::FAN)?;
        let (level, last) = (self.runs.get(first)?.0, self.runs.last()?.0);
        (level == last).then_some(level)
    }

    fn create(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(&self.folder)?))
    }

    /// Ends the input.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.records.sort();
            return Ok(Sorted(Source::Memory(std::mem::take(&mut self.records), 0)));
        }
        if !self.records.index.is_empty() {
            self.spill()?;
        }
        self.records = Records::default();
        let runs = self.runs.into_iter().map(|(_, run)| run).collect();
        Ok(Sorted(Source::Files(Merge::new(runs)?)))
    }
}

/// The records in order.
#[derive(Debug)]
pub struct Sorted(Source);

#[derive(Debug)]
enum Source {
    /// With the number of the next record.
    Memory(Records, usize),
    Files(Merge),
}

impl Sorted {
    /// The key and the value of the next record; `None` at the end.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    #[allow(clippy::should_implement_trait)] // The record is borrowed.
    pub fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        match &mut self.0 {
            Source::Memory(records, next) => {
                let Some(at) = records.index.get(*next) else { return Ok(None) };
                *next += 1;
                Ok(Some((records.key(at), records.value(at))))
            }
            Source::Files(merge) => merge.next(),
        }
    }
}

/// Merges sorted files.
#[derive(Debug)]
struct Merge {
    runs: Vec<Run>,
    /// The runs with a record, the one with the lowest first.
    heap: BinaryHeap<Reverse<Head>>,
    /// The run whose record has been handed out last.
    used: Option<usize>,
}

#[derive(Debug)]
struct Run {
    reader: BufReader<File>,
    value: Vec<u8>,
}

/// The key of a run's record. Of equal keys, that of the earlier run comes first.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    key: Vec<u8>,
    run: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key).then(self.run.cmp(&other.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Merge {
    fn new(files: Vec<File>) -> io::Result<Self> {
        let run = |file| Run { reader: BufReader::with_capacity(1 << 16, file), value: Vec::new() };
        let mut merge = Self { runs: files.into_iter().map(run).collect(), heap: BinaryHeap::new(), used: None };
        for run in 0..merge.runs.len() {
            merge.advance(run, Vec::new())?;
        }
        Ok(merge)
    }

    /// Reads the next record of a run.
    fn advance(&mut self, run: usize, mut key: Vec<u8>) -> io::Result<()> {
        let Run { reader, value } = &mut self.runs[run];
        if read_record(reader, &mut key, value)? {
            self.heap.push(Reverse(Head { key, run }));
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        if self.used.take().is_some()
            && let Some(Reverse(head)) = self.heap.pop()
        {
            self.advance(head.run, head.key)?;
        }
        let Some(Reverse(head)) = self.heap.peek() else { return Ok(None) };
        self.used = Some(head.run);
        Ok(Some((&head.key, &self.runs[head.run].value)))
    }
}

fn write_record(out: &mut impl Write, key: &[u8], value: &[u8]) -> io::Result<()> {
    for length in [key.len(), value.len()] {
        let length = u32::try_from(length).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
        out.write_all(&length.to_le_bytes())?;
    }
    out.write_all(key)?;
    out.write_all(value)
}

/// Reads a record; `false` at the end of the file.
fn read_record(input: &mut BufReader<File>, key: &mut Vec<u8>, value: &mut Vec<u8>) -> io::Result<bool> {
    use std::io::BufRead;
    if input.fill_buf()?.is_empty() {
        return Ok(false);
    }
    let mut lengths = [0; 8];
    input.read_exact(&mut lengths)?;
    let [a, b, c, d, e, f, g, h] = lengths;
    for (to, length) in [(key, u32::from_le_bytes([a, b, c, d])), (value, u32::from_le_bytes([e, f, g, h]))] {
        to.clear();
        let read = input.take(length.into()).read_to_end(to)?;
        if u32::try_from(read) != Ok(length) {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(true)
}

/// A file that has been written, to be read from its beginning.
fn ended(writer: BufWriter<File>) -> io::Result<File> {
    let mut file = writer.into_inner()?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(memory: usize, records: &[(Vec<u8>, Vec<u8>)]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(memory, folder.path());
        for (key, value) in records {
            sorter.push(key, value).unwrap();
        }
        let mut sorted = sorter.finish().unwrap();
        let mut all = Vec::new();
        while let Some((key, value)) = sorted.next().unwrap() {
            all.push((key.to_vec(), value.to_vec()));
        }
        assert!(sorted.next().unwrap().is_none());
        all
    }

    /// The records are written a few times, not once for each file.
    #[test]
    fn files_are_merged_by_levels() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(0, folder.path());
        let fan = Sorter::FAN as u32;
        for number in 0..fan * fan + fan + 2 {
            sorter.push(&(number % 7).to_be_bytes(), &number.to_be_bytes()).unwrap();
            assert!(sorter.runs.len() < 3 * Sorter::FAN);
        }
        let levels: Vec<u32> = sorter.runs.iter().map(|&(level, _)| level).collect();
        assert_eq!(levels, [2, 1, 0]);
        let mut sorted = sorter.finish().unwrap();
        let mut all: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        while let Some((key, value)) = sorted.next().unwrap() {
            all.push((key.to_vec(), value.to_vec()));
        }
        assert!(all.len() == (fan * fan + fan + 2) as usize && all.is_sorted());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// On disk as in memory, the order is that of a stable sort.
        #[test]
        fn records_are_sorted_stably(keys in prop::collection::vec(prop::collection::vec(0_u8..4, 0..3), 0..300)) {
            let numbers = 0_u32..;
            let records: Vec<_> = keys.into_iter().zip(numbers.map(|n| n.to_le_bytes().to_vec())).collect();
            let mut expected = records.clone();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            for memory in [0, 100, 1000, usize::MAX] {
                prop_assert_eq!(&sorted(memory, &records), &expected);
            }
        }
    }
}
