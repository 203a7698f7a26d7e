//! The endgame tables of a session.

use crate::notice::Notice;
use crate::options::SyzygyOptions;
use crate::search_tables::{MateTables, SearchTables};
use bartizan_dtm::{DtmConfig, DtmTables};
use bartizan_search::TablebaseProbing;
use bartizan_tablebase::{Inventory, TablebaseConfig, TablebaseError, Tablebases};
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of unusable files to name.
const NAMED: usize = 6;

/// The endgame tables of a session.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    search: SearchTables,
    /// Whether some Syzygy folder or file could not be opened.
    syzygy_is_incomplete: bool,
    /// Whether some folder of distance-to-mate tables could not be opened.
    mates_are_incomplete: bool,
    /// The last message about tables that could not be read.
    last_unread: String,
}

impl Tables {
    pub(crate) fn syzygy(&self) -> Option<&Tablebases> {
        self.search.syzygy.as_deref()
    }

    pub(crate) fn mates(&self) -> Option<&DtmTables> {
        self.search.mates.as_deref().map(MateTables::tables)
    }

    /// Opens the Syzygy tables of a list of folders in place of the previous ones. Reports which ones exist and which
    /// are unusable.
    pub(crate) fn open_syzygy(&mut self, folders: &[PathBuf], notices: &mut Vec<Notice>) {
        // Free the old tables before opening the new ones.
        self.search.syzygy = None;
        self.syzygy_is_incomplete = false;
        if folders.is_empty() {
            return;
        }
        let (syzygy, faults) = Tablebases::open_usable(folders, TablebaseConfig::default());
        self.syzygy_is_incomplete = !faults.is_empty();
        warn(faults, notices);
        if let Some(tables) = &syzygy {
            let (wdl, dtz, pieces) = (tables.len(), tables.dtz_len(), tables.max_pieces());
            notices.push(Notice::SyzygyFound { wdl, dtz, pieces });
            notices.extend(tables.inventory().iter().filter_map(missing));
        }
        self.search.syzygy = syzygy.map(Arc::new);
    }

    /// Replaces the Syzygy tables.
    pub(crate) fn set_syzygy(&mut self, tables: Tablebases) {
        self.search.syzygy = Some(Arc::new(tables));
        self.syzygy_is_incomplete = false;
    }

    /// As [`Tables::open_syzygy`], for distance-to-mate tables.
    pub(crate) fn open_mates(&mut self, folders: &[PathBuf], notices: &mut Vec<Notice>) {
        self.search.mates = None;
        self.mates_are_incomplete = false;
        if folders.is_empty() {
            return;
        }
        let (mates, faults) = DtmTables::open_usable(folders, DtmConfig::default());
        self.mates_are_incomplete = !faults.is_empty();
        warn(faults, notices);
        if let Some(tables) = &mates {
            notices.push(Notice::MateTablesFound { tables: tables.len(), pieces: tables.max_pieces() });
        }
        self.search.mates = mates.map(|tables| Arc::new(MateTables::new(tables)));
    }

    /// Whether a Syzygy folder or file could not be opened, or a file has failed since.
    pub(crate) fn syzygy_has_failed(&self) -> bool {
        self.syzygy_is_incomplete || self.syzygy().is_some_and(Tablebases::has_failed)
    }

    /// Whether a folder of distance-to-mate tables could not be opened, or a table has failed since.
    pub(crate) fn mates_have_failed(&self) -> bool {
        self.mates_are_incomplete || self.mates().is_some_and(DtmTables::has_failed)
    }

    /// The tables for a search, if there are any.
    pub(crate) fn for_search(&self, options: &SyzygyOptions) -> Option<TablebaseProbing> {
        if self.search.syzygy.is_none() && self.search.mates.is_none() {
            return None;
        }
        let mut probing = TablebaseProbing::new(Arc::new(self.search.clone()));
        (probing.depth, probing.limit) = (options.probe_depth, options.probe_limit);
        probing.fifty_moves = options.fifty_moves;
        Some(probing)
    }

    /// The failures in searches since the last call.
    pub(crate) fn take_faults(&mut self) -> Vec<Notice> {
        let faults = self.search.syzygy.as_ref().map(|tables| tables.take_faults()).unwrap_or_default();
        let failed = |fault: TablebaseError| {
            let is_retried = matches!(fault, TablebaseError::File { .. });
            Notice::SyzygyFailed { source: fault.into(), is_retried }
        };
        let mut faults: Vec<Notice> = faults.into_iter().map(failed).collect();
        let Some(mates) = &self.search.mates else { return faults };
        let Some(fault) = mates.take_fault() else { return faults };
        let (text, is_retried) = (describe(&fault), !mates.is_damaged());
        // Every search tries again, but the same message at every move would be a nuisance.
        if !is_retried || text != self.last_unread {
            faults.push(Notice::MateTablesFailed { source: fault.into(), is_retried });
        }
        if is_retried {
            self.last_unread = text;
        }
        faults
    }
}

/// Warns of unusable files and folders.
fn warn<E: std::error::Error + Send + Sync + 'static>(faults: Vec<E>, notices: &mut Vec<Notice>) {
    let more = faults.len().saturating_sub(NAMED);
    notices.extend(faults.into_iter().take(NAMED).map(|fault| Notice::TablesUnusable(fault.into())));
    if more > 0 {
        notices.push(Notice::MoreTablesUnusable(more));
    }
}

/// An error with its cause.
fn describe(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// The files of an incomplete set.
fn missing(inventory: &Inventory) -> Option<Notice> {
    let named = |names: &[String], extension: &str| -> Vec<String> {
        names.iter().map(|name| format!("{name}.{extension}")).collect()
    };
    let mut files = named(&inventory.missing_wdl, "rtbw");
    files.extend(named(&inventory.missing_dtz, "rtbz"));
    let (total, pieces) = (2 * inventory.complete, inventory.men);
    (!files.is_empty()).then_some(Notice::SyzygyMissing { files, total, pieces })
}
