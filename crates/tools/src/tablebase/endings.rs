//! The endings that a command names.

use crate::files::shown;
use bartizan_dtm::{DtmTables, Endgame, EndgameError, MAX_DTM_MEN};
use std::str::FromStr;

/// An ending such as `KQKR`, or `all4`: all endings of 4 men that can have a table.
#[derive(Clone, Debug)]
pub(super) enum Endings {
    One(Endgame),
    All(usize),
}

/// The error of parsing [`Endings`].
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum EndingsError {
    #[error(transparent)]
    Name(EndgameError),
    #[error("'{text}' is not a number of men from 3 to {MAX_DTM_MEN}", text = shown(.0))]
    Men(String),
}

impl FromStr for Endings {
    type Err = EndingsError;

    fn from_str(text: &str) -> Result<Self, EndingsError> {
        if let Some(men) = text.strip_prefix("all") {
            let men = men.parse().ok().filter(|men| (3..=MAX_DTM_MEN).contains(men));
            return men.map(Self::All).ok_or_else(|| EndingsError::Men(text.to_owned()));
        }
        text.parse().map(Self::One).map_err(EndingsError::Name)
    }
}

/// Distance-to-mate tables, and endings among them.
#[derive(Debug, clap::Args)]
pub(super) struct Selection {
    /// Directories with distance-to-mate tables, separated as in the UCI option SyzygyPath
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
        let all = || tables.endgames().cloned().collect();
        let endgames = if self.endings.is_empty() { all() } else { expand(&self.endings) };
        Ok((tables, endgames))
    }
}

/// The endings, each once, those named first first.
pub(super) fn expand(endings: &[Endings]) -> Vec<Endgame> {
    let mut all = Vec::new();
    for ending in endings {
        let named = match ending {
            Endings::One(endgame) => vec![endgame.clone()],
            Endings::All(men) => Endgame::with_men(*men).into_iter().filter(Endgame::has_table).collect(),
        };
        for endgame in named {
            if !all.contains(&endgame) {
                all.push(endgame);
            }
        }
    }
    all
}
