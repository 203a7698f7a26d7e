//! Cache of unpacked blocks.

use super::DtmError;
use super::format::BLOCK;
use parking_lot::Mutex;
use std::sync::Arc;

#[derive(Debug, Default)]
struct Slot {
    /// The number of the table and of the block in it.
    key: (u32, u64),
    block: Option<Arc<[u8]>>,
}

/// A direct-mapped cache: each block has one slot and replaces the block that occupies it.
#[derive(Debug)]
pub(super) struct BlockCache {
    slots: Box<[Mutex<Slot>]>,
}

impl BlockCache {
    /// A cache of about `bytes` bytes, at least one block.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: (0..(bytes / BLOCK).max(1)).map(|_| Mutex::default()).collect() }
    }

    /// Returns a block from the cache, or else from `load`. If several threads request a block at once, it is loaded
    /// once.
    pub(super) fn get(
        &self,
        table: u32,
        block: u64,
        load: impl FnOnce() -> Result<Arc<[u8]>, DtmError>,
    ) -> Result<Arc<[u8]>, DtmError> {
        // Fibonacci hashing spreads the blocks of a table and the tables over the slots.
        let hash = (block ^ u64::from(table) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (u128::from(hash) * self.slots.len() as u128) >> 64;
        let mut slot = self.slots[slot as usize].lock();
        if slot.key == (table, block)
            && let Some(block) = &slot.block
        {
            return Ok(Arc::clone(block));
        }
        let loaded = load()?;
        *slot = Slot { key: (table, block), block: Some(Arc::clone(&loaded)) };
        Ok(loaded)
    }
}
