//! Counting moves: in memory, and on disk when there are more than memory holds.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A move in a position: the key and the move of the format.
pub(super) type Place = (u64, u16);

/// How often a move was played and what it has scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games.
    pub games: u32,
    /// Two points for each win of the side that moved, one for each draw.
    pub points: u32,
}

impl Tally {
    pub(super) fn add(&mut self, other: Self) {
        self.games = self.games.saturating_add(other.games);
        self.points = self.points.saturating_add(other.points);
    }
}

/// Keys are random numbers already.
#[derive(Debug, Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = self.0.rotate_left(32) ^ key;
    }

    fn write_u16(&mut self, mv: u16) {
        // 2^64 divided by the golden ratio: spreads the 15 bits of a move.
        self.0 ^= u64::from(mv).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

pub(super) type Map = HashMap<Place, Tally, BuildHasherDefault<KeyHasher>>;

/// The memory of an entry of the map in bytes, with its control byte.
const MAP_ENTRY: usize = size_of::<(Place, Tally)>() + 1;

/// The size of a record in a temporary file.
const RECORD: usize = 18;

/// Counts moves. When they need more memory than allowed, they are sorted and written to a temporary file; the sorted
/// parts are merged at the end.
#[derive(Debug)]
pub(super) struct Collector {
    map: Map,
    memory: usize,
    folder: PathBuf,
    /// The temporary file, and the number of records of each sorted part in it.
    spilled: Option<File>,
    parts: Vec<u64>,
}

impl Collector {
    /// A collector that takes about `memory` bytes, and writes temporary files to `folder`.
    pub(super) fn new(memory: usize, folder: &Path) -> Self {
        Self { map: Map::default(), memory, folder: folder.to_owned(), spilled: None, parts: Vec::new() }
    }

    pub(super) fn add(&mut self, place: Place, tally: Tally) -> io::Result<()> {
        self.map.entry(place).or_default().add(tally);
        // A map that is full doubles its size, and needs both for a moment.
        if self.map.len() == self.map.capacity() && self.map.capacity() * 3 * MAP_ENTRY > self.memory {
            self.spill()?;
        }
        Ok(())
    }

    /// The number of parts on disk.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    fn sorted(&mut self) -> Vec<(Place, Tally)> {
        let mut all: Vec<(Place, Tally)> = self.map.drain().collect();
        all.sort_unstable_by_key(|&(place, _)| place);
        all
    }

    fn spill(&mut self) -> io::Result<()> {
        let sorted = self.sorted();
        let file = match &mut self.spilled {
            Some(file) => file,
            // It has no name, so that the system deletes it with the process.
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        for &((key, mv), tally) in &sorted {
            writer.write_all(&key.to_le_bytes())?;
            writer.write_all(&mv.to_le_bytes())?;
            writer.write_all(&tally.games.to_le_bytes())?;
            writer.write_all(&tally.points.to_le_bytes())?;
        }
        writer.flush()?;
        self.parts.push(sorted.len() as u64);
        Ok(())
    }

    /// All moves, sorted and each once.
    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        if self.parts.is_empty() {
            return Ok(Sorted::Memory(self.sorted().into_iter()));
        }
        if !self.map.is_empty() {
            self.spill()?;
        }
        self.map = Map::default();
        let Some(file) = self.spilled else { return Ok(Sorted::Memory(Vec::new().into_iter())) };
        let buffer = (self.memory / 2 / self.parts.len() / RECORD).clamp(256, 1 << 16);
        let mut start = 0;
        let mut merge = Merge { file, parts: Vec::with_capacity(self.parts.len()), heap: BinaryHeap::new() };
        for &records in &self.parts {
            merge.parts.push(Part { next: start, end: start + records, buffer: Vec::new().into_iter(), size: buffer });
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
    Memory(std::vec::IntoIter<(Place, Tally)>),
    Disk(Box<Merge>),
}

impl Iterator for Sorted {
    type Item = io::Result<(Place, Tally)>;
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Memory(all) => all.next().map(Ok),
            Self::Disk(merge) => merge.next().transpose(),
        }
    }
}

/// A sorted part of the temporary file; numbers of records.
struct Part {
    next: u64,
    end: u64,
    buffer: std::vec::IntoIter<(Place, Tally)>,
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
        if part.buffer.as_slice().is_empty() && part.next < part.end {
            let records = (part.end - part.next).min(part.size as u64);
            let mut bytes = vec![0; records as usize * RECORD];
            self.file.seek(SeekFrom::Start(part.next * RECORD as u64))?;
            self.file.read_exact(&mut bytes)?;
            part.next += records;
            part.buffer = bytes.as_chunks().0.iter().map(decode).collect::<Vec<_>>().into_iter();
        }
        if let Some((place, tally)) = part.buffer.next() {
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

fn decode(record: &[u8; RECORD]) -> (Place, Tally) {
    let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, g0, g1, g2, g3, p @ ..] = *record;
    let place = (u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]), u16::from_le_bytes([m0, m1]));
    (place, Tally { games: u32::from_le_bytes([g0, g1, g2, g3]), points: u32::from_le_bytes(p) })
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
            let sorted: Vec<_> = collector.finish().unwrap().map(Result::unwrap).collect();
            assert!(sorted.iter().copied().eq(expected.iter().map(|(&place, &tally)| (place, tally))));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let mut collector = Collector::new(0, Path::new("/no/such/folder"));
        assert!((0..100).any(|key| collector.add((key, 0), Tally::default()).is_err()));
    }
}
