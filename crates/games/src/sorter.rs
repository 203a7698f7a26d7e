//! Sorts more data than fits in memory.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Sorts records by key in bounded memory: if they do not fit, parts are sorted in unnamed temporary files and merged.
/// The sort is stable.
///
/// The memory is what the sorter requests from the allocator: the records with the unused ends of their blocks, their
/// index (also while it grows), and the buffers of the files.
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
    /// Sorted files in input order, each with its level: 0 for a part from memory, and one more than its inputs for a
    /// merged file. Levels do not rise, and each has fewer than [`Self::FAN`] files.
    runs: Vec<(u32, File)>,
}

/// Records in memory.
#[derive(Debug, Default)]
struct Records {
    /// The size of a block.
    block: usize,
    /// The bytes, in blocks of fixed size. Blocks from `used` on are empty.
    blocks: Vec<Vec<u8>>,
    used: usize,
    /// The sum of the capacities of the blocks.
    size: usize,
    index: Vec<At>,
}

/// Where a record is: its block, its offset there, and the lengths of its key and value. They increase in input order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    block: u32,
    start: u32,
    key: u32,
    value: u32,
}

impl Records {
    fn new(block: usize) -> Self {
        Self { block, ..Self::default() }
    }

    /// Adds a record if the memory in bytes suffices, or if it is the first one. Returns whether it was added.
    fn push(&mut self, key: &[u8], value: &[u8], memory: usize) -> bool {
        let length = key.len() + value.len();
        let has_room = |block: &Vec<u8>| block.capacity() - block.len() >= length;
        let last = self.used.checked_sub(1).filter(|&last| self.blocks.get(last).is_some_and(has_room));
        let next = last.or_else(|| Some(self.used).filter(|&next| self.blocks.get(next).is_some_and(has_room)));
        let new_block = if next.is_some() { 0 } else { length.max(self.block) };
        let new_index = if self.index.len() < self.index.capacity() { 0 } else { self.grown_index() };
        let needed = self.size + new_block + (self.index.capacity() + new_index) * size_of::<At>();
        if needed > memory && !self.index.is_empty() {
            return false;
        }
        if new_index > 0 {
            self.index.reserve_exact(new_index - self.index.len());
        }
        let block = next.unwrap_or_else(|| {
            // The remaining space in earlier blocks is too small.
            self.size -= self.blocks.drain(self.used..).map(|block| block.capacity()).sum::<usize>();
            self.blocks.push(Vec::with_capacity(new_block));
            self.size += self.blocks.last().map_or(0, Vec::capacity);
            self.used
        });
        self.used = block + 1;
        let Some(bytes) = self.blocks.get_mut(block) else { return false };
        let [block, start, key_length, value_length] =
            [block, bytes.len(), key.len(), value.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        self.index.push(At { block, start, key: key_length, value: value_length });
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(value);
        true
    }

    fn grown_index(&self) -> usize {
        let capacity = self.index.capacity();
        (capacity + capacity / 4).max(64)
    }

    fn key(&self, &At { block, start, key, .. }: &At) -> &[u8] {
        &self.blocks[block as usize][start as usize..][..key as usize]
    }

    fn value(&self, &At { block, start, key, value }: &At) -> &[u8] {
        &self.blocks[block as usize][start as usize..][key as usize..][..value as usize]
    }

    /// Sorts the index in place.
    fn sort(&mut self) {
        let mut index = std::mem::take(&mut self.index);
        index.sort_unstable_by(|a, b| self.key(a).cmp(self.key(b)).then(a.cmp(b)));
        self.index = index;
    }

    /// Removes the records and keeps the memory.
    fn clear(&mut self) {
        self.blocks.iter_mut().for_each(Vec::clear);
        self.used = 0;
        self.index.clear();
    }
}

impl Sorter {
    /// The number of temporary files that are merged at once.
    const FAN: usize = if cfg!(test) { 8 } else { 64 };

    /// The greatest length of a record.
    const LONGEST: usize = u32::MAX as usize;

    /// The size of the buffer of an output file.
    const WRITE_BUFFER: usize = 1 << 16;

    /// The minimum and maximum buffer size of an input file.
    const READ_BUFFERS: (usize, usize) = (1 << 12, 1 << 16);

