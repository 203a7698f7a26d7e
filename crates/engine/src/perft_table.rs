//! Perft with several threads and a hash table.

use bartizan_position::{MoveGenStage, Position, perft};
use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A hash table of subtree counts, shared by all threads without locks.
///
/// An entry is two words: the count with its depth, and the key XOR that word (Hyatt and Mann, "A lock-less
/// transposition table implementation for parallel search", 2002). If two threads write an entry at once, the words
/// match no key.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<[AtomicU64; 2]>,
}

/// The count takes 56 bits of a word, the depth 8.
const COUNT_BITS: u32 = 56;

impl PerftTable {
    /// Creates a table of about `megabytes` MiB, at least 1 MiB.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn try_new(megabytes: usize) -> Result<Self, TryReserveError> {
        let bytes = megabytes.max(1).saturating_mul(1 << 20);
        let count = bytes / size_of::<[AtomicU64; 2]>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count)?;
        entries.resize_with(count, Default::default);
        Ok(Self { entries })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        // The upper half of key × length is an index; a multiplication is faster than a modulus (Lemire 2016).
        &self.entries[((u128::from(key) * self.entries.len() as u128) >> 64) as usize]
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        // Relaxed suffices: the XOR reveals whether the two words belong together.
        let [data, check] = self.slot(key).each_ref().map(|word| word.load(Relaxed));
        (data ^ check == key && data != 0 && data >> COUNT_BITS == u64::from(depth))
            .then_some(data & ((1 << COUNT_BITS) - 1))
    }

    fn put(&self, key: u64, depth: u32, count: u64) {
        if count >> COUNT_BITS == 0 {
            let data = u64::from(depth) << COUNT_BITS | count;
            let [first, second] = self.slot(key);
            first.store(data, Relaxed);
            second.store(data ^ key, Relaxed);
        }
    }
}

/// Like [`perft`], with `threads` threads and a hash table, for depths that would otherwise take hours.
///
/// The calling thread takes part. If the system provides fewer threads, those do the work.
///
/// Two positions with the same 64-bit key are confused. With 10⁹ positions, the probability is about 3 %.
pub fn perft_parallel(position: &Position, depth: u32, threads: usize, table: &PerftTable) -> u64 {
    if depth < 3 || threads == 0 {
        return perft(position, depth);
    }
    // Two plies below the root there are enough subtrees to occupy all threads.
    let mut roots = Vec::new();
    for first in position.legal_moves() {
        let after = position.play_unchecked(first);
        roots.extend(after.legal_moves().iter().map(|&second| after.play_unchecked(second)));
    }
    bartizan_parallel::map(&roots, threads, |root| perft_hashed(root, depth - 2, table)).into_iter().sum()
}

fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    let key = position.key().0;
    if let Some(count) = table.get(key, depth) {
        return count;
    }
    let mut count = 0;
    position.for_each_move(MoveGenStage::All, |mv| {
        let mut next = position.clone();
        next.make_unchecked(mv);
        count += perft_hashed(&next, depth - 1, table);
    });
    table.put(key, depth, count);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_testkit::perft_suite;

    /// The parallel count with too small a hash table gives the same result.
    #[test]
    fn parallel_and_hashed_counts_are_the_same() {
        let table = PerftTable::try_new(1).unwrap();
        for case in perft_suite("classic").iter().chain(perft_suite("chess960").iter().step_by(100)) {
            let position = Position::from_fen(&case.fen).unwrap();
            for (depth, expected) in case.up_to(300_000) {
                for threads in [1, 3] {
                    let got = perft_parallel(&position, depth, threads, &table);
                    assert_eq!(got, expected, "{} depth {depth}", case.fen);
                }
            }
        }
    }
}
