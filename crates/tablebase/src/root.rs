//! Ranking of the moves at the root, under the 50-move rule.

use crate::error::TablebaseError;
use crate::probe::{Probe, answer, is_zeroing};
use crate::{Dtz, Tablebases, Wdl};
use bartizan_position::Position;
use bartizan_types::Move;

/// How [`Tablebases::probe_root`] ranks certain wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WinRanking {
    /// All certain wins have the same rank, so that a search may choose among them.
    #[default]
    Equal,
    /// Shorter wins rank higher. Use this if a position has been repeated since the last capture or pawn move: it
    /// ensures progress.
    ByDistance,
}

/// A legal move with its tablebase results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The result for the side that moves, if the halfmove clock were zero before the move.
    pub wdl: Wdl,
    /// The number of plies to the next capture or pawn move, this move included; `None` without DTZ tables.
    pub dtz: Option<Dtz>,
    /// The result for the side that moves under the current halfmove clock: a cursed win is also a win that the clock
    /// turns, or may turn, into a draw. Without DTZ tables it equals [`RootMove::wdl`].
    pub outcome: Wdl,
    /// The quality of the move under the current halfmove clock. Above [`RootMove::CERTAIN_WIN`] it wins within the
    /// 50-move rule, below [`RootMove::CERTAIN_LOSS`] it loses, and 0 is a draw. Ranks between are wins and losses that
    /// the rule turns, or may turn, into draws.
    pub rank: i32,
}

impl RootMove {
    /// Moves of higher rank win despite the 50-move rule.
    pub const CERTAIN_WIN: i32 = 900;
    /// Moves of lower rank lose despite the 50-move rule.
    pub const CERTAIN_LOSS: i32 = -900;
}

impl Tablebases {
    /// Ranks all legal moves, best first. Among equals, shorter wins and longer losses come first.
    ///
    /// The ranks take the position's halfmove clock into account.
    ///
    /// Without DTZ tables, the ranks follow the result only. They then ignore the halfmove clock and do not ensure
    /// progress.
    ///
    /// Returns `None` if the tables do not cover all moves. The ranks are modelled on Stockfish's.
    ///
    /// ```
    /// use bartizan_position::Position;
    /// use bartizan_tablebase::{RootMove, Tablebases, WinRanking};
    ///
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/syzygy");
    /// let tables = Tablebases::open(folder)?;
    /// let position = Position::from_fen("4k3/8/3K4/8/4P3/8/8/8 w - - 0 1")?;
    /// let moves = tables.probe_root(&position, WinRanking::ByDistance)?.unwrap_or_default();
    /// let winning: Vec<String> =
    ///     moves.iter().filter(|mv| mv.rank > RootMove::CERTAIN_WIN).map(|mv| mv.mv.to_string()).collect();
    /// assert_eq!(winning, ["e4e5", "d6e6"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Tablebases::probe_wdl`].
    pub fn probe_root(&self, position: &Position, wins: WinRanking) -> Result<Option<Vec<RootMove>>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        let rank_by = |rank: &dyn Fn(Move) -> Probe<RootMove>| {
            let moves = position.legal_moves().into_iter().map(rank).collect::<Probe<Vec<RootMove>>>();
            answer(moves)
        };
        let by_dtz = rank_by(&|mv| self.root_move(position, mv, wins))?;
        let ranked = match by_dtz {
            Some(moves) => Some(moves),
            None => rank_by(&|mv| self.root_move_by_wdl(position, mv))?,
        };
        Ok(ranked.map(|mut moves| {
            moves.sort_by_key(|mv| (-mv.rank, mv.dtz));
            moves
        }))
    }

    /// Like [`Tablebases::probe_root`], for a search, which continues without a table that fails: see
    /// [`Tablebases::search_wdl`].
    pub fn search_root(&self, position: &Position, wins: WinRanking) -> Option<Vec<RootMove>> {
        loop {
            match self.probe_root(position, wins) {
                Ok(moves) => return moves,
                Err(error) => {
                    if !self.retire(error) {
                        return None;
                    }
                    // Try again, with one table fewer.
                }
            }
        }
    }

    fn root_move(&self, position: &Position, mv: Move, wins: WinRanking) -> Probe<RootMove> {
        let after = position.play_unchecked(mv);
        let clock = position.halfmove_clock();
        let zeroing = is_zeroing(position, mv);
        let dtz = if zeroing { (-self.wdl(&after)?).before_zeroing() } else { self.dtz_of_quiet(&after)? };
        let (outcome, rank) = if after.is_checkmate() {
            (Wdl::Win, MOST)
        } else if after.halfmove_clock() >= FIFTY_MOVES {
            (Wdl::Draw, 0)
        } else if zeroing && matches!(dtz.wdl(), Wdl::Win | Wdl::Loss) {
            // The clock is reset.
            (dtz.wdl(), MOST * dtz.0.signum())
        } else {
            (outcome(dtz, clock), rank(dtz, clock, wins))
        };
        Ok(RootMove { mv, wdl: dtz.wdl(), dtz: Some(dtz), outcome, rank })
    }

    fn root_move_by_wdl(&self, position: &Position, mv: Move) -> Probe<RootMove> {
        let wdl = -self.wdl(&position.play_unchecked(mv))?;
        let rank = match wdl {
            Wdl::Win => MOST,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -MOST,
        };
        Ok(RootMove { mv, wdl, dtz: None, outcome: wdl, rank })
    }
}

