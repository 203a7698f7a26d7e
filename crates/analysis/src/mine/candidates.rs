//! Selects the positions of a game that are worth a search.

use super::Criteria;
use bartizan_games::records::GameRecord;
use bartizan_position::{Game, Position};
use bartizan_types::SplitMix64;

/// Scores beyond this count as equal because the game is decided, in centipawns.
const DECIDED: i32 = 600;

/// A position of a game.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The number of plies before it.
    pub(super) ply: usize,
    pub(super) position: Position,
    /// Whether the score of the side to move fell after the move that was played, so that a better move may have been
    /// missed.
    pub(super) is_missed: bool,
}

/// The candidates of a game, in the random order in which they are tried.
pub(super) fn of_game(game: &GameRecord, number: u64, criteria: &Criteria) -> Vec<Candidate> {
    let scores: Vec<Option<i32>> = game.moves.iter().map(|&(_, score)| score).collect();
    let mut played = Game::new(game.start.clone());
    let mut found = Vec::new();
    for (ply, &(mv, _)) in game.moves.iter().enumerate() {
        let position = played.position();
        let jump = jump(&scores, ply, position.turn().is_white());
        let is_over = played.outcome().is_some() || played.claimable_draw().is_some();
        let men = (criteria.min_men..=criteria.max_men).contains(&position.occupied().count());
        if men && !is_over && jump.is_none_or(|jump| jump.size >= criteria.jump) && position.count_legal_moves() > 1 {
            let is_missed = jump.is_some_and(|jump| jump.fall >= criteria.jump.max(1));
            // Suite positions have neither counters nor a history.
            let position = without_counters(position);
            found.push(Candidate { ply, position, is_missed });
        }
        if played.push(mv).is_err() {
            break;
        }
    }
    SplitMix64::stream(criteria.seed, number).shuffle(&mut found);
    found
}

/// How the score changed around a position, in centipawns.
#[derive(Clone, Copy)]
struct Jump {
    /// The larger change of the two: by the move before it, or by the move that was played.
    size: i32,
    /// The loss of the side to move with the move that was played.
    fall: i32,
}

/// `None` if the game has no scores around the position.
fn jump(scores: &[Option<i32>], ply: usize, white: bool) -> Option<Jump> {
    let at = |index: Option<usize>| {
        let score = (*scores.get(index?)?)?.clamp(-DECIDED, DECIDED);
        Some(if white { score } else { -score })
    };
    let (before, now, after) = (at(ply.checked_sub(1)), at(Some(ply)), at(Some(ply + 1)));
    let rise = before.zip(now).map(|(before, now)| (now - before).abs());
    let fall = now.zip(after).map(|(now, after)| now - after);
    let size = rise.into_iter().chain(fall.map(i32::abs)).max()?;
    Some(Jump { size, fall: fall.unwrap_or(0) })
}

/// The position in the form that a suite uses.
fn without_counters(position: &Position) -> Position {
    let mut setup = position.to_setup();
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    // Only the counters change, so the position stays legal.
    Position::try_from(&setup).unwrap_or_else(|_| position.clone())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    fn criteria() -> Criteria {
        Criteria { min_men: 3, max_men: 32, jump: 100, seed: 1, ..Criteria::default() }
    }

    /// A game of four plies with these scores for White.
    fn game(scores: [Option<i32>; 4]) -> GameRecord {
        let start = Position::startpos();
        let mut played = Game::new(start.clone());
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6"].iter().zip(scores).map(|(text, score)| {
            let mv = played.position().parse_uci(text).unwrap();
            played.push(mv).unwrap();
            (mv, score)
        });
        let moves = moves.collect();
        GameRecord { start, moves, winner: None, is_shown: true }
    }

    fn plies(game: &GameRecord, criteria: &Criteria) -> Vec<(usize, bool)> {
        let mut found: Vec<_> =
            of_game(game, 0, criteria).iter().map(|candidate| (candidate.ply, candidate.is_missed)).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_jump_of_the_scores_makes_a_candidate() {
        // Black's first move lost 150, so it may have missed a better one, and White's next position is a candidate.
        let jump = game([Some(10), Some(0), Some(150), Some(160)]);
        assert_eq!(plies(&jump, &criteria()), [(1, true), (2, false)]);
        assert_eq!(plies(&jump, &Criteria { jump: 0, ..criteria() }).len(), 4);
        // A decided game, and one without scores, in which every position is a candidate.
        assert!(plies(&game([Some(900), Some(1_500), Some(700), Some(30_000)]), &criteria()).is_empty());
        assert_eq!(plies(&game([None; 4]), &criteria()).len(), 4);
    }

    #[test]
    fn men_and_counters() {
        let jump = game([Some(10), Some(0), Some(150), Some(160)]);
        assert!(plies(&jump, &Criteria { max_men: 31, ..criteria() }).is_empty());
        for candidate in of_game(&jump, 0, &criteria()) {
            assert_eq!((candidate.position.halfmove_clock(), candidate.position.fullmove_number()), (0, 1));
        }
    }

    #[test]
    fn the_order_follows_the_seed() {
        let game = game([None; 4]);
        let order = |seed, number| -> Vec<usize> {
            of_game(&game, number, &Criteria { seed, ..criteria() }).iter().map(|candidate| candidate.ply).collect()
        };
        assert_eq!(order(5, 3), order(5, 3));
        assert!((0..20).any(|number| order(5, number) != order(6, number)));
    }
}
