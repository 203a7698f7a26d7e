//! `memory N`: how much of all the memory is the hash table's.

/// What the program needs beside the table, in MiB.
///
/// This and [`PER_THREAD`] were measured: the peak of resident memory (`VmHWM` of Linux on x86-64) of a release build with
/// `Hash` 1, after 28 seconds of search in four positions, was 10.9 MiB with one thread, 17.1 with two and 26.5 with four (on
/// two cores, where four do not get to use all that they have). That is 6.3 for the second thread, and 3.6 for the program
/// without table and threads; both are rounded up. With two threads and the 46 MiB left of 64 the peak was 61.2.
const PROGRAM: u64 = 4;

/// What each thread has of its own, in MiB. The histories, corrections and caches alone are 5; the rest is stack and what the
/// allocator keeps.
const PER_THREAD: u64 = 7;

/// The table's share, in MiB, when so many are for all.
pub(crate) fn table_share(megabytes: u64, threads: u64) -> u64 {
    let others = threads.saturating_mul(PER_THREAD).saturating_add(PROGRAM);
    // Where there is little the table has half of it all the same; nobody means less than a megabyte.
    megabytes.saturating_sub(others).max(megabytes / 2).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        for ((megabytes, threads), expected) in
            [((64, 1), 53), ((64, 2), 46), ((1_024, 4), 992), ((16, 1), 8), ((1, 1), 1), ((0, 1), 1), ((64, 64), 32)]
        {
            assert_eq!(table_share(megabytes, threads), expected, "{megabytes} {threads}");
        }
        assert_eq!(table_share(u64::MAX, u64::MAX), u64::MAX / 2);
    }
}
