//! The tables' information about one position.

use crate::advice::{AdviceError, TheoreticalResult};
use crate::{Dtm, DtmTables};
use bartizan_position::Position;
use bartizan_tablebase::{Dtz, Tablebases};

/// The tables that advice uses. Both kinds together make it complete: distances to mate, and the 50-move rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdviceTables<'a> {
    /// Distances to mate, which ignore the 50-move rule.
    pub distances: Option<&'a DtmTables>,
    /// Syzygy tables: results with the 50-move rule, and distances to the next capture or pawn move.
    pub syzygy: Option<&'a Tablebases>,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PositionValue {
    /// The result without the 50-move rule.
    pub outcome: TheoreticalResult,
    /// The result with the 50-move rule and the position's clock: from a clock of 100 plies on, every position but a
    /// mate is a draw. `None` if the tables leave it open: without Syzygy tables for a mate that takes longer than the
    /// rule allows, and with them where their rounding by one ply decides.
    pub with_rule: Option<TheoreticalResult>,
    /// Distance to mate, if there are tables of it, or if the position is mate.
    pub mate: Option<Dtm>,
    /// Distance to the next capture, pawn move or mate, if there are Syzygy tables.
    pub zeroing: Option<Dtz>,
}

impl AdviceTables<'_> {
    /// The value of a position. `None` if no table covers it.
    ///
    /// # Errors
    /// [`AdviceError`] if a table cannot be read or is damaged.
    pub fn probe(&self, position: &Position) -> Result<Option<PositionValue>, AdviceError> {
        let mate = match self.distances {
            Some(tables) => tables.probe(position)?,
            None => None,
        };
        let (wdl, zeroing) = match self.syzygy {
            Some(tables) => (tables.probe_wdl(position)?, tables.probe_dtz(position)?),
            None => (None, None),
        };
        let outcome = match (mate, wdl) {
            (Some(mate), _) => of_sign(mate.sign()),
            (None, Some(wdl)) => of_sign(i32::from(wdl.to_int())),
            (None, None) => return Ok(None),
        };
        let is_checkmate = position.is_checkmate();
        let mate = mate.or(is_checkmate.then_some(Dtm::Loss(0)));
        let clock = position.halfmove_clock();
        let by_mate = mate.and_then(|mate| within_rule_by_mate(mate, clock));
        // A mate ends the game before the rule applies.
        let with_rule = if is_checkmate {
            Some(outcome)
        } else if clock >= 100 || outcome == TheoreticalResult::Draw {
            Some(TheoreticalResult::Draw)
        } else {
            by_mate.or_else(|| match (zeroing, wdl) {
                (Some(zeroing), _) => within_rule(zeroing, clock),
                (None, Some(wdl)) if clock == 0 => Some(of_sign(i32::from(wdl.with_50_moves().to_int()))),
                _ => None,
            })
        };
        Ok(Some(PositionValue { outcome, with_rule, mate, zeroing }))
    }
}

impl PositionValue {
    /// The value before a move that leads here, for the side that makes it. A capture, a pawn move and a mate end a
    /// phase, whose length is the distance to zeroing.
    pub(crate) fn before_move(self, ends_phase: bool) -> Self {
        let zeroing = self.zeroing.map(|Dtz(after)| match (ends_phase, after) {
            (_, 0) => Dtz(0),
            (true, ..-100) => Dtz(101),
            (true, ..0) => Dtz(1),
            (true, 1..=100) => Dtz(-1),
            (true, _) => Dtz(-101),
            (false, _) => Dtz(-after - after.signum()),
        });
        Self {
            outcome: self.outcome.flip(),
            with_rule: self.with_rule.map(TheoreticalResult::flip),
            mate: self.mate.map(Dtm::before_move),
            zeroing,
        }
    }

    /// The preference of the side to move, greater is better: the result with the rule, then the result without it,
    /// then early wins and late losses. A win that the rule may turn into a draw ranks between a certain win and a
    /// draw, and a loss likewise.
    pub(crate) fn preference(self) -> impl Ord {
        let by_mate = self.mate.map(Dtm::preference);
        let by_zeroing = self.zeroing.map(|Dtz(plies)| if plies == 0 { 0 } else { plies.signum() * 1_000 - plies });
        let by_rule = self.with_rule.map_or(self.outcome.sign(), |with_rule| 2 * with_rule.sign());
        (by_rule, self.outcome, by_mate, by_zeroing)
    }
}

fn of_sign(sign: i32) -> TheoreticalResult {
    match sign.signum() {
        1 => TheoreticalResult::Win,
        0 => TheoreticalResult::Draw,
        _ => TheoreticalResult::Loss,
    }
}

/// The result with the rule, if the distance to mate decides it.
fn within_rule_by_mate(mate: Dtm, clock: u16) -> Option<TheoreticalResult> {
    match mate.plies() {
        None => Some(TheoreticalResult::Draw),
        Some(plies) => (plies.saturating_add(clock) <= 100).then(|| of_sign(mate.sign())),
    }
}

/// The result with the rule. The tables may round the plies down by one, unless the clock is at zero.
fn within_rule(zeroing: Dtz, clock: u16) -> Option<TheoreticalResult> {
    let plies = zeroing.plies() + u32::from(clock);
    match plies {
        _ if zeroing == Dtz::DRAW => Some(TheoreticalResult::Draw),
        101.. => Some(TheoreticalResult::Draw),
        100 if clock > 0 => None,
        _ => Some(of_sign(zeroing.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_rule_leaves_open_is_between_a_draw_and_the_result() {
        let value = |outcome, with_rule| PositionValue { outcome, with_rule, mate: None, zeroing: None };
        let (win, draw, loss) = (TheoreticalResult::Win, TheoreticalResult::Draw, TheoreticalResult::Loss);
        let ascending = [
            value(loss, Some(loss)),
            value(loss, None),
            value(loss, Some(draw)),
            value(draw, Some(draw)),
            value(win, Some(draw)),
            value(win, None),
            value(win, Some(win)),
        ];
        assert!(ascending.windows(2).all(|pair| pair[0].preference() < pair[1].preference()));
    }

    #[test]
    fn the_rule_is_counted_from_the_clock() {
        assert_eq!(within_rule(Dtz(10), 89), Some(TheoreticalResult::Win));
        assert_eq!(within_rule(Dtz(10), 90), None);
        assert_eq!(within_rule(Dtz(10), 91), Some(TheoreticalResult::Draw));
        assert_eq!(within_rule(Dtz(-100), 0), Some(TheoreticalResult::Loss));
        assert_eq!(within_rule(Dtz(-101), 0), Some(TheoreticalResult::Draw));
        assert_eq!(within_rule(Dtz(0), 100), Some(TheoreticalResult::Draw));
        assert_eq!(within_rule_by_mate(Dtm::Win(11), 89), Some(TheoreticalResult::Win));
        assert_eq!(within_rule_by_mate(Dtm::Win(11), 90), None);
        assert_eq!(within_rule_by_mate(Dtm::Draw, 90), Some(TheoreticalResult::Draw));
    }
}
