//! The memory that search threads need, and whether there is enough.

use crate::available::available_megabytes;
use memmap2::MmapOptions;

/// The stack of a search thread. The search recurses to 128 plies with move lists on the stack, which needs about a
/// quarter of this.
pub(crate) const STACK_SIZE: usize = 8 << 20;

/// Memory that a thread needs, in MiB: histories, corrections and caches take 6, the used part of the stack and the
/// allocator the rest.
pub(crate) const THREAD_MIB: usize = 7;

/// Memory in MiB that the threads leave for everything else, above all the hash table.
pub(crate) const LEFT_MIB: usize = 64;

/// Whether this many MiB of address space are available, which a process limit may prevent.
pub(crate) fn has_addresses(mib: usize) -> bool {
    let Some(len) = mib.checked_mul(1 << 20) else { return false };
    if cfg!(target_family = "wasm") {
        // It maps no memory.
        return Vec::<u8>::new().try_reserve_exact(len).is_ok();
    }
    MmapOptions::new().len(len).no_reserve_swap().map_anon().is_ok()
}

/// The number of helpers, at most `wanted`, that fit in memory.
pub(crate) fn helpers_that_fit(wanted: usize) -> usize {
    let most = available_megabytes(0).map_or(wanted, |mib| wanted.min(mib.saturating_sub(LEFT_MIB) / THREAD_MIB));
    let fits = |helpers: usize| has_addresses(helpers * (THREAD_MIB + (STACK_SIZE >> 20)) + LEFT_MIB);
    if fits(most) {
        return most;
    }
    // The largest number that fits, by bisection; zero helpers always fit.
    let (mut fitting, mut failing) = (0, most);
    while failing - fitting > 1 {
        let middle = fitting.midpoint(failing);
        *(if fits(middle) { &mut fitting } else { &mut failing }) = middle;
    }
    fitting
}
