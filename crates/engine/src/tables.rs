//! The endgame tables of a session.

use crate::options::SyzygyOptions;
use crate::search_tables::{MateTables, SearchTables};
use bartizan_dtm::{DtmConfig, DtmTables};
use bartizan_search::TableProbing;
use bartizan_tablebase::{Config, Inventory, TablebaseError, Tablebases};
use std::path::PathBuf;
use std::sync::Arc;

/// The greatest number of files that one message names.
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

    /// Opens the Syzygy tables of a list of folders instead of those before. What cannot be used goes into `warnings`,
    /// what there is into `news`.
    pub(crate) fn open_syzygy(&mut self, folders: &[PathBuf], warnings: &mut Vec<String>, news: &mut Vec<String>) {
        // The old tables are freed before the new ones take memory.
        self.search.syzygy = None;
        self.syzygy_is_incomplete = false;
        if folders.is_empty() {
            return;
        }
        let (syzygy, faults) = Tablebases::open_usable(folders, Config::default());
        self.syzygy_is_incomplete = !faults.is_empty();
        warn(&faults, warnings);
        if let Some(tables) = &syzygy {
            let (wdl, dtz, most) = (tables.len(), tables.dtz_len(), tables.max_pieces());
            news.push(format!("found {wdl} WDL and {dtz} DTZ tablebase files with up to {most} pieces"));
            news.extend(tables.inventory().iter().filter_map(missing));
        }
        self.search.syzygy = syzygy.map(Arc::new);
    }

    /// Opens the distance-to-mate tables of a list of folders instead of those before. What cannot be used goes into
    /// `warnings`, what there is into `news`.
    pub(crate) fn open_mates(&mut self, folders: &[PathBuf], warnings: &mut Vec<String>, news: &mut Vec<String>) {
        self.search.mates = None;
        self.mates_are_incomplete = false;
        if folders.is_empty() {
            return;
        }
        let (mates, faults) = DtmTables::open_usable(folders, DtmConfig::default());
        self.mates_are_incomplete = !faults.is_empty();
        warn(&faults, warnings);
        if let Some(tables) = &mates {
            let (number, most) = (tables.len(), tables.max_pieces());
            news.push(format!("found {number} distance-to-mate tables with up to {most} pieces"));
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
    pub(crate) fn for_search(&self, options: &SyzygyOptions) -> Option<TableProbing> {
        if self.search.syzygy.is_none() && self.search.mates.is_none() {
            return None;
        }
        let mut probing = TableProbing::new(Arc::new(self.search.clone()));
        (probing.depth, probing.limit) = (options.probe_depth, options.probe_limit);
        probing.fifty_moves = options.fifty_moves;
        Some(probing)
    }

    /// What has failed in searches since the last call.
    pub(crate) fn take_faults(&mut self) -> Vec<String> {
        let faults = self.search.syzygy.as_ref().map(|tables| tables.take_faults()).unwrap_or_default();
        let rest = |fault: &TablebaseError| match fault {
            TablebaseError::File { .. } => "the next searches try again",
            _ => "this file is not used",
        };
        let mut faults: Vec<String> =
            faults.iter().map(|fault| format!("{}; {}", describe(fault), rest(fault))).collect();
        let Some(mates) = &self.search.mates else { return faults };
        let Some(fault) = mates.take_fault() else { return faults };
        if mates.is_damaged() {
            faults.push(format!("{}; no distances to mate are used any more", describe(&fault)));
        } else {
            // Every search tries again, and the same message at every move would be a nuisance.
            let text = format!("{}; the next search tries again", describe(&fault));
            if text != self.last_unread {
                faults.push(text.clone());
                self.last_unread = text;
            }
        }
        faults
    }
}

/// Warns of files and folders that cannot be used.
fn warn<E: std::error::Error + 'static>(faults: &[E], warnings: &mut Vec<String>) {
    warnings.extend(faults.iter().take(NAMED).map(|fault| describe(fault)));
    if faults.len() > NAMED {
        warnings.push(format!("{} more tablebase files or folders cannot be used", faults.len() - NAMED));
    }
}

/// An error with its cause.
fn describe(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// The files of an incomplete set, as far as one line has room.
fn missing(inventory: &Inventory) -> Option<String> {
    let named = |names: &[String], extension: &str| -> Vec<String> {
        names.iter().map(|name| format!("{name}.{extension}")).collect()
    };
    let mut files = named(&inventory.missing_wdl, "rtbw");
    files.extend(named(&inventory.missing_dtz, "rtbz"));
    let more = files.len().saturating_sub(NAMED);
    files.truncate(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!files.is_empty()).then(|| {
        let total = 2 * inventory.complete;
        format!(
            "of {total} tablebase files with {} pieces, these are missing: {}{rest}",
            inventory.men,
            files.join(", ")
        )
    })
}
