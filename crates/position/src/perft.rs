//! Perft: counting the leaves of the move tree. It tests the move generator and measures its speed.

use crate::{Position, Stage};
use alloc::vec::Vec;
use bartizan_types::Move;

/// Counts the leaves of the move tree, `depth` plies below a position. Moves of the last ply are counted without being
/// made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        // Without a call for each move, 3 to 5 % faster than the general case.
        2 => sum(position, |next| u64::from(next.count_legal_moves())),
        _ => sum(position, |next| perft(next, depth - 1)),
    }
}

/// Makes each legal move and adds up what `count` returns for the positions after them.
#[inline]
fn sum(position: &Position, mut count: impl FnMut(&Position) -> u64) -> u64 {
    let mut total = 0;
    position.for_each_move(Stage::All, |mv| {
        let mut next = position.clone();
        next.make_unchecked(mv);
        total += count(&next);
    });
    total
}

/// Counts the leaves below each legal move. `depth` includes that move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = |mv| if depth == 0 { 0 } else { perft(&position.play_unchecked(mv), depth - 1) };
    position.legal_moves().iter().map(|&mv| (mv, below(mv))).collect()
}

#[cfg(feature = "std")]
pub use parallel::{PerftTable, perft_parallel};

#[cfg(feature = "std")]
mod parallel {
    use super::{perft, sum};
    use crate::Position;
    use alloc::collections::TryReserveError;
    use alloc::vec::Vec;
    use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
    use std::thread;

    /// A hash table of subtree counts, shared by all threads without locks.
    ///
    /// An entry is two words: the count with its depth, and the key XOR that word (Hyatt and Mann, "A lock-less
    /// transposition table implementation for parallel search", 2002). If two threads write one entry at once, the
    /// words match no key.
    #[derive(Debug)]
    pub struct PerftTable {
        entries: Vec<[AtomicU64; 2]>,
    }

    /// The count takes 56 bits of a word, the depth 8.
    const COUNT_BITS: u32 = 56;

    impl PerftTable {
        /// Creates a table of about `megabytes` MiB, at least 1 MiB.
        ///
        /// # Panics
        /// If there is no memory for it: see [`PerftTable::try_new`].
        pub fn new(megabytes: usize) -> Self {
            match Self::try_new(megabytes) {
                Ok(table) => table,
                Err(error) => panic!("no perft table of {megabytes} MiB: {error}"),
            }
        }

        /// Creates a table of about `megabytes` MiB, at least 1 MiB.
        ///
        /// # Errors
        /// If the memory cannot be had.
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
            // Relaxed suffices: the XOR tells whether the two words belong together.
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
    /// The calling thread is one of them. Where the system provides fewer, those that there are do the work.
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
        // Relaxed suffices: each index is handed out once, and joining the threads orders the sum.
        let (next, sum) = (AtomicUsize::new(0), AtomicU64::new(0));
        let work = || {
            while let Some(root) = roots.get(next.fetch_add(1, Relaxed)) {
                sum.fetch_add(perft_hashed(root, depth - 2, table), Relaxed);
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(roots.len()) {
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        sum.into_inner()
    }

    fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
        if depth < 2 {
            return perft(position, depth);
        }
        let key = position.key().0;
        if let Some(count) = table.get(key, depth) {
            return count;
        }
        let count = sum(position, |next| perft_hashed(next, depth - 1, table));
        table.put(key, depth, count);
        count
    }
}
