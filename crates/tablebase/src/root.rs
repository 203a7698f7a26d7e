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
#[non_exhaustive]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The result for the side that moves, if the halfmove clock were zero before the move.
    pub wdl: Wdl,
    /// The number of plies to the next capture or pawn move, this move included; `None` without DTZ tables.
    pub dtz: Option<Dtz>,
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

    fn root_move(&self, position: &Position, mv: Move, wins: WinRanking) -> Probe<RootMove> {
        let after = position.play_unchecked(mv);
        let mates = after.is_checkmate();
        let dtz =
            if is_zeroing(position, mv) { (-self.wdl(&after)?).before_zeroing() } else { self.dtz_of_quiet(&after)? };
        let rank = if mates { MOST } else { rank(dtz, position.halfmove_clock(), wins) };
        Ok(RootMove { mv, wdl: dtz.wdl(), dtz: Some(dtz), rank })
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
        Ok(RootMove { mv, wdl, dtz: None, rank })
    }
}

/// The highest rank.
const MOST: i32 = 1_000;

/// The rank of a move with the given distance under the given halfmove clock.
fn rank(dtz: Dtz, clock: u16, wins: WinRanking) -> i32 {
    let plies = i32::try_from(dtz.plies()).unwrap_or(i32::MAX / 4);
    let clock = i32::from(clock);
    // The more plies exceed the limit, the closer the move is to a draw.
    let by_rule = (RootMove::CERTAIN_WIN - 1 - plies - clock).max(1);
    match dtz.0.signum() {
        0 => 0,
        1 => {
            // The tables may round by one ply, except where the clock is at zero.
            let certain = plies + clock <= 99 || clock == 0 && plies <= 100;
            if !certain {
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
        let by_distance = |dtz| super::rank(Dtz(dtz), 0, WinRanking::ByDistance);
        assert!(by_distance(3) > by_distance(5) && by_distance(100) > RootMove::CERTAIN_WIN);
    }
}
