//! The endgame tables of a session.

use crate::options::SyzygyOptions;
use bartizan_search::{MateTables, TableProbing};
use bartizan_tablebase::{Config, DtmTables, Inventory, Tablebases};
use std::path::PathBuf;
use std::sync::Arc;

/// The greatest number of files that one message names.
const NAMED: usize = 6;

/// The endgame tables of a session.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    syzygy: Option<Arc<Tablebases>>,
    mates: Option<Arc<MateTables>>,
}

impl Tables {
    pub(crate) fn syzygy(&self) -> Option<&Tablebases> {
        self.syzygy.as_deref()
    }

    pub(crate) fn mates(&self) -> Option<&DtmTables> {
        self.mates.as_deref().map(MateTables::tables)
    }

    /// Opens the Syzygy tables of a list of folders instead of those before. What cannot be used goes into `warnings`,
    /// what there is into `news`.
    pub(crate) fn open_syzygy(&mut self, folders: &[PathBuf], warnings: &mut Vec<String>, news: &mut Vec<String>) {
        // The old tables are freed before the new ones take memory.
        self.syzygy = None;
        if folders.is_empty() {
            return;
        }
        let (syzygy, faults) = Tablebases::open_usable(folders, Config::default());
        warnings.extend(faults.iter().take(NAMED).map(|fault| describe(fault)));
        if faults.len() > NAMED {
            warnings.push(format!("{} more tablebase files or folders cannot be used", faults.len() - NAMED));
        }
        if let Some(tables) = &syzygy {
            let (wdl, dtz, most) = (tables.len(), tables.dtz_len(), tables.max_pieces());
            news.push(format!("found {wdl} WDL and {dtz} DTZ tablebase files with up to {most} pieces"));
            news.extend(tables.inventory().iter().filter_map(missing));
        }
        self.syzygy = syzygy.map(Arc::new);
    }

    /// Opens the distance-to-mate tables of a list of folders instead of those before.
    pub(crate) fn open_mates(&mut self, folders: &[PathBuf], warnings: &mut Vec<String>, news: &mut Vec<String>) {
        self.mates = None;
        if folders.is_empty() {
            return;
        }
        match DtmTables::open_folders(folders) {
            Ok(tables) => {
                let empty = tables.empty_folders().iter();
                warnings.extend(empty.map(|folder| format!("no distance-to-mate tables in '{}'", folder.display())));
                let (number, most) = (tables.len(), tables.max_pieces());
                news.push(format!("found {number} distance-to-mate tables with up to {most} pieces"));
                self.mates = Some(Arc::new(MateTables::new(tables)));
            }
            Err(error) => warnings.push(describe(&error)),
        }
    }

    /// The tables for a search, if there are any.
    pub(crate) fn for_search(&self, options: &SyzygyOptions) -> Option<TableProbing> {
        if self.syzygy.is_none() && self.mates.is_none() {
            return None;
        }
        let mut probing = TableProbing::new(self.syzygy.clone(), self.mates.clone());
        (probing.depth, probing.limit) = (options.probe_depth, options.probe_limit);
        probing.fifty_moves = options.fifty_moves;
        Some(probing)
    }

    /// What has failed in searches since the last call.
    pub(crate) fn take_faults(&self) -> Vec<String> {
        let faults = self.syzygy.as_ref().map(|tables| tables.take_faults()).unwrap_or_default();
        let mut faults: Vec<String> =
            faults.iter().map(|fault| format!("{}; this file is not used", describe(fault))).collect();
        let mates = self.mates.as_ref().and_then(|mates| mates.take_fault());
        faults.extend(mates.map(|fault| format!("{}; no distances to mate are used any more", describe(&fault))));
        faults
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
