//! Which moves of a position keep what the tables promise, with the count of the 50-move rule as it is.

use crate::error::TablebaseError;
use crate::probe::{Probe, answer, is_zeroing};
use crate::{Dtz, Tablebases, Wdl};
use bartizan_position::Position;
use bartizan_types::Move;

/// A legal move and what the tables know about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// What it is worth for whoever makes it, if the count of the 50-move rule were zero before it.
    pub wdl: Wdl,
    /// The plies to the next capture or pawn move, this one counted; `None` where only the tables of who wins are
    /// there.
    pub dtz: Option<Dtz>,
    /// How good it is with the count as it is: above [`RootMove::CERTAIN_WIN`] it wins within the 50-move rule, below
    /// [`RootMove::CERTAIN_LOSS`] it loses; 0 is a draw; between are wins and losses that the rule turns, or may turn,
    /// into draws, those first that come closest.
    pub rank: i32,
}

impl RootMove {
    /// Moves with a higher rank win, whatever the 50-move rule says.
    pub const CERTAIN_WIN: i32 = 900;
    /// Moves with a lower rank lose, whatever the 50-move rule says.
    pub const CERTAIN_LOSS: i32 = -900;
}

impl Tablebases {
    /// All legal moves, the best rank first, and among equals the shorter win and the longer loss first.
    ///
    /// The position's halfmove clock counts. `repeated` says whether a position has occurred again since the last
    /// capture or pawn move. If not, all moves that certainly win have the same rank, and a search may choose among
    /// them what it finds natural. If so, the winner goes in circles: the rank follows the distance, and whoever plays
    /// by it makes progress.
    ///
    /// Without the tables of distances the ranks follow who wins; then a won position may be kept for ever without
    /// progress, and the clock is not looked at.
    ///
    /// `None` where the tables do not know every move. (The ranks follow those of Stockfish in their idea.)
    ///
    /// # Errors
    /// As [`Tablebases::probe_wdl`].
    pub fn probe_root(&self, position: &Position, repeated: bool) -> Result<Option<Vec<RootMove>>, TablebaseError> {
        if !self.may_have(position) {
            return Ok(None);
        }
        let rank_by = |rank: &dyn Fn(Move) -> Probe<RootMove>| {
            let moves = position.legal_moves().into_iter().map(rank).collect::<Probe<Vec<RootMove>>>();
            answer(moves)
        };
        let by_dtz = rank_by(&|mv| self.root_move(position, mv, repeated))?;
        let ranked = match by_dtz {
            Some(moves) => Some(moves),
            None => rank_by(&|mv| self.root_move_by_wdl(position, mv))?,
        };
        Ok(ranked.map(|mut moves| {
            moves.sort_by_key(|mv| (-mv.rank, mv.dtz));
            moves
        }))
    }

    fn root_move(&self, position: &Position, mv: Move, repeated: bool) -> Probe<RootMove> {
        let after = position.play_unchecked(mv);
        let mates = after.is_checkmate();
        let dtz =
            if is_zeroing(position, mv) { (-self.wdl(&after)?).before_zeroing() } else { self.dtz_of_quiet(&after)? };
        let rank = if mates { MOST } else { rank(dtz, position.halfmove_clock(), repeated) };
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

/// The best rank.
const MOST: i32 = 1_000;

/// The rank of a move with this distance, made with this halfmove clock.
fn rank(dtz: Dtz, clock: u16, repeated: bool) -> i32 {
    let plies = i32::try_from(dtz.plies()).unwrap_or(i32::MAX / 4);
    let clock = i32::from(clock);
    // A draw by the rule is the closer the more plies are over.
    let by_rule = (RootMove::CERTAIN_WIN - 1 - plies - clock).max(1);
    match dtz.0.signum() {
        0 => 0,
        1 => {
            // The tables round by a ply, but not where the count begins at zero.
            let certain = plies + clock <= 99 || clock == 0 && plies <= 100;
            if !certain {
                by_rule
            } else if repeated {
                // 100 plies at most are 901 at least.
                MOST + 1 - plies
            } else {
                MOST
            }
        }
        _ => {
            // Twice the plies: a loser may well find moves that take longer, where the winner errs.
            if 2 * plies + clock < 100 { -MOST } else { -by_rule }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order() {
        let rank = |dtz, clock| rank(Dtz(dtz), clock, false);
        assert_eq!((rank(1, 0), rank(99, 0), rank(100, 0), rank(98, 1)), (MOST, MOST, MOST, MOST));
        for uncertain in [rank(99, 1), rank(1, 99), rank(101, 0), rank(5_000, 0)] {
            assert!((1..RootMove::CERTAIN_WIN).contains(&uncertain), "{uncertain}");
        }
        assert!(rank(50, 60) > rank(60, 60));
        assert_eq!((rank(0, 0), rank(-20, 0)), (0, -MOST));
        assert!(rank(-60, 50) < rank(-70, 50) && rank(-70, 50) < 0 && rank(-60, 50) > RootMove::CERTAIN_LOSS);
        // In circles, the shorter the better, and still certain.
        let repeated = |dtz| super::rank(Dtz(dtz), 0, true);
        assert!(repeated(3) > repeated(5) && repeated(100) > RootMove::CERTAIN_WIN);
    }
}
