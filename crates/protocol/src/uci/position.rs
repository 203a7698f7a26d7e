//! The command `position`.

use super::moves::read_moves;
use super::{Command, CommandError};
use crate::tokens::{OneLine, Tokens, collapse, excerpt};
use std::fmt;

/// The start of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StartPosition {
    /// The standard starting position.
    #[default]
    Startpos,
    /// A FEN as the client wrote it, with one space between its fields. It is not validated.
    Fen(String),
}

/// `startpos`, or `fen` and the FEN.
impl fmt::Display for StartPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Startpos => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {}", OneLine(fen)),
        }
    }
}

const COMMAND: &str = "position";

/// Parses what follows the word `position`.
pub(super) fn parse_position(words: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let start = match words.peek() {
        None => return Err(CommandError::Missing { command: COMMAND, argument: "'startpos' or 'fen'" }),
        Some("startpos") => {
            words.next();
            StartPosition::Startpos
        }
        Some("fen") => {
            words.next();
            parse_fen(words)?
        }
        // Some clients omit the word `fen`. Only a FEN contains a slash.
        Some(word) if word.contains('/') => parse_fen(words)?,
        Some(word) => {
            let number = words.number() + 1;
            let expected = "'startpos' or 'fen'";
            return Err(CommandError::Unexpected { command: COMMAND, expected, word: excerpt(word), number });
        }
    };
    match words.next() {
        None => Ok(Command::Position { start, moves: Vec::new() }),
        Some("moves") => {
            Ok(Command::Position { start, moves: read_moves(words, COMMAND, |_| false).map_err(|(_, fault)| fault)? })
        }
        // Guessing that the words are moves, or skipping them, could set up a wrong position.
        Some(word) => {
            let number = words.number();
            Err(CommandError::Unexpected { command: COMMAND, expected: "'moves'", word: excerpt(word), number })
        }
    }
}

fn parse_fen(words: &mut Tokens<'_>) -> Result<StartPosition, CommandError> {
    match words.until(|word, _| word == "moves") {
        "" => Err(CommandError::Missing { command: COMMAND, argument: "the FEN" }),
        fen => Ok(StartPosition::Fen(collapse(fen))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(StartPosition, String), CommandError> {
        match Command::parse(line)? {
            Some(Command::Position { start, moves }) => {
                Ok((start, moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
            }
            other => panic!("{other:?}"),
        }
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn startpos() {
        assert_eq!(parse("position startpos"), Ok((StartPosition::Startpos, String::new())));
        assert_eq!(parse("position startpos moves"), Ok((StartPosition::Startpos, String::new())));
        assert_eq!(parse("position\tstartpos  moves e2e4 e7e5\r\n").unwrap().1, "e2e4 e7e5");
        assert_eq!(parse("position startpos moves a7a8Q").unwrap().1, "a7a8q");
    }

    #[test]
    fn fen_with_or_without_its_word() {
        let fen = StartPosition::Fen(KIWIPETE.to_owned());
        assert_eq!(parse(&format!("position fen {KIWIPETE}")), Ok((fen.clone(), String::new())));
        assert_eq!(parse(&format!("position fen {KIWIPETE} moves")), Ok((fen.clone(), String::new())));
        assert_eq!(parse(&format!("position fen {KIWIPETE} moves e1g1")), Ok((fen.clone(), "e1g1".to_owned())));
        assert_eq!(parse(&format!("position {KIWIPETE} moves e1g1 a6e2")), Ok((fen, "e1g1 a6e2".to_owned())));
        let four_fields = parse("position  fen 8/8/8/8/8/8/k7/7K \t w - -  moves h1g1").unwrap();
        assert_eq!(four_fields, (StartPosition::Fen("8/8/8/8/8/8/k7/7K w - -".to_owned()), "h1g1".to_owned()));
    }

    #[test]
    fn what_is_missing_or_out_of_place_is_named() {
        let text = |line| parse(line).unwrap_err().to_string();
        assert_eq!(text("position"), "position: 'startpos' or 'fen' is missing");
        assert_eq!(text("position moves e2e4"), "position: expected 'startpos' or 'fen', found 'moves' (word 2)");
        assert_eq!(text("position fen"), "position: the FEN is missing");
        assert_eq!(text("position fen moves e2e4"), "position: the FEN is missing");
        assert_eq!(text("position startpos e2e4"), "position: expected 'moves', found 'e2e4' (word 3)");
    }

    #[test]
    fn a_bad_move_is_named_with_its_index() {
        let error = parse("position startpos moves e2e4 e7e9 g1f3").unwrap_err();
        assert_eq!(error, CommandError::Move { command: COMMAND, word: "e7e9".to_owned(), number: 2 });
        assert!(error.to_string().starts_with("position: invalid move 'e7e9' (move 2 of the list): "), "{error}");
        let error = parse("position startpos moves e2e4 0000").unwrap_err();
        assert_eq!(error, CommandError::NullMove { command: COMMAND, number: 2 });
        assert_eq!(error.to_string(), "position: move 2 is the null move 0000, which cannot be played");
        assert!(
            parse(&format!("position startpos moves {}", "x".repeat(100_000))).unwrap_err().to_string().len() < 200
        );
    }
}
