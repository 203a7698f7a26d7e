//! What a value means for the result of the game, and how it is shown to users.
//!
//! Internal centipawns are what the weights came out as: their unit has no meaning outside. So the scores that users see are
//! normalised, as Stockfish has done since version 15.1: 100 shown centipawns are the advantage with which the side that is
//! ahead wins half of the games, with the material that is on the board. The form of the model is Stockfish's as well (Joost
//! VandeVondele and others, "WDL model", 2020 to 2024): two logistic curves, one for the win and its mirror image for the loss,
//!
//! ```text
//! win(v) = 1 / (1 + exp((a(m) - v) / b(m)))        loss(v) = win(-v)        draw = the rest
//! ```
//!
//! where `v` is the value in internal centipawns and `m` the [`Material`]; `a`, the advantage that wins half the games, and
//! `b`, the spread of the curve, are cubic polynomials in `m / 58`. Their eight numbers are fitted to games of this engine
//! with itself by `bartizan-tools wdl`; `testdata/wdl/SOURCE.md` has the command and the settings.

mod fitted;
mod material;
mod source;

pub use material::Material;

use bartizan_types::Value;

/// The chances of the three results as functions of value and material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The advantage that wins half the games, in internal centipawns: the coefficients of a polynomial in
    /// [`Material::relative`], the constant first.
    pub half_won: [f64; 4],
    /// The spread of the logistic curve, likewise.
    pub spread: [f64; 4],
}

impl WdlModel {
    /// The model in use, fitted to games of the engine with itself.
    pub const FITTED: Self = fitted::FITTED;

    /// The advantage that wins half the games, in internal centipawns.
    pub fn half_won(&self, material: Material) -> f64 {
        polynomial(&self.half_won, material.relative())
    }

    /// The spread of the logistic curve, in internal centipawns.
    pub fn spread(&self, material: Material) -> f64 {
        polynomial(&self.spread, material.relative())
    }

    /// Whether both functions stay in a sensible range for all material: from 1 to 10,000 centipawns.
    pub fn is_sound(&self) -> bool {
        let is_sound = |value: f64| (1.0..=10_000.0).contains(&value);
        Material::all().all(|material| is_sound(self.half_won(material)) && is_sound(self.spread(material)))
    }

    /// The chances of win, draw and loss for the side that the value (in internal centipawns) speaks for; they add up to 1.
    pub fn chances(&self, value: f64, material: Material) -> [f64; 3] {
        let (half_won, spread) = (self.half_won(material), self.spread(material));
        let win = |value: f64| 1.0 / (1.0 + ((half_won - value) / spread).exp());
        let (win, loss) = (win(value), win(-value));
        [win, 1.0 - win - loss, loss]
    }
}

