//! Allocates hash tables of a given size, or as large as possible.

use bartizan_search::{TableError, TranspositionTable};
use std::sync::Arc;

/// A new table of a size in MiB.
pub(crate) fn allocate(mib: usize) -> Result<Arc<TranspositionTable>, TableError> {
    TranspositionTable::new(mib).map(populated)
}

/// The largest table that the system can provide, trying the size in MiB, half of it, a quarter and so on; `None` if
/// not even 1 MiB is available.
pub(crate) fn allocate_largest(mib: usize) -> Option<Arc<TranspositionTable>> {
    let sizes = std::iter::successors(Some(mib.max(1)), |&mib| (mib > 1).then_some(mib / 2));
    sizes.into_iter().find_map(|mib| allocate(mib).ok())
}

/// Replaces a table, if there is one, by one of another size in MiB. If that fails, the table has the old size; its
/// entries are lost only if the address space was too small for both. No thread may hold the table.
pub(crate) fn resize(table: &mut Option<Arc<TranspositionTable>>, mib: usize) -> Result<(), TableError> {
    let Some(old) = table else { return Ok(()) };
    let old_mib = old.megabytes();
    let new = match old.replacement(mib) {
        Err(TableError::Refused { .. }) => {
            *table = None;
            TranspositionTable::new(mib)
        }
        other => other,
    };
    match new {
        Ok(new) => {
            // Free the old table before allocating the new one.
            *table = None;
            *table = Some(populated(new));
            Ok(())
        }
        Err(error) => {
            if table.is_none() {
                *table = allocate_largest(old_mib);
            }
            Err(error)
        }
    }
}

/// Touches the pages of a table, so that the first search need not wait for them.
fn populated(table: TranspositionTable) -> Arc<TranspositionTable> {
    table.populate(processors());
    Arc::new(table)
}

/// Number of threads for clearing or touching a table: no search runs then, so all processors are free.
pub(crate) fn processors() -> usize {
    bartizan_parallel::cores().get()
}
