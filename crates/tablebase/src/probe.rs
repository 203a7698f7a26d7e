//! Probing a position.
//!
//! To compress well, WDL tables may hold a lower value where a capture is the best move, and they ignore en passant. A
//! probe therefore searches the captures first; their value takes precedence. DTZ tables omit winning captures and pawn
//! moves in the same way. The method is Ronald de Man's.

use crate::error::TablebaseError;
use crate::material::Material;
use crate::{Dtz, MAX_MEN, Tablebases, Wdl};
use bartizan_position::{MoveGenStage, Position};
use bartizan_types::{Move, PieceType};

/// The reason why a probe has no result.
#[derive(Debug)]
pub(crate) enum Missing {
    /// A table is missing.
    Table,
    /// A table cannot be used.
    Error(TablebaseError),
}

impl From<TablebaseError> for Missing {
    fn from(error: TablebaseError) -> Self {
        Self::Error(error)
    }
}

pub(crate) type Probe<T> = Result<T, Missing>;

/// Converts a missing table to `None`.
pub(crate) fn answer<T>(probe: Probe<T>) -> Result<Option<T>, TablebaseError> {
    match probe {
        Ok(value) => Ok(Some(value)),
        Err(Missing::Table) => Ok(None),
        Err(Missing::Error(error)) => Err(error),
    }
}

/// The result of a position, and whether a capture achieves it.
struct WdlResult {
    wdl: Wdl,
    zeroing: bool,
}

/// Whether a move resets the halfmove clock.
pub(crate) fn is_zeroing(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || position.by_type(PieceType::Pawn).contains(mv.from())
}

