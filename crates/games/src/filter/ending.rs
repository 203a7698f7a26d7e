//! How the last position of a game ends it.

use bartizan_notation::pgn::PgnGame;
use bartizan_position::Position;
use std::str::FromStr;

/// How the last position of a game ends it by the rules of chess, whatever the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can give checkmate.
    Insufficient,
    /// The position has occurred at least three times.
    Repetition,
    /// At least 50 moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// None of these: a player resigned or lost on time, or a draw was agreed.
    Open,
}

impl Ending {
    /// All endings.
    pub const ALL: [Self; 6] =
        [Self::Checkmate, Self::Stalemate, Self::Insufficient, Self::Repetition, Self::FiftyMoves, Self::Open];

    /// The name: `checkmate`, `stalemate`, `insufficient`, `repetition`, `50`, `open`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Insufficient => "insufficient",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "50",
            Self::Open => "open",
        }
    }

    /// The ending of a game; the first one in [`Ending::ALL`] if several apply. It is [`Ending::Open`] if a move is not
    /// legal.
    pub fn of(game: &PgnGame) -> Self {
        let mut last = game.start.clone();
        for played in &game.moves {
            if !last.is_legal(played.mv) {
                return Self::Open;
            }
            last.make_unchecked(played.mv);
        }
        Self::at(&last, game)
    }

    /// The ending of a game of legal moves, of which the last position is known.
    pub(crate) fn at(last: &Position, game: &PgnGame) -> Self {
        if !last.has_legal_move() {
            return if last.in_check() { Self::Checkmate } else { Self::Stalemate };
        }
        if last.is_insufficient_material() {
            Self::Insufficient
        } else if last.halfmove_clock() >= REPETITION && is_repeated(game) {
            Self::Repetition
        } else if last.halfmove_clock() >= 100 {
            Self::FiftyMoves
        } else {
            Self::Open
        }
    }
}

/// The fewest plies in which a position occurs three times. None of them is a capture or a pawn move.
const REPETITION: u16 = 8;

/// Whether the last position of a game has occurred at least three times.
fn is_repeated(game: &PgnGame) -> bool {
    game.to_game().is_ok_and(|game| game.occurrences() >= 3)
}

/// A text is not the name of an ending.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected checkmate, stalemate, insufficient, repetition, 50 or open")]
pub struct EndingError;

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Self, EndingError> {
        Self::ALL.into_iter().find(|ending| ending.name() == text).ok_or(EndingError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_notation::pgn::PgnReader;

    #[test]
    fn endings() {
        let fen = |fen: &str, moves: &str| format!("[FEN \"{fen}\"]\n\n{moves} *");
        for (text, ending) in [
            ("1. f3 e5 2. g4 Qh4# *".to_owned(), Ending::Checkmate),
            (fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "1. Qf7"), Ending::Stalemate),
            (fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "1. Qf6+"), Ending::Open),
            (fen("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "1. Kxb2"), Ending::Insufficient),
            ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *".to_owned(), Ending::Repetition),
            (fen("7k/8/8/8/8/8/4R3/K7 w - - 99 80", "1. Re3"), Ending::FiftyMoves),
            ("*".to_owned(), Ending::Open),
        ] {
            let mut reader = PgnReader::new(text.as_bytes());
            let game = reader.next().unwrap().unwrap();
            assert_eq!((Ending::of(&game), Ending::at(reader.last_position(), &game)), (ending, ending), "{text}");
        }
        assert!(Ending::ALL.into_iter().all(|ending| ending.name().parse() == Ok(ending)));
        assert!("mate".parse::<Ending>().is_err());
    }
}
