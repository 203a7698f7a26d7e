//! The endings named on a command line.

use bartizan_dtm::{DtmTables, Endgame, Endings};

/// Distance-to-mate tables, and endings among them.
#[derive(Debug, clap::Args)]
pub(super) struct Selection {
    /// Folders with distance-to-mate tables, separated as in the UCI option SyzygyPath
    #[arg(long, value_name = "PATH")]
    pub(super) tables: String,
    /// Endings such as KQKR, or all3, all4, all5 (all but KPPKP) [default: all tables]
    #[arg(value_name = "ENDING")]
    endings: Vec<Endings>,
}

impl Selection {
    /// Opens the tables and lists the endings.
    pub(super) fn open(&self) -> anyhow::Result<(DtmTables, Vec<Endgame>)> {
        let tables = DtmTables::open(&self.tables)?;
        let all = || tables.endgames().copied().collect();
        let endgames = if self.endings.is_empty() { all() } else { Endings::expand(&self.endings) };
        Ok((tables, endgames))
    }
}