impl Tablebases {
    /// The result of a position if the halfmove clock is zero.
    ///
    /// Returns `None` if the tables do not cover the position: too many pieces, castling rights, or a missing table,
    /// either of the position or of one after captures.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_tablebase::{Tablebases, Wdl};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// let position = Position::from_fen("4k3/8/3K4/8/4P3/8/8/8 w - - 0 1")?;
    /// assert_eq!(tables.probe_wdl(&position)?, Some(Wdl::Win));
    /// assert_eq!(tables.probe_wdl(&Position::startpos())?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TablebaseError`] if a file cannot be read or is damaged.
    ///
    /// # Performance
    /// The probe takes one lookup for the position and one for each position reached by captures. A lookup reads from
    /// the disk if its page is not in memory.
    pub fn probe_wdl(&self, position: &Position) -> Result<Option<Wdl>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        answer(self.wdl(position))
    }

    /// The distance to the next capture or pawn move. Needs WDL and DTZ tables.
    ///
    /// If the table covers only the other side to move, the probe tries every move, so it is too slow for use inside a
    /// search. Returns `None` in the same cases as [`Tablebases::probe_wdl`].
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_tablebase::{Dtz, Tablebases};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// // The pawn advances at once.
    /// let position = Position::from_fen("4k3/8/3K4/8/4P3/8/8/8 w - - 0 1")?;
    /// assert_eq!(tables.probe_dtz(&position)?, Some(Dtz(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tablebases::probe_wdl`].
    pub fn probe_dtz(&self, position: &Position) -> Result<Option<Dtz>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        answer(self.dtz(position))
    }

    /// Like [`Tablebases::probe_wdl`], for a search, which continues without a table that fails: from then on, the
    /// table counts as missing for every probe, and [`Tablebases::take_faults`] returns the error. A table with a read
    /// error is tried again after [`Tablebases::resume`].
    ///
    /// No thread waits for another, except while a table is read for the first time.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_tablebase::{Tablebases, Wdl};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// tables.resume(); // When a search begins.
    /// let position = Position::from_fen("8/8/8/8/8/2k5/8/K1q5 w - - 0 1")?;
    /// assert_eq!(tables.search_wdl(&position), Some(Wdl::Loss));
    /// for error in tables.take_faults() {
    ///     eprintln!("{error}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_wdl(&self, position: &Position) -> Option<Wdl> {
        if !self.may_have(position) {
            return None;
        }
        match self.wdl(position) {
            Ok(wdl) => Some(wdl),
            Err(Missing::Table) => None,
            Err(Missing::Error(error)) => {
                self.retire(error);
                None
            }
        }
    }

    /// Whether the tables may cover a position.
    #[inline]
    pub(crate) fn may_have(&self, position: &Position) -> bool {
        position.castling().is_empty() && position.occupied().count() as usize <= self.max_pieces().min(MAX_MEN)
    }

    pub(crate) fn wdl(&self, position: &Position) -> Probe<Wdl> {
        self.worth(position).map(|worth| worth.wdl)
    }

    /// The value in the table, which ignores captures.
    fn stored_wdl(&self, position: &Position) -> Probe<Wdl> {
        let material = Material::of(position);
        if material.men() == 2 {
            return Ok(Wdl::Draw);
        }
        let table = self.wdl_table(material)?.ok_or(Missing::Table)?;
        Ok(table.wdl(position, material)?)
    }

    /// Searches the captures, then probes the table.
    fn worth(&self, position: &Position) -> Probe<WdlResult> {
        let mut best = Wdl::Loss;
        let mut en_passant = None;
        for mv in position.moves(MoveGenStage::Captures).into_iter().filter(|&mv| position.is_capture(mv)) {
            let wdl = -self.wdl(&position.play_unchecked(mv))?;
            if wdl == Wdl::Win {
                return Ok(WdlResult { wdl, zeroing: true });
            }
            if mv.is_en_passant() {
                en_passant = en_passant.max(Some(wdl));
            } else {
                best = best.max(wdl);
            }
        }
        let stored = self.stored_wdl(position)?;
        let worth = if best >= stored {
            WdlResult { wdl: best, zeroing: best > Wdl::Draw }
        } else {
            WdlResult { wdl: stored, zeroing: false }
        };
        Ok(match en_passant {
            Some(wdl) => with_en_passant(position, worth, wdl),
            None => worth,
        })
    }

    /// Whether a pawn move other than a capture keeps the result.
    fn pawn_move_keeps(&self, position: &Position, wdl: Wdl) -> Probe<bool> {
        let pawns = position.pieces(position.turn(), PieceType::Pawn);
        if pawns.is_empty() {
            return Ok(false);
        }
        for mv in position.legal_moves() {
            if pawns.contains(mv.from()) && !position.is_capture(mv) && -self.wdl(&position.play_unchecked(mv))? == wdl
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The distance in the table, for positions in which no capture or pawn move wins.
    fn stored_dtz(&self, position: &Position, wdl: Wdl) -> Probe<Option<Dtz>> {
        let material = Material::of(position);
        let table = self.dtz_table(material)?.ok_or(Missing::Table)?;
        let Some(plies) = table.dtz(position, material, wdl)? else { return Ok(None) };
        let cursed = if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { 100 } else { 0 };
        let plies = i32::try_from(plies).unwrap_or(i32::MAX - 100) + cursed;
        Ok(Some(Dtz(if wdl > Wdl::Draw { plies } else { -plies })))
    }

    pub(crate) fn dtz(&self, position: &Position) -> Probe<Dtz> {
        let WdlResult { wdl, zeroing } = self.worth(position)?;
        if wdl == Wdl::Draw || zeroing || wdl > Wdl::Draw && self.pawn_move_keeps(position, wdl)? {
            return Ok(wdl.before_zeroing());
        }
        if let Some(dtz) = self.stored_dtz(position, wdl)? {
            return Ok(dtz);
        }
        // The table covers only the other side to move: search one ply.
        let mut best: Option<Dtz> = None;
        for mv in position.legal_moves() {
            let zeroing = is_zeroing(position, mv);
            if zeroing && wdl > Wdl::Draw {
                continue; // It does not win, or it would have been found.
            }
            let child = position.play_unchecked(mv);
            let dtz = if zeroing { (-self.wdl(&child)?).before_zeroing() } else { self.dtz_of_quiet(&child)? };
            // The winner chooses the shortest distance, the loser the longest.
            if dtz.0.signum() == wdl.before_zeroing().0.signum() {
                best = Some(best.map_or(dtz, |best| best.min(dtz)));
            }
        }
        // Without a legal move, the side to move is checkmated.
        Ok(best.unwrap_or(wdl.before_zeroing()))
    }

    /// The distance before the quiet move that led to this position.
    pub(crate) fn dtz_of_quiet(&self, after: &Position) -> Probe<Dtz> {
        let dtz = self.dtz(after)?;
        // Mate is immediate; any other −1 is one ply away.
        Ok(if dtz.0 == -1 && after.is_checkmate() { Dtz(1) } else { dtz.before_quiet_move() })
    }
}

/// Corrects a result for en passant captures, which the tables ignore.
fn with_en_passant(position: &Position, without: WdlResult, wdl: Wdl) -> WdlResult {
    let better = wdl > without.wdl || wdl == without.wdl && wdl > Wdl::Draw;
    // The table treats a position as stalemate if an en passant capture is the only legal move.
    let forced = || without.wdl == Wdl::Draw && position.legal_moves().iter().all(|mv| mv.is_en_passant());
    if better || forced() { WdlResult { wdl, zeroing: wdl != Wdl::Draw } } else { without }
}
