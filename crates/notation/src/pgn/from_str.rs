//! Games from texts.

use super::{GameTree, PgnError, PgnErrorKind, PgnGame, PgnReader, Strictness, TreeReader};
use std::str::FromStr;

/// Reads a text that contains one game, like [`PgnReader`] with [`Strictness::Moves`].
///
/// ```
/// use bartizan_notation::pgn::PgnGame;
///
/// let game: PgnGame = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// assert_eq!(game.moves.len(), 4);
/// assert!("1. e4 * 1. d4 *".parse::<PgnGame>().is_err());
/// # Ok::<(), bartizan_notation::pgn::PgnError>(())
/// ```
impl FromStr for PgnGame {
    type Err = PgnError;
    fn from_str(text: &str) -> Result<Self, PgnError> {
        only(PgnReader::new(text.as_bytes()).strictness(Strictness::Moves))
    }
}

/// Reads a text that contains one game, like [`TreeReader`] with [`Strictness::Moves`].
impl FromStr for GameTree {
    type Err = PgnError;
    fn from_str(text: &str) -> Result<Self, PgnError> {
        only(TreeReader::new(text.as_bytes()).strictness(Strictness::Moves))
    }
}

/// The only game of a text.
fn only<T>(mut games: impl Iterator<Item = Result<T, PgnError>>) -> Result<T, PgnError> {
    let begin = |game, kind| PgnError { game, line: 1, column: 1, kind };
    let game = games.next().ok_or_else(|| begin(1, PgnErrorKind::NoGame))??;
    match games.next().transpose()? {
        None => Ok(game),
        Some(_) => Err(begin(2, PgnErrorKind::SeveralGames)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_game() {
        let text = "[White \"A\"]\n\n1. e4 (1. d4) e5 {so} 1/2-1/2\n";
        let (game, tree) = (text.parse::<PgnGame>().unwrap(), text.parse::<GameTree>().unwrap());
        assert_eq!(tree.to_pgn_game(), game);
        let mut again: GameTree = tree.to_string().parse().unwrap();
        again.tags.clone_from(&tree.tags);
        assert_eq!(again, tree);
        for (text, error) in [
            ("", "game 1, line 1, column 1: there is no game"),
            (" \n% a comment\n", "game 1, line 1, column 1: there is no game"),
            ("1. e4 *\n\n1. d4 *", "game 2, line 1, column 1: there is more than one game"),
            ("1. e4 *\n\n1. e5 *", "game 2, line 3, column 4: no legal move matches 'e5'"),
        ] {
            assert_eq!(text.parse::<PgnGame>().unwrap_err().to_string(), error);
            assert_eq!(text.parse::<GameTree>().unwrap_err().to_string(), error);
        }
    }
}
