//! The win-draw-loss model: probabilities of the results, and normalised scores for users.
//!
//! The unit of internal centipawns follows from the fitted weights and has no meaning outside the engine. Scores for
//! users are therefore normalised, as in Stockfish since version 15.1: with 100 normalised centipawns, the side that is
//! ahead wins half of the games, given the material on the board. The form of the model is also Stockfish's (Joost
//! VandeVondele and others, "WDL model", 2020 to 2024): a logistic curve for the win and its mirror image for the loss,
//!
//! ```text
//! win(v) = 1 / (1 + exp((a(m) - v) / b(m)))        loss(v) = win(-v)        draw = the rest
//! ```
//!
//! where `v` is the value in internal centipawns and `m` the [`MaterialCount`]. The advantage `a` that wins half the
//! games and the spread `b` of the curve are cubic polynomials in `m / 58`. `bartizan-tools wdl` fits their eight
//! coefficients to self-play games; `testdata/wdl/SOURCE.md` has the command and the settings.

mod fitted;
mod material;
mod source;

pub use material::MaterialCount;

use bartizan_types::Value;

/// The chances of win, draw and loss as functions of value and material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The advantage that wins half the games, in internal centipawns: coefficients of a polynomial in
    /// [`MaterialCount::relative`], constant first.
    pub half_won: [f64; 4],
    /// The spread of the logistic curve, in internal centipawns: coefficients of a polynomial in
    /// [`MaterialCount::relative`], constant first.
    pub spread: [f64; 4],
}

impl WdlModel {
    /// The model in use, fitted to self-play games of the engine.
    pub const FITTED: Self = fitted::FITTED;

    /// The advantage that wins half the games, in internal centipawns.
    pub fn half_won(&self, material: MaterialCount) -> f64 {
        polynomial(&self.half_won, material.relative())
    }

    /// The spread of the logistic curve, in internal centipawns.
    pub fn spread(&self, material: MaterialCount) -> f64 {
        polynomial(&self.spread, material.relative())
    }

    /// Whether both polynomials stay within 1 to 10,000 centipawns for all material.
    pub fn is_sound(&self) -> bool {
        let is_sound = |value: f64| (1.0..=10_000.0).contains(&value);
        MaterialCount::all().all(|material| is_sound(self.half_won(material)) && is_sound(self.spread(material)))
    }

    /// The chances of win, draw and loss for the side from whose point of view `value` is, in internal centipawns. They
    /// add up to 1.
    pub fn chances(&self, value: f64, material: MaterialCount) -> [f64; 3] {
        let (half_won, spread) = (self.half_won(material), self.spread(material));
        let win = |value: f64| 1.0 / (1.0 + ((half_won - value) / spread).exp());
        let (win, loss) = (win(value), win(-value));
        [win, 1.0 - win - loss, loss]
    }
}

