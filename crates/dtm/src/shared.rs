//! State shared by all files of a set of tables.

use crate::DtmError;
use crate::format::BLOCK;
use bartizan_files::Cache;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Limits on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DtmConfig {
    /// Files up to this size in bytes are read whole at their first probe and kept in memory, larger ones are mapped.
    /// Default: 64 KiB.
    pub whole_file: u64,
    /// The size in bytes of the cache of unpacked blocks. Default: 32 MiB.
    pub block_cache: usize,
}

impl Default for DtmConfig {
    fn default() -> Self {
        Self { whole_file: 64 << 10, block_cache: 32 << 20 }
    }
}

/// State shared by all files of a set of tables.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: DtmConfig,
    pub(crate) cache: Cache,
    next: AtomicU32,
    /// Whether a table could not be read or turned out to be damaged.
    // Relaxed: it orders no other memory access.
    pub(crate) has_failed: AtomicBool,
}

impl Shared {
    pub(crate) fn new(config: DtmConfig) -> Self {
        let cache = Cache::new(config.block_cache / BLOCK);
        Self { config, cache, next: AtomicU32::new(0), has_failed: AtomicBool::new(false) }
    }

    /// Records that a table has failed.
    #[cold]
    pub(crate) fn note(&self, error: DtmError) -> DtmError {
        self.has_failed.store(true, Relaxed);
        error
    }

    pub(crate) fn next_number(&self) -> u32 {
        // Relaxed suffices: the numbers only need to be unique.
        self.next.fetch_add(1, Relaxed)
    }
}
