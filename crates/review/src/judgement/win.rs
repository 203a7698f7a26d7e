//! Evaluations as chances to win, in per cent.
//!
//! Source: <https://lichess.org/page/accuracy>, whose curve was fitted to games of rated players. An evaluation of 100
//! centipawns must mean that half of the games are won, as it does for this engine and for Stockfish since version
//! 15.1.

use crate::WhiteEval;
use bartizan_types::Color;

/// Centipawns beyond which the chances do not grow. A mate counts as much.
pub const DECIDED: i32 = 1_000;

/// The slope of the curve, for each centipawn.
const SLOPE: f64 = 0.003_682_08;

/// The chance of White to win, from 0 to 100 %, with a draw as half a win.
///
/// ```
/// use bartizan_review::{WhiteEval, judgement::win_percent};
///
/// assert_eq!(win_percent(WhiteEval::Cp(0)), 50.0);
/// assert!((win_percent(WhiteEval::Cp(100)) - 59.1).abs() < 0.01);
/// assert_eq!(win_percent(WhiteEval::Mate(-3)), win_percent(WhiteEval::Cp(-2_000)));
/// ```
pub fn win_percent(eval: WhiteEval) -> f64 {
    let centipawns = f64::from(centipawns(eval));
    50.0 + 50.0 * (2.0 / (1.0 + (-SLOPE * centipawns).exp()) - 1.0)
}

/// The evaluation in centipawns for White, within ±[`DECIDED`]. A mate is the limit.
pub fn centipawns(eval: WhiteEval) -> i32 {
    match eval {
        WhiteEval::Cp(centipawns) => centipawns.clamp(-DECIDED, DECIDED),
        WhiteEval::Mate(moves) => DECIDED * moves.signum(),
    }
}

/// The chance of a side in per cent, from that of White.
pub fn of_side(win: f64, side: Color) -> f64 {
    if side.is_white() { win } else { 100.0 - win }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_symmetrical_and_cut() {
        for centipawns in [0, 15, 100, 437, 1_000, 5_000] {
            let sum = win_percent(WhiteEval::Cp(centipawns)) + win_percent(WhiteEval::Cp(-centipawns));
            assert!((sum - 100.0).abs() < 1e-9);
        }
        assert_eq!(win_percent(WhiteEval::Cp(1_000)), win_percent(WhiteEval::Mate(1)));
        assert!((win_percent(WhiteEval::Mate(40)) - 97.54).abs() < 0.01);
        assert_eq!(of_side(30.0, Color::Black), 70.0);
    }
}