fn polynomial(coefficients: &[f64; 4], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The chances of win, draw and loss in thousandths, for the side that `value` speaks for; they add up to 1000.
///
/// They come from [`WdlModel::FITTED`]; a proven result is certain.
///
/// ```
/// use bartizan_eval::{Material, win_draw_loss};
/// use bartizan_position::Position;
/// use bartizan_types::Value;
///
/// let material = Material::of(&Position::startpos());
/// let [win, draw, loss] = win_draw_loss(Value::ZERO, material);
/// assert!(win == loss && win + draw + loss == 1000);
/// assert_eq!(win_draw_loss(-Value::MATE, material), [0, 0, 1000]);
/// ```
pub fn win_draw_loss(value: Value, material: Material) -> [u16; 3] {
    if value.is_decisive() {
        return if value.0 > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let [win, _, loss] = WdlModel::FITTED.chances(f64::from(value.0), material);
    let thousandths = |chance: f64| (1000.0 * chance).round() as u16;
    let (win, loss) = (thousandths(win), thousandths(loss));
    [win, 1000 - win - loss, loss]
}

/// A value in shown centipawns: 100 is the advantage that wins half the games.
///
/// Of two values with the same material the larger is never shown as the smaller one; less than half a shown centipawn is
/// shown as 0. A proven result, mate or tablebase win, stays as it is, and what is none is never shown as one.
///
/// ```
/// use bartizan_eval::{Material, shown, win_draw_loss};
/// use bartizan_types::Value;
///
/// let material = Material::new(58);
/// let value = (0..).map(Value).find(|&value| shown(value, material) == 100).unwrap();
/// assert!(win_draw_loss(value, material)[0].abs_diff(500) <= 5);
/// assert_eq!(shown(-value, material), -100);
/// assert_eq!(shown(Value::MATE, material), Value::MATE.0);
/// ```
pub fn shown(value: Value, material: Material) -> i32 {
    if value.is_decisive() {
        return value.0;
    }
    let shown = (100.0 * f64::from(value.0) / WdlModel::FITTED.half_won(material)).round() as i32;
    shown.clamp(-Value::EVAL_MAX.0, Value::EVAL_MAX.0)
}

/// The inverse of [`shown`], but for rounding: normalised centipawns as internal ones. Mates, which are far beyond any
/// evaluation, stay so.
pub fn internal(shown: i32, material: Material) -> i32 {
    (f64::from(shown) * WdlModel::FITTED.half_won(material) / 100.0).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for material in Material::all() {
            for value in (-32_000..=32_000).step_by(7).map(Value) {
                let [win, draw, loss] = win_draw_loss(value, material);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-value, material), [loss, draw, win]);
            }
            assert_eq!(win_draw_loss(Value::ZERO, material)[0], win_draw_loss(Value::ZERO, material)[2]);
        }
    }

    #[test]
    fn more_is_never_less() {
        for material in Material::all() {
            let mut last = (i32::MIN, [0, 0, 1000]);
            for value in (-32_000..=32_000).map(Value) {
                let (shown, wdl) = (super::shown(value, material), win_draw_loss(value, material));
                assert!(shown >= last.0 && wdl[0] >= last.1[0] && wdl[2] <= last.1[2], "{value:?} {material:?}");
                assert_eq!(Value(shown).is_decisive(), value.is_decisive());
                assert_eq!(super::shown(-value, material), -shown);
                assert!(shown.signum() * value.0.signum() >= 0);
                last = (shown, wdl);
            }
        }
    }

    #[test]
    fn proven_results_stay() {
        for value in [Value::MATE, Value::MATE_BOUND, Value::TABLE_WIN, Value::TABLE_BOUND] {
            assert_eq!(shown(value, Material::new(30)), value.0);
            assert_eq!(win_draw_loss(value, Material::new(30)), [1000, 0, 0]);
        }
        assert!(shown(Value::EVAL_MAX, Material::new(17)) < Value::TABLE_BOUND.0);
    }

    #[test]
    fn a_hundred_wins_half_the_games() {
        let model = WdlModel::FITTED;
        assert!(model.is_sound());
        for material in Material::all() {
            let value = model.half_won(material);
            assert!((model.chances(value, material)[0] - 0.5).abs() < 1e-12);
            let shown = shown(Value(value.round() as i32), material);
            assert!((shown - 100).abs() <= 1, "{shown} {material:?}");
        }
    }

    #[test]
    fn a_polynomial_begins_with_its_constant() {
        assert_eq!(polynomial(&[1.0, 2.0, 3.0, 4.0], 10.0), 4_321.0);
        let unsound = WdlModel { half_won: [0.0, 0.0, 0.0, 300.0], spread: [80.0, -61.0, 0.0, 0.0] };
        assert!(!unsound.is_sound());
    }

    #[test]
    fn the_committed_numbers_are_what_would_be_written() {
        assert_eq!(WdlModel::FITTED.source(), include_str!("wdl/fitted.rs"));
    }

    #[test]
    fn shown_scores_are_turned_back() {
        for material in Material::all() {
            for value in [-900, -35, 0, 1, 200, 951] {
                let back = internal(shown(Value(value), material), material);
                let error = WdlModel::FITTED.half_won(material) / 200.0 + 1.0;
                assert!(f64::from((back - value).abs()) <= error, "{value} {back}");
            }
        }
    }
}
