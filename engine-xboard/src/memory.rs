//! `memory N`: the hash table's share of the memory.

/// Memory that the program needs besides the hash table, in MiB.
///
/// This and [`PER_THREAD`] were measured: the peak resident memory (`VmHWM` of Linux on x86-64) of a release build with
/// `Hash` 1, after 28 seconds of search in four positions, was 10.9 MiB with one thread, 17.1 with two and 26.5 with
/// four (on two cores, where four threads do not fill their tables). So the second thread needs 6.3 MiB, and the
/// program without table and threads 3.6 MiB; both are rounded up. With two threads and 46 of 64 MiB for the table, the
/// peak was 61.2 MiB.
const PROGRAM: u64 = 4;

/// Memory per thread, in MiB. Histories, corrections and caches take 5 MiB, stack and allocator the rest.
const PER_THREAD: u64 = 7;

/// The hash table's share if the whole program may use `megabytes` MiB.
pub(crate) fn table_share(megabytes: u64, threads: u64) -> u64 {
    let others = threads.saturating_mul(PER_THREAD).saturating_add(PROGRAM);
    // However little memory there is, the table gets half of it, and at least 1 MiB.
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
