//! Random games.

use bartizan_position::Position;
use bartizan_types::{Move, SplitMix64};

/// A legal move, each with the same probability; `None` at the end of the game.
pub fn random_move(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// The positions of random games from the standard start, without end, in the order of play. A game ends with mate,
/// stalemate or after 300 plies. The same seed yields the same positions.
///
/// ```
/// let position = bartizan_testkit::random_positions(1).nth(40).unwrap();
/// assert_eq!(position.game_ply(), 41);
/// ```
pub fn random_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut random = SplitMix64::new(seed);
    let mut position = Position::startpos();
    std::iter::from_fn(move || {
        position = match random_move(&position, &mut random) {
            Some(mv) if position.game_ply() <= 300 => position.play_unchecked(mv),
            _ => Position::startpos(),
        };
        Some(position.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_follow_each_other() {
        let starts = random_positions(7).take(2_000).filter(|position| *position == Position::startpos()).count();
        assert!((5..100).contains(&starts), "{starts}");
        assert!(random_positions(7).take(100).eq(random_positions(7).take(100)));
    }

    #[test]
    fn no_move_follows_mate() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(random_move(&mated, &mut SplitMix64::new(0)), None);
    }
}
