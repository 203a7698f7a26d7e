//! The endgame tables of a session.

use crate::options::SyzygyOptions;
use bartizan_search::TableProbing;
use bartizan_tablebase::{Config, Inventory, Tablebases};
use std::path::PathBuf;
use std::sync::Arc;

/// The greatest number of files that one message names.
const NAMED: usize = 6;

/// The endgame tables of a session.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    syzygy: Option<Arc<Tablebases>>,
}

impl Tables {
    /// Opens the tables of a list of folders. What cannot be used goes into `warnings`, what there is into `news`.
    pub(crate) fn open(folders: &[PathBuf], warnings: &mut Vec<String>, news: &mut Vec<String>) -> Self {
        if folders.is_empty() {
            return Self::default();
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
        Self { syzygy: syzygy.map(Arc::new) }
    }

    /// The tables for a search, if there are any.
    pub(crate) fn for_search(&self, options: &SyzygyOptions) -> Option<TableProbing> {
        let mut probing = TableProbing::new(self.syzygy.clone()?);
        (probing.depth, probing.limit) = (options.probe_depth, options.probe_limit);
        probing.fifty_moves = options.fifty_moves;
        Some(probing)
    }

    /// What has failed in searches since the last call.
    pub(crate) fn take_faults(&self) -> Vec<String> {
        let faults = self.syzygy.as_ref().map(|tables| tables.take_faults()).unwrap_or_default();
        faults.iter().map(|fault| format!("{}; this file is not used", describe(fault))).collect()
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
