//! The endgame tables that a search probes.

use bartizan_dtm::{Dtm, DtmError, DtmTables};
use bartizan_position::Position;
use bartizan_search::{EndgameTables, TablebaseMove, TablebaseResult};
use bartizan_tablebase::{Dtz, RootMove, Tablebases, Wdl, WinRanking};
use bartizan_types::{Ply, Value};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Syzygy tables and distances to mate, as a search probes them.
#[derive(Clone, Debug, Default)]
pub struct SearchTables {
    /// Syzygy tables.
    pub syzygy: Option<Arc<Tablebases>>,
    /// Distances to mate. Their values are exact.
    pub mates: Option<Arc<MateTables>>,
}

impl EndgameTables for SearchTables {
    fn resume(&self) {
        if let Some(mates) = &self.mates {
            mates.resume();
        }
        if let Some(syzygy) = &self.syzygy {
            syzygy.resume();
        }
    }

    fn max_pieces(&self) -> usize {
        self.syzygy.as_ref().map_or(0, |syzygy| syzygy.max_pieces())
    }

    fn max_mate_pieces(&self) -> usize {
        self.mates.as_ref().map_or(0, |mates| mates.tables.max_pieces())
    }

    fn result(&self, position: &Position) -> Option<TablebaseResult> {
        self.syzygy.as_ref()?.search_wdl(position).map(result)
    }

    fn mate_value(&self, position: &Position) -> Option<Value> {
        Some(match self.mates.as_ref()?.probe(position)? {
            Dtm::Win(plies) => Value::mate_in(Ply(plies.into())),
            Dtm::Draw => Value::DRAW,
            Dtm::Loss(plies) => Value::mated_in(Ply(plies.into())),
        })
    }

    fn rank_moves(&self, position: &Position, must_progress: bool) -> Option<Vec<TablebaseMove>> {
        let wins = if must_progress { WinRanking::ByDistance } else { WinRanking::Equal };
        let ranked = self.syzygy.as_ref()?.search_root(position, wins)?;
        let table_move = |&RootMove { mv, wdl, dtz, outcome, rank, .. }: &RootMove| TablebaseMove {
            mv,
            result: result(wdl),
            outcome: result(outcome),
            zeroing: dtz.map(Dtz::plies),
            rank,
        };
        Some(ranked.iter().map(table_move).collect())
    }
}

fn result(wdl: Wdl) -> TablebaseResult {
    match wdl {
        Wdl::Loss => TablebaseResult::Loss,
        Wdl::BlessedLoss => TablebaseResult::BlessedLoss,
        Wdl::Draw => TablebaseResult::Draw,
        Wdl::CursedWin => TablebaseResult::CursedWin,
        Wdl::Win => TablebaseResult::Win,
    }
}

/// Distance-to-mate tables for searches. If one turns out to be damaged, none is used any more. If one cannot be read,
/// none is used for the rest of the search, which should not wait for a failing disk again and again.
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

    /// Whether a table has turned out to be damaged, so that none is used any more.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Relaxed)
    }

    /// Lets a new search try the tables again, if they only could not be read: that may be temporary, as with too many
    /// open files.
    fn resume(&self) {
        self.is_paused.store(self.is_damaged(), Relaxed);
    }

    /// The error that ended the use of the tables, for good or for the last search; returned once.
    pub fn take_fault(&self) -> Option<DtmError> {
        self.fault.lock().take()
    }

    /// The value of a position. Takes no lock, unless a table is opened or turns out to be damaged.
    fn probe(&self, position: &Position) -> Option<Dtm> {
        // Relaxed: a thread that notices the fault a little later only tries once more.
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
