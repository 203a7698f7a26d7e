//! The summary of a table.

use crate::format::{BLOCK, blocks_of_side};
use crate::table::Table;
use crate::value::ILLEGAL;
use crate::verify::position;
use crate::{Dtm, DtmError, DtmTables, Endgame};
use bartizan_position::Position;
use bartizan_types::Color;
use std::path::PathBuf;

/// Statistics for one side to move. Mirror images are counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SideSummary {
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The longest win, `None` if there is none.
    pub longest_win: Option<Dtm>,
    /// The longest loss, `None` if there is none.
    pub longest_loss: Option<Dtm>,
}

/// The summary of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableSummary {
    /// The ending.
    pub endgame: Endgame,
    /// The file.
    pub path: PathBuf,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The number of indices of a side to move, used or not.
    pub indices: u64,
    /// White to move, and black to move unless both sides have the same pieces. White is the first side of the name.
    pub sides: Vec<SideSummary>,
}

impl TableSummary {
    pub(crate) fn of(table: &Table) -> Self {
        let header = table.header();
        Self {
            endgame: header.endgame,
            path: table.path().to_owned(),
            bytes: header.file_len,
            indices: header.size,
            sides: header.sides.clone(),
        }
    }
}

/// The number of positions with each code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeCounts(pub(crate) [u64; 256]);

impl Default for CodeCounts {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl CodeCounts {
    pub(crate) fn of(codes: &[u8]) -> Self {
        let mut counts = Self::default();
        codes.iter().for_each(|&code| counts.0[usize::from(code)] += 1);
        counts
    }

    pub(crate) fn summary(&self) -> SideSummary {
        let mut summary = SideSummary::default();
        for (code, &count) in (0..ILLEGAL).zip(&self.0).filter(|&(_, &count)| count > 0) {
            let value = Dtm::from_code(code);
            match value {
                Dtm::Win(_) => (summary.wins, summary.longest_win) = (summary.wins + count, Some(value)),
                Dtm::Draw => summary.draws = count,
                Dtm::Loss(_) => (summary.losses, summary.longest_loss) = (summary.losses + count, Some(value)),
            }
        }
        summary
    }
}

impl DtmTables {
    /// The summary of a table. `None` if there is no such table.
    ///
    /// # Errors
    /// [`DtmError`] if the file cannot be read or is damaged.
    pub fn summary(&self, endgame: &Endgame) -> Result<Option<TableSummary>, DtmError> {
        self.table(endgame).map(|table| table.map(TableSummary::of))
    }

    /// The first positions of a table with a value, at most `limit`, without en passant rights. White is the first side
    /// of the ending's name.
    ///
    /// Reads the table from the beginning until they are found.
    ///
    /// # Errors
    /// [`DtmError`] if the file cannot be read or is damaged.
    pub fn find(&self, endgame: &Endgame, turn: Color, value: Dtm, limit: usize) -> Result<Vec<Position>, DtmError> {
        let mut found = Vec::new();
        let Some(table) = self.table(endgame)? else { return Ok(found) };
        if turn.index() >= table.header().sides.len() {
            let positions = self.find(endgame, !turn, value, limit)?;
            return Ok(positions.iter().map(Position::flipped).collect());
        }
        for block in 0..blocks_of_side(table.layout.size()) {
            for (index, code) in table.codes(turn.index(), block)?.into_iter().enumerate() {
                if found.len() == limit {
                    return Ok(found);
                }
                if Dtm::from_code(code) == value {
                    found.extend(position(&table.layout, block * BLOCK + index, turn));
                }
            }
        }
        Ok(found)
    }
}