/// The highest rank.
const MOST: i32 = 1_000;

/// The halfmove clock, in plies, at which the game is a draw.
const FIFTY_MOVES: u16 = 100;

/// Whether the next capture or pawn move comes before the 50-move rule. The tables may round by one ply, except where
/// the clock is at zero.
fn is_in_time(dtz: Dtz, clock: u16) -> bool {
    let (plies, clock) = (dtz.plies(), u32::from(clock));
    plies.saturating_add(clock) <= 99 || clock == 0 && plies <= 100
}

/// The result of a move with the given distance under the given halfmove clock.
fn outcome(dtz: Dtz, clock: u16) -> Wdl {
    match (dtz.0.signum(), is_in_time(dtz, clock)) {
        (0, _) => Wdl::Draw,
        (1, true) => Wdl::Win,
        (1, false) => Wdl::CursedWin,
        (_, true) => Wdl::Loss,
        (_, false) => Wdl::BlessedLoss,
    }
}

/// The rank of a move with the given distance under the given halfmove clock.
fn rank(dtz: Dtz, clock: u16, wins: WinRanking) -> i32 {
    let plies = i32::try_from(dtz.plies()).unwrap_or(i32::MAX / 4);
    let in_time = is_in_time(dtz, clock);
    let clock = i32::from(clock);
    // The more plies exceed the limit, the closer the move is to a draw.
    let by_rule = (RootMove::CERTAIN_WIN - 1 - plies - clock).max(1);
    match dtz.0.signum() {
        0 => 0,
        1 => {
            if !in_time {
                by_rule
            } else if wins == WinRanking::ByDistance {
                // At most 100 plies, hence a rank of at least 901.
                MOST + 1 - plies
            } else {
                MOST
            }
        }
        _ => {
            // Twice the plies: the winner may err, so longer losses may be saved.
            if 2 * plies + clock < 100 { -MOST } else { -by_rule }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_ordered() {
        let rank = |dtz, clock| rank(Dtz(dtz), clock, WinRanking::Equal);
        assert_eq!((rank(1, 0), rank(99, 0), rank(100, 0), rank(98, 1)), (MOST, MOST, MOST, MOST));
        for uncertain in [rank(99, 1), rank(1, 99), rank(101, 0), rank(5_000, 0)] {
            assert!((1..RootMove::CERTAIN_WIN).contains(&uncertain), "{uncertain}");
        }
        assert!(rank(50, 60) > rank(60, 60));
        assert_eq!((rank(0, 0), rank(-20, 0)), (0, -MOST));
        assert!(rank(-60, 50) < rank(-70, 50) && rank(-70, 50) < 0 && rank(-60, 50) > RootMove::CERTAIN_LOSS);
        assert_eq!(
            [(100, 0), (99, 1), (98, 1), (-99, 0), (-99, 1), (0, 50)].map(|(dtz, clock)| outcome(Dtz(dtz), clock)),
            [Wdl::Win, Wdl::CursedWin, Wdl::Win, Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw]
        );
        let by_distance = |dtz| super::rank(Dtz(dtz), 0, WinRanking::ByDistance);
        assert!(by_distance(3) > by_distance(5) && by_distance(100) > RootMove::CERTAIN_WIN);
    }
}
