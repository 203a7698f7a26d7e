//! The 50-move rule: the effect of the halfmove clock on values.

use bartizan_position::Position;
use bartizan_types::{Ply, Value};

/// The halfmove clock, in plies, at which the 50-move rule makes a draw.
pub(crate) const FIFTY_MOVES: u16 = 100;

/// Halfmove clock, in plies, from which table values are not trusted: the table does not know how close the 50-move
/// rule is. An untuned starting value.
const NEAR_FIFTY_MOVES: u16 = 90;

/// Halfmove clock, in plies, from which the static evaluation shrinks linearly, to zero at the 50-move rule: what has
/// not been won so far may never be. So the search prefers a plan that resets the clock to further manoeuvres while
/// most of the advantage is left.
///
/// Self-play confirms the size: of the lead over 50 % that the evaluation predicts, the games keep 97 % at a clock of
/// 10 to 19 plies, 64 % at 30 to 39, 37 % at 50 to 59 and 11 % at 80 to 89 (`testdata/endings/SOURCE.md`).
/// Matches also tried 0 and 20 (`docs/lab/evaluation.md`, "2026-11-22 Fading towards the 50-move rule").
const FADE_FROM: i32 = 10;

/// The static evaluation scaled down by the halfmove clock.
#[inline]
pub(crate) fn fade(eval: i32, clock: i32) -> i32 {
    let all = i32::from(FIFTY_MOVES) - FADE_FROM;
    eval * (all - (clock - FADE_FROM).clamp(0, all)) / all
}

/// Whether the 50-move rule is so close that table values are not trusted.
#[inline]
pub(crate) fn is_near_fifty_moves(position: &Position) -> bool {
    position.halfmove_clock() >= NEAR_FIFTY_MOVES
}

/// Whether the 50-move rule may come between a node and the mate, or the table win or loss, that its entry promises.
/// The entry may be from another path to the position, with a lower clock.
pub(crate) fn is_outrun(value: Value, ply: Ply, clock: u16) -> bool {
    let plies = value.plies_to_mate().or_else(|| value.plies_to_table());
    plies.is_some_and(|plies| plies - ply.0 + i32::from(clock) > i32::from(FIFTY_MOVES))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A win 20 plies from a node is in time up to a clock of 80, however far from the root the node is.
    #[test]
    fn a_win_beyond_the_fifty_moves_is_outrun() {
        for ply in [Ply(0), Ply(7)] {
            let then = Ply(ply.0 + 20);
            for win in [Value::mate_in(then), Value::table_win_in(then)] {
                for value in [win, -win] {
                    assert!(!is_outrun(value, ply, 80) && is_outrun(value, ply, 81), "{value:?} {ply:?}");
                }
            }
            assert!(!is_outrun(Value::EVAL_MAX, ply, 100) && !is_outrun(Value::ZERO, ply, 100));
        }
    }
}