/// Evaluates a polynomial given by its coefficients, constant first.
fn polynomial(coefficients: &[f64; 4], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The chances of win, draw and loss in thousandths, for the side from whose point of view `value` is.
///
/// They come from [`WdlModel::FITTED`] and add up to 1000. A proven win or loss has a chance of 1000.
///
/// ```
/// use bartizan_eval::{MaterialCount, win_draw_loss};
/// use bartizan_position::Position;
/// use bartizan_types::Value;
///
/// let material = MaterialCount::of(&Position::startpos());
/// let [win, draw, loss] = win_draw_loss(Value::ZERO, material);
/// assert!(win == loss && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(-Value::MATE, material), [0, 0, 1000]);
/// ```
pub fn win_draw_loss(value: Value, material: MaterialCount) -> [u16; 3] {
    if value.is_decisive() {
        return if value.0 > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let [win, _, loss] = WdlModel::FITTED.chances(f64::from(value.0), material);
    let thousandths = |chance: f64| (1000.0 * chance).round() as u16;
    let (win, loss) = (thousandths(win), thousandths(loss));
    [win, 1000 - win - loss, loss]
}

/// The normalised centipawns of a tablebase win at the root, as Stockfish shows it.
pub const TABLE_WIN_SHOWN: i32 = 20_000;

/// Converts a value to normalised centipawns: 100 is the advantage that wins half the games.
///
/// The conversion is monotonic for the same material and rounds to the nearest centipawn. Mates stay unchanged. A
/// tablebase win is worth [`TABLE_WIN_SHOWN`] minus its distance from the root in plies; no evaluation comes close.
///
/// ```
/// use bartizan_eval::{MaterialCount, shown, win_draw_loss};
/// use bartizan_types::{Ply, Value};
///
/// let material = MaterialCount::new(58);
/// let value = (0..).map(Value).find(|&value| shown(value, material) == 100).unwrap();
/// assert!(win_draw_loss(value, material)[0].abs_diff(500) <= 5);
/// assert_eq!(shown(-value, material), -100);
/// assert_eq!(shown(Value::MATE, material), Value::MATE.0);
/// assert_eq!(shown(Value::table_loss_in(Ply(3)), material), -19_997);
/// ```
pub fn shown(value: Value, material: MaterialCount) -> i32 {
    if let Some(plies) = value.plies_to_table() {
        return (TABLE_WIN_SHOWN - plies) * value.0.signum();
    }
    if value.is_mate() {
        return value.0;
    }
    let shown = (100.0 * f64::from(value.0) / WdlModel::FITTED.half_won(material)).round() as i32;
    let limit = TABLE_WIN_SHOWN - (Value::TABLE_WIN.0 - Value::EVAL_MAX.0);
    shown.clamp(-limit, limit)
}

/// Converts normalised centipawns to internal ones: the inverse of [`shown`] up to rounding, for evaluations.
pub fn internal(shown: i32, material: MaterialCount) -> i32 {
    (f64::from(shown) * WdlModel::FITTED.half_won(material) / 100.0).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for material in MaterialCount::all() {
            for value in (-32_000..=32_000).step_by(7).map(Value) {
                let [win, draw, loss] = win_draw_loss(value, material);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-value, material), [loss, draw, win]);
            }
            assert_eq!(win_draw_loss(Value::ZERO, material)[0], win_draw_loss(Value::ZERO, material)[2]);
        }
    }

    #[test]
    fn conversions_are_monotonic() {
        for material in MaterialCount::all() {
            let mut last = (i32::MIN, [0, 0, 1000]);
            for value in (-32_000..=32_000).map(Value) {
                let (shown, wdl) = (super::shown(value, material), win_draw_loss(value, material));
                assert!(shown >= last.0 && wdl[0] >= last.1[0] && wdl[2] <= last.1[2], "{value:?} {material:?}");
                assert_eq!(Value(shown).is_mate(), value.is_mate());
                assert_eq!(super::shown(-value, material), -shown);
                assert!(shown.signum() * value.0.signum() >= 0);
                last = (shown, wdl);
            }
        }
    }

    #[test]
    fn proven_results_are_unchanged() {
        for (value, expected) in [
            (Value::MATE, Value::MATE.0),
            (Value::MATE_BOUND, Value::MATE_BOUND.0),
            (Value::TABLE_WIN, 20_000),
            (Value::TABLE_BOUND, 19_744),
        ] {
            assert_eq!(shown(value, MaterialCount::new(30)), expected);
            assert_eq!(win_draw_loss(value, MaterialCount::new(30)), [1000, 0, 0]);
        }
        assert!(MaterialCount::all().all(|material| shown(Value::EVAL_MAX, material) < 19_744));
    }

    #[test]
    fn a_hundred_wins_half_the_games() {
        let model = WdlModel::FITTED;
        assert!(model.is_sound());
        for material in MaterialCount::all() {
            let value = model.half_won(material);
            assert!((model.chances(value, material)[0] - 0.5).abs() < 1e-12);
            let shown = shown(Value(value.round() as i32), material);
            assert!((shown - 100).abs() <= 1, "{shown} {material:?}");
        }
    }

    #[test]
    fn polynomials_have_their_constant_first() {
        assert_eq!(polynomial(&[1.0, 2.0, 3.0, 4.0], 10.0), 4_321.0);
        let unsound = WdlModel { half_won: [0.0, 0.0, 0.0, 300.0], spread: [80.0, -61.0, 0.0, 0.0] };
        assert!(!unsound.is_sound());
    }

    #[test]
    fn the_committed_source_is_up_to_date() {
        assert_eq!(WdlModel::FITTED.source(), include_str!("wdl/fitted.rs"));
    }

    #[test]
    fn internal_inverts_shown() {
        for material in MaterialCount::all() {
            for value in [-900, -35, 0, 1, 200, 951] {
                let back = internal(shown(Value(value), material), material);
                let error = WdlModel::FITTED.half_won(material) / 200.0 + 1.0;
                assert!(f64::from((back - value).abs()) <= error, "{value} {back}");
            }
        }
    }
}
