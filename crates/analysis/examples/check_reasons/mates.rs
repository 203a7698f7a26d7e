//! Checks claims of mate.

use crate::line::Line;
use crate::motifs;
use crate::second::{Check, Verifier, legal, require};
use bartizan_analysis::Score;
use bartizan_position::Position;
use bartizan_review::reasons::claim::{Chance, Motif};
use bartizan_types::Move;

/// Beyond this number of moves, any mate will do.
const EXACT: u32 = 5;

pub(crate) fn check(
    verifier: &Verifier<'_>,
    chance: Chance,
    line: &[Move],
    moves: u32,
    motif: Option<&Motif>,
) -> Check {
    let start = verifier.start(chance);
    let winner = verifier.winner(chance);
    require(line.len() + 1 == 2 * moves as usize, || format!("{} plies are not a mate in {moves}", line.len()))?;
    let positions = legal(&start, line)?;
    let end = &positions[line.len()];
    require(end.is_checkmate() && end.turn() != winner, || "the line does not end in checkmate".to_owned())?;
    let is_proven = moves <= 2 && mates_in(&start, moves);
    if !is_proven {
        require(moves > 2, || format!("a search of all moves finds no mate in {moves}"))?;
        let score = verifier.search(&start)?.score;
        let is_mate = matches!(score, Score::Mate(found) if found > 0 && (found <= moves as i32 || moves > EXACT));
        require(is_mate, || format!("the search finds {score}, not mate in {moves}"))?;
    }
    motifs::check(verifier, motif, &Line { moves: line, positions: &positions, winner }, chance)
}

/// Whether the side to move mates in at most `moves` moves, by trying everything.
fn mates_in(position: &Position, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        let next = position.play_unchecked(mv);
        let replies = next.legal_moves();
        if replies.is_empty() {
            return next.in_check();
        }
        moves > 1 && replies.into_iter().all(|reply| mates_in(&next.play_unchecked(reply), moves - 1))
    })
}
