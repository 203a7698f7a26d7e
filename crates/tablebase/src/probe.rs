//! Probing a position.
//!
//! The tables are made so that they compress well: where a capture is as good as anything, they may hold any worse
//! value, and they know nothing of en passant. A probe therefore tries the captures first, and what it finds there goes
//! before the table. Tables of distances leave out pawn moves that win in the same way. (The method is Ronald de
//! Man's.)

use crate::error::TablebaseError;
use crate::material::Material;
use crate::{Dtz, MAX_MEN, Tablebases, Wdl};
use bartizan_position::{Position, Stage};
use bartizan_types::{Move, PieceType};

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Missing {
    /// A table is not there.
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

/// A table that is not there is no error.
pub(crate) fn answer<T>(probe: Probe<T>) -> Result<Option<T>, TablebaseError> {
    match probe {
        Ok(value) => Ok(Some(value)),
        Err(Missing::Table) => Ok(None),
        Err(Missing::Error(error)) => Err(error),
    }
}

/// What a position is worth, and whether a capture gets it.
struct Worth {
    wdl: Wdl,
    zeroing: bool,
}

/// A move that sets the count of the 50-move rule to zero.
pub(crate) fn is_zeroing(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || position.by_type(PieceType::Pawn).contains(mv.from())
}

impl Tablebases {
    /// Who wins, if the count of the 50-move rule begins here.
    ///
    /// `None` where no table answers: too many men, castling rights, a table that is not there (of this position or of
    /// one that a capture leads to).
    ///
    /// # Errors
    /// [`TablebaseError`] when a file cannot be read or is damaged.
    ///
    /// The cost is one lookup and one more for each position that captures lead to; a lookup whose page is not in
    /// memory reads from the disk.
    pub fn probe_wdl(&self, position: &Position) -> Result<Option<Wdl>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        answer(self.wdl(position))
    }

    /// How far it is to the next capture or pawn move.
    ///
    /// `None` and errors as for [`Tablebases::probe_wdl`]; tables of both kinds are needed. Where the table has only
    /// the other side to move, every move is tried: this is not for the inside of a search.
    ///
    /// # Errors
    /// As [`Tablebases::probe_wdl`].
    pub fn probe_dtz(&self, position: &Position) -> Result<Option<Dtz>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        answer(self.dtz(position))
    }

    /// Whether it is worth looking.
    #[inline]
    pub(crate) fn may_have(&self, position: &Position) -> bool {
        position.castling().is_empty() && position.occupied().count() as usize <= self.max_pieces().min(MAX_MEN)
    }

    pub(crate) fn wdl(&self, position: &Position) -> Probe<Wdl> {
        self.worth(position).map(|worth| worth.wdl)
    }

    /// What the table says, without regard to captures.
    fn stored_wdl(&self, position: &Position) -> Probe<Wdl> {
        let material = Material::of(position);
        if material.men() == 2 {
            return Ok(Wdl::Draw);
        }
        let table = self.wdl_table(material)?.ok_or(Missing::Table)?;
        Ok(table.wdl(position, material)?)
    }

    /// Tries the captures, then the table.
    fn worth(&self, position: &Position) -> Probe<Worth> {
        let mut best = Wdl::Loss;
        let mut en_passant = None;
        for mv in position.moves(Stage::Captures).into_iter().filter(|&mv| position.is_capture(mv)) {
            let wdl = -self.wdl(&position.play_unchecked(mv))?;
            if wdl == Wdl::Win {
                return Ok(Worth { wdl, zeroing: true });
            }
            if mv.is_en_passant() {
                en_passant = en_passant.max(Some(wdl));
            } else {
                best = best.max(wdl);
            }
        }
        let stored = self.stored_wdl(position)?;
        let worth = if best >= stored {
            Worth { wdl: best, zeroing: best > Wdl::Draw }
        } else {
            Worth { wdl: stored, zeroing: false }
        };
        Ok(match en_passant {
            Some(wdl) => with_en_passant(position, worth, wdl),
            None => worth,
        })
    }

    /// Whether a pawn move that takes nothing keeps what the position is worth.
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

    /// The distance from the table, where no capture or pawn move wins.
    fn stored_dtz(&self, position: &Position, wdl: Wdl) -> Probe<Option<Dtz>> {
        let material = Material::of(position);
        let table = self.dtz_table(material)?.ok_or(Missing::Table)?;
        let Some(plies) = table.dtz(position, material, wdl)? else { return Ok(None) };
        let cursed = if matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss) { 100 } else { 0 };
        let plies = i32::try_from(plies).unwrap_or(i32::MAX - 100) + cursed;
        Ok(Some(Dtz(if wdl > Wdl::Draw { plies } else { -plies })))
    }

    pub(crate) fn dtz(&self, position: &Position) -> Probe<Dtz> {
        let Worth { wdl, zeroing } = self.worth(position)?;
        if wdl == Wdl::Draw || zeroing || wdl > Wdl::Draw && self.pawn_move_keeps(position, wdl)? {
            return Ok(wdl.before_zeroing());
        }
        if let Some(dtz) = self.stored_dtz(position, wdl)? {
            return Ok(dtz);
        }
        // The table has only the other side to move: one ply on.
        let mut best: Option<Dtz> = None;
        for mv in position.legal_moves() {
            let zeroing = is_zeroing(position, mv);
            if zeroing && wdl > Wdl::Draw {
                continue; // It does not win, or it would have been found.
            }
            let child = position.play_unchecked(mv);
            let dtz = if zeroing { (-self.wdl(&child)?).before_zeroing() } else { self.dtz_of_quiet(&child)? };
            // Lower is better for the winner, and what the loser cannot prevent.
            if dtz.0.signum() == wdl.before_zeroing().0.signum() {
                best = Some(best.map_or(dtz, |best| best.min(dtz)));
            }
        }
        // Without a move the side to move is mated.
        Ok(best.unwrap_or(wdl.before_zeroing()))
    }

    /// The distance for whoever made a quiet move to this position.
    pub(crate) fn dtz_of_quiet(&self, after: &Position) -> Probe<Dtz> {
        let dtz = self.dtz(after)?;
        // Mate is at once; any other −1 is a ply away.
        Ok(if dtz.0 == -1 && after.is_checkmate() { Dtz(1) } else { dtz.before_quiet_move() })
    }
}

/// The table knows nothing of en passant.
fn with_en_passant(position: &Position, without: Worth, wdl: Wdl) -> Worth {
    let better = wdl > without.wdl || wdl == without.wdl && wdl > Wdl::Draw;
    // What the table took for stalemate, when taking in passing is all there is.
    let forced = || without.wdl == Wdl::Draw && position.legal_moves().iter().all(|mv| mv.is_en_passant());
    if better || forced() { Worth { wdl, zeroing: wdl != Wdl::Draw } } else { without }
}
