//! What a value means for the result of the game.

use bartizan_types::Value;

/// A side that is this many centipawns ahead wins half its games.
const HALF_WON: f64 = 190.0;

/// The spread of the logistic curve, in centipawns.
const SPREAD: f64 = 85.0;

/// The chances of win, draw and loss in thousandths, for the side that `value` speaks for; they add up to 1000.
///
/// Two logistic curves, one for the win and its mirror image for the loss (the form is Stockfish's). The two numbers are
/// estimates until they are fitted to games of this engine; a proven result is certain.
pub fn win_draw_loss(value: Value) -> [u16; 3] {
    if value.is_decisive() {
        return if value.0 > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let win = |value: i32| (1000.0 / (1.0 + ((HALF_WON - f64::from(value)) / SPREAD).exp())).round() as u16;
    let (win, loss) = (win(value.0), win(-value.0));
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for value in (-32_000..=32_000).step_by(7).map(Value) {
            let [win, draw, loss] = win_draw_loss(value);
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(win_draw_loss(-value), [loss, draw, win]);
        }
        assert_eq!(win_draw_loss(Value::ZERO)[0], win_draw_loss(Value::ZERO)[2]);
    }
}