    /// Creates a sorter that uses this many bytes of memory, or slightly more than the largest record, and puts its
    /// temporary files into a folder. Less than 1 MiB is not enough for the file buffers.
    pub fn new(memory: usize, folder: &Path) -> Self {
        let block = (memory / 64).clamp(1 << 12, 1 << 20);
        Self { memory, folder: folder.to_owned(), records: Records::new(block), runs: Vec::new() }
    }

    /// Adds the text of a game with its number, for [`Sorted::next_text`].
    ///
    /// # Errors
    /// Those of [`Sorter::push`].
    pub fn push_text(&mut self, key: &[u8], number: u64, text: &[u8]) -> io::Result<()> {
        self.push(key, &[&number.to_le_bytes(), text].concat())
    }

    /// Adds a record.
    ///
    /// # Errors
    /// A temporary file cannot be written, or the record has more than 4 GiB.
    pub fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        if key.len().saturating_add(value.len()) > Self::LONGEST {
            return Err(io::Error::new(ErrorKind::InvalidInput, "a record has more than 4 GiB"));
        }
        let memory = self.memory.saturating_sub(Self::WRITE_BUFFER);
        if !self.records.push(key, value, memory) {
            self.spill()?;
            if !self.records.push(key, value, memory) {
                // The first record is always added.
                return Err(io::Error::other("a record could not be kept"));
            }
        }
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
        self.records.clear();
        if self.records.size > self.memory {
            // One record was larger than the memory.
            self.records = Records::new(self.records.block);
        }
        // Each record is written once per level, and there are few levels.
        while let Some(level) = self.full_level() {
            // Frees the memory for the merge.
            self.records = Records::new(self.records.block);
            let merged = self.runs.split_off(self.runs.len() - Self::FAN);
            let mut file = self.create()?;
            let mut merge = self.merge(merged)?;
            while let Some((key, value)) = merge.next()? {
                write_record(&mut file, key, value)?;
            }
            self.runs.push((level + 1, ended(file)?));
        }
        Ok(())
    }

    /// The level of the last files, if it has enough files for a merge.
    fn full_level(&self) -> Option<u32> {
        let first = self.runs.len().checked_sub(Self::FAN)?;
        let (level, last) = (self.runs.get(first)?.0, self.runs.last()?.0);
        (level == last).then_some(level)
    }

    fn create(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::with_capacity(Self::WRITE_BUFFER, tempfile::tempfile_in(&self.folder)?))
    }

    fn merge(&self, runs: Vec<(u32, File)>) -> io::Result<Merge> {
        let (least, most) = Self::READ_BUFFERS;
        let buffer = (self.memory / 2 / runs.len().max(1)).clamp(least, most);
        Merge::new(runs.into_iter().map(|(_, run)| run).collect(), buffer)
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
        let runs = std::mem::take(&mut self.runs);
        Ok(Sorted(Source::Files(self.merge(runs)?)))
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

/// The key, the number and the text of a game.
pub type KeyNumberText<'a> = (&'a [u8], u64, &'a [u8]);

impl Sorted {
    /// The key, the number and the text of the next game of [`Sorter::push_text`]; `None` at the end.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next_text(&mut self) -> io::Result<Option<KeyNumberText<'_>>> {
        Ok(self.next()?.and_then(|(key, record)| {
            let (number, text) = record.split_first_chunk()?;
            Some((key, u64::from_le_bytes(*number), text))
        }))
    }

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
    /// The runs that have a record, lowest first.
    heap: BinaryHeap<Reverse<Head>>,
    /// The run that provided the last record.
    used: Option<usize>,
}

#[derive(Debug)]
struct Run {
    reader: BufReader<File>,
    value: Vec<u8>,
}

/// The key of a run's record. Among equal keys, the earlier run comes first.
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
    /// Merges files, giving each a buffer of this size.
    fn new(files: Vec<File>, buffer: usize) -> io::Result<Self> {
        let run = |file| Run { reader: BufReader::with_capacity(buffer, file), value: Vec::new() };
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

/// A written file, ready to be read from the beginning.
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

    /// Records are written a few times, not once per file.
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

        /// On disk as in memory, the sort is stable.
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
