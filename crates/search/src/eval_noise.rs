//! Evaluation noise, for playing below full strength.

use bartizan_eval::ORDINARY_MAX;
use bartizan_position::Position;
use bartizan_types::{Key, SplitMix64, Value};

/// Errors of an evaluation: normally distributed, and the same each time that a position is seen, as those of a player
/// who misjudges it. The idea is Pawel Koziol's, in Rodent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalNoise {
    /// The standard deviation of the errors, in internal centipawns.
    pub std_dev: u32,
    /// Chooses the errors: another number misjudges other positions.
    pub seed: u64,
}

impl EvalNoise {
    /// The error for the side to move.
    fn error(self, position: &Position) -> i32 {
        /// The standard deviation of the sum of four numbers below 65,536, each equally likely.
        const DEVIATION: i64 = 37_837;
        let bits = SplitMix64::new(position.key().0 ^ self.seed).next_u64();
        let sum: i64 = (0..64).step_by(16).map(|shift| (bits >> shift & 0xffff) as i64).sum();
        ((sum - 2 * 0xffff) * i64::from(self.std_dev) / DEVIATION) as i32
    }

    /// Separates the table entries of searches with different errors, and of those without errors.
    pub(crate) fn salt(self) -> Key {
        Key(SplitMix64::new(self.seed ^ u64::from(self.std_dev) << 32).next_u64())
    }

    /// The value with its error. Values known exactly, such as that of a won ending without pawns, are unchanged.
    pub(crate) fn apply(self, position: &Position, value: Value) -> Value {
        if value.0.abs() > ORDINARY_MAX.0 {
            return value;
        }
        Value(value.0 + self.error(position)).clamp(-ORDINARY_MAX, ORDINARY_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_eval::evaluate;
    use bartizan_testkit::random_positions;

    /// The errors of a seed, of some thousand positions.
    fn errors(seed: u64) -> Vec<i32> {
        let noise = EvalNoise { std_dev: 80, seed };
        let positions = random_positions(17).take(4_000).filter(|position| !position.in_check());
        positions.map(|position| (noise.apply(&position, Value::ZERO)).0).collect()
    }

    #[test]
    fn errors_have_the_spread_asked_for_and_depend_on_the_seed() {
        let first = errors(1);
        assert_eq!(first, errors(1));
        assert_ne!(first, errors(2));
        let count = first.len() as f64;
        let mean = first.iter().map(|&error| f64::from(error)).sum::<f64>() / count;
        let variance = first.iter().map(|&error| (f64::from(error) - mean).powi(2)).sum::<f64>() / count;
        assert!(mean.abs() < 8.0, "{mean}");
        assert!((70.0..90.0).contains(&variance.sqrt()), "{}", variance.sqrt());
    }

    #[test]
    fn other_errors_have_another_salt() {
        let noises = [(0, 1), (1, 1), (2, 1), (1, 2)].map(|(seed, std_dev)| EvalNoise { std_dev, seed });
        let mut salts: Vec<u64> = noises.iter().map(|noise| noise.salt().0).chain([0]).collect();
        salts.sort_unstable();
        salts.dedup();
        assert_eq!(salts.len(), 5);
    }

    #[test]
    fn a_known_win_stays_one() {
        let position = Position::from_fen("8/8/8/4k3/8/8/8/KQ6 w - - 0 1").unwrap();
        let value = evaluate(&position);
        assert!(value > ORDINARY_MAX);
        assert!((0..100).all(|seed| EvalNoise { std_dev: 300, seed }.apply(&position, value) == value));
    }
}
