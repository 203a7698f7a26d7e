//! Endgame tables in the search.

use bartizan_dtm::{Dtm, DtmError, DtmTables};
use bartizan_position::Position;
use bartizan_tablebase::{Tablebases, Wdl};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Endgame tables, and how a search uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TableProbing {
    /// Syzygy tables.
    pub tables: Option<Arc<Tablebases>>,
    /// Distances to mate. Where they have a position, its value is exact.
    pub mates: Option<Arc<MateTables>>,
    /// The least remaining depth, in plies, at which positions with as many pieces as [`TableProbing::limit`] are
    /// probed. Positions with fewer pieces are probed at every depth.
    pub depth: u32,
    /// The greatest number of pieces of the positions to probe.
    pub limit: usize,
    /// Whether the 50-move rule counts. Without it, wins that take too long are wins.
    pub fifty_moves: bool,
}

impl TableProbing {
    /// Uses tables wherever they have a position, with the 50-move rule.
    pub fn new(tables: Option<Arc<Tablebases>>, mates: Option<Arc<MateTables>>) -> Self {
        Self { tables, mates, depth: 1, limit: bartizan_tablebase::MAX_MEN, fifty_moves: true }
    }

    /// The result that counts.
    pub(crate) fn result(&self, wdl: Wdl) -> Wdl {
        if self.fifty_moves { wdl } else { wdl.without_50_moves() }
    }
}

/// Distance-to-mate tables for searches. If one of them proves damaged, none is used any more; if one cannot be read,
/// none is used in the rest of the search, which does not wait for a failing disk again and again.
#[derive(Debug)]
pub struct MateTables {
    tables: DtmTables,
    is_paused: AtomicBool,
    is_damaged: AtomicBool,
    fault: Mutex<Option<DtmError>>,
}

impl MateTables {
    /// Tables that no search has used yet.
    pub fn new(tables: DtmTables) -> Self {
        let (is_paused, is_damaged) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { tables, is_paused, is_damaged, fault: Mutex::new(None) }
    }

    /// The tables.
    pub fn tables(&self) -> &DtmTables {
        &self.tables
    }

    /// Whether a table has proved damaged, so that none is used any more.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Relaxed)
    }

    /// Tries the tables again in a new search, if they could only not be read: that may be temporary, as with too many
    /// open files.
    pub(crate) fn resume(&self) {
        self.is_paused.store(self.is_damaged(), Relaxed);
    }

    /// The error that has ended the use of the tables, for good or for the last search, once.
    pub fn take_fault(&self) -> Option<DtmError> {
        self.fault.lock().take()
    }

    /// The value of a position. Takes no lock, unless a table is opened or proves damaged.
    pub(crate) fn probe(&self, position: &Position) -> Option<Dtm> {
        // Relaxed: a thread that learns of the fault a little later only tries once more.
        if self.is_paused.load(Relaxed) {
            return None;
        }
        self.tables.probe(position).unwrap_or_else(|error| {
            let is_first = match error {
                DtmError::File { .. } => !self.is_paused.swap(true, Relaxed),
                _ => {
                    self.is_paused.store(true, Relaxed);
                    !self.is_damaged.swap(true, Relaxed)
                }
            };
            if is_first {
                *self.fault.lock() = Some(error);
            }
            None
        })
    }
}
