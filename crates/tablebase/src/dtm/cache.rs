//! Cache of unpacked blocks.

use super::DtmError;
use super::format::BLOCK;
use arc_swap::ArcSwapOption;
use std::sync::Arc;

#[derive(Debug)]
struct Entry {
    /// The number of the table and of the block in it.
    key: (u32, u64),
    block: Arc<[u8]>,
}

/// A direct-mapped cache: each block has one slot and replaces the block that occupies it.
///
/// There is no lock: a thread never waits for one that unpacks a block.
#[derive(Debug)]
pub(super) struct BlockCache {
    slots: Box<[ArcSwapOption<Entry>]>,
}

impl BlockCache {
    /// A cache of about `bytes` bytes, at least one block.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: (0..(bytes / BLOCK).max(1)).map(|_| ArcSwapOption::empty()).collect() }
    }

    /// Returns a block from the cache, or else from `load`. Threads that request a block at the same time may each load
    /// it.
    pub(super) fn get(
        &self,
        table: u32,
        block: u64,
        load: impl FnOnce() -> Result<Arc<[u8]>, DtmError>,
    ) -> Result<Arc<[u8]>, DtmError> {
        // Fibonacci hashing spreads the blocks of a table and the tables over the slots.
        let hash = (block ^ u64::from(table) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(hash) * self.slots.len() as u128) >> 64;
        let slot = &self.slots[slot as usize];
        if let Some(entry) = &*slot.load()
            && entry.key == (table, block)
        {
            return Ok(Arc::clone(&entry.block));
        }
        let loaded = load()?;
        slot.store(Some(Arc::new(Entry { key: (table, block), block: Arc::clone(&loaded) })));
        Ok(loaded)
    }
}
