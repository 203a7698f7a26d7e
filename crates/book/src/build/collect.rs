//! Counting moves in memory, and on disk when memory is full.

use super::table::{RECORD, Record, Table, decode};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A move in a position: the key and the move of the format.
pub(super) type Place = (u64, u16);

/// How often a move was played, and its score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// The number of games.
    pub(super) games: u32,
    /// Two points for each win of the side that moved, one for each draw.
    pub(super) points: u32,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.points = self.points.saturating_add(other.points);
    }
}

/// Counts moves. When they need more memory than allowed, they are sorted and written to a temporary file; the sorted
/// parts are merged at the end.
#[derive(Debug)]
pub(super) struct Collector {
    table: Table,
    memory: usize,
    folder: PathBuf,
    /// The temporary file, and the number of records of each sorted part in it.
    spilled: Option<File>,
    parts: Vec<u64>,
}

/// The memory for writing and reading a temporary file, in addition to the records.
const WRITE_BUFFER: usize = 1 << 16;

impl Collector {
    /// The minimum memory in bytes. With less, parts on disk would be too small.
    const LEAST: usize = if cfg!(test) { 1 << 14 } else { 1 << 18 };

    /// A collector that takes at most `memory` bytes, and writes temporary files to `folder`.
    pub(super) fn new(memory: usize, folder: &Path) -> Self {
        let memory = memory.max(Self::LEAST);
        Self { table: Table::default(), memory, folder: folder.to_owned(), spilled: None, parts: Vec::new() }
    }

    pub(super) fn add(&mut self, place: Place, tally: Tally) -> io::Result<()> {
        while !self.table.add(place, tally) {
            if self.table.bytes_to_grow() + WRITE_BUFFER <= self.memory || self.table.len() == 0 {
                self.table.grow();
            } else {
                self.spill()?;
            }
        }
        Ok(())
    }

    /// The number of parts on disk.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.spilled {
            Some(file) => file,
            // It has no name, so the system deletes it when the process ends.
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut writer = BufWriter::with_capacity(WRITE_BUFFER, file);
        self.table.records().try_for_each(|record| writer.write_all(record))?;
        writer.flush()?;
        self.parts.push(self.table.len() as u64);
        self.table.clear();
        Ok(())
    }

    /// All moves, sorted and each once.
    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        if self.parts.is_empty() {
            return Ok(Sorted::Memory(self.table));
        }
        if self.table.len() > 0 {
            self.spill()?;
        }
        let Some(file) = self.spilled else { return Ok(Sorted::Memory(Table::default())) };
        let buffer = (self.memory / 2 / self.parts.len() / RECORD).clamp(256, 1 << 16);
        let mut start = 0;
        let mut merge = Merge { file, parts: Vec::with_capacity(self.parts.len()), heap: BinaryHeap::new() };
        for &records in &self.parts {
            merge.parts.push(Part { next: start, end: start + records, buffer: Vec::new(), at: 0, size: buffer });
            start += records;
        }
        for part in 0..merge.parts.len() {
            merge.refill(part)?;
        }
        Ok(Sorted::Disk(Box::new(merge)))
    }
}

/// The moves in the order of their keys, each once.
pub(super) enum Sorted {
    Memory(Table),
    Disk(Box<Merge>),
}

impl Sorted {
    /// Passes the moves on.
    pub(super) fn each(self, mut pass: impl FnMut(Place, Tally) -> io::Result<()>) -> io::Result<()> {
        match self {
            Self::Memory(table) => table.records().map(decode).try_for_each(|(place, tally)| pass(place, tally)),
            Self::Disk(mut merge) => {
                while let Some((place, tally)) = merge.next()? {
                    pass(place, tally)?;
                }
                Ok(())
            }
        }
    }
}

/// A sorted part of the temporary file; numbers of records.
struct Part {
    next: u64,
    end: u64,
    buffer: Vec<Record>,
    /// The next record in the buffer.
    at: usize,
    size: usize,
}

/// Merges sorted parts.
pub(super) struct Merge {
    file: File,
    parts: Vec<Part>,
    /// The next record of each part: place, part, games and points.
    heap: BinaryHeap<Reverse<(Place, usize, u32, u32)>>,
}

impl Merge {
    /// Puts the next record of a part into the heap.
    fn refill(&mut self, number: usize) -> io::Result<()> {
        let part = &mut self.parts[number];
        if part.at == part.buffer.len() && part.next < part.end {
            let records = (part.end - part.next).min(part.size as u64);
            part.buffer.resize(records as usize, [0; RECORD]);
            self.file.seek(SeekFrom::Start(part.next * RECORD as u64))?;
            self.file.read_exact(part.buffer.as_flattened_mut())?;
            part.next += records;
            part.at = 0;
        }
        if let Some(record) = part.buffer.get(part.at) {
            part.at += 1;
            let (place, tally) = decode(record);
            self.heap.push(Reverse((place, number, tally.games, tally.points)));
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<(Place, Tally)>> {
        let mut current: Option<(Place, Tally)> = None;
        while let Some(&Reverse((place, part, games, points))) = self.heap.peek() {
            match &mut current {
                Some((known, _)) if *known != place => break,
                Some((_, tally)) => tally.add(Tally { games, points }),
                None => current = Some((place, Tally { games, points })),
            }
            self.heap.pop();
            self.refill(part)?;
        }
        Ok(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_types::SplitMix64;
    use std::collections::BTreeMap;

    #[test]
    fn disk_and_memory_give_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = SplitMix64::new(5);
        let mut expected: BTreeMap<Place, Tally> = BTreeMap::new();
        let mut memory = Collector::new(usize::MAX, folder.path());
        let mut disk = Collector::new(20_000, folder.path());
        for _ in 0..40_000 {
            let place = ((random.below(3_000) as u64).wrapping_mul(0x0123_4567_89ab_cdef), random.below(4) as u16);
            let tally = Tally { games: 1, points: random.below(3) as u32 };
            expected.entry(place).or_default().add(tally);
            memory.add(place, tally).unwrap();
            disk.add(place, tally).unwrap();
        }
        assert_eq!(memory.parts(), 0);
        assert!(disk.parts() > 10, "{}", disk.parts());
        for collector in [memory, disk] {
            let mut sorted = Vec::new();
            let push = |place, tally| {
                sorted.push((place, tally));
                Ok(())
            };
            collector.finish().unwrap().each(push).unwrap();
            assert!(sorted.iter().copied().eq(expected.iter().map(|(&place, &tally)| (place, tally))));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let mut collector = Collector::new(0, Path::new("/no/such/folder"));
        let tally = Tally { games: 1, points: 0 };
        assert!((0..10_000).any(|key| collector.add((key, 1), tally).is_err()));
    }
}
