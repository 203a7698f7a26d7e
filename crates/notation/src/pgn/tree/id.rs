//! Identities of nodes.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A move in a [`GameTree`](super::GameTree), or its root.
///
/// It is valid until the move is deleted, in its tree and in clones of it. No other tree accepts it, and no later node
/// gets the same: see [`GameTree::contains`](super::GameTree::contains).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    /// The place of the node in its tree.
    pub(super) index: u32,
    /// The stamp of the node.
    pub(super) stamp: u64,
}

/// The supply of stamps of a tree: numbers that no two nodes of the process share. 0 is not among them.
#[derive(Debug)]
pub(super) struct Stamps(Range<u64>);

impl Stamps {
    /// The number of stamps that a tree takes at once.
    const BLOCK: u64 = 1 << 16;

    pub(super) const fn new() -> Self {
        Self(0..0)
    }

    pub(super) fn next(&mut self) -> u64 {
        /// The first stamp that no tree has taken.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.0.next().unwrap_or_else(|| {
            // Relaxed: only the uniqueness of the blocks matters.
            let stamp = NEXT.fetch_add(Self::BLOCK, Ordering::Relaxed);
            self.0 = stamp + 1..stamp + Self::BLOCK;
            stamp
        })
    }
}

/// A cloned tree takes stamps of its own for its later nodes.
impl Clone for Stamps {
    fn clone(&self) -> Self {
        Self::new()
    }
}
