//! Prefetching into the cache.

/// Prefetches a value into the cache without waiting for it. Only on x86-64, because stable Rust has no prefetch for
/// other processors.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
