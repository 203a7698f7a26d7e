//! Lists of moves.

use super::CommandError;
use crate::tokens::{Tokens, excerpt};
use bartizan_types::UciMove;
use std::fmt;

/// The null move, as some programs write it.
pub(super) const NULL_MOVE: &str = "0000";

/// Takes moves up to a word for which `stop` holds, or to the end. At a word that is not a move, returns the moves
/// before it and the error, and does not take the word. `command` is for the error.
pub(super) fn read_moves(
    words: &mut Tokens<'_>,
    command: &'static str,
    stop: impl Fn(&str) -> bool,
) -> Result<Vec<UciMove>, (Vec<UciMove>, CommandError)> {
    let mut moves = Vec::new();
    while let Some(word) = words.peek().filter(|word| !stop(word)) {
        let number = moves.len() + 1;
        if word == NULL_MOVE {
            return Err((moves, CommandError::NullMove { command, number }));
        }
        match word.parse() {
            Ok(mv) => moves.push(mv),
            Err(_) => return Err((moves, CommandError::Move { command, word: excerpt(word), number })),
        }
        words.next();
    }
    Ok(moves)
}

/// Takes moves up to the first word that is not a move.
pub(super) fn take_moves(words: &mut Tokens<'_>) -> Vec<UciMove> {
    let mut moves = Vec::new();
    while let Some(mv) = words.peek().and_then(|word| word.parse().ok()) {
        moves.push(mv);
        words.next();
    }
    moves
}

/// Writes each move with a blank before it.
pub(super) fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[UciMove]) -> fmt::Result {
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}
