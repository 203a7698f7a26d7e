//! Chess notation: SAN, EPD and PGN, read and written.
//!
//! ```
//! use bartizan_notation::epd::Epd;
//! use bartizan_notation::pgn::{GameResult, PgnReader};
//! use bartizan_notation::san::{San, parse_san};
//! use bartizan_position::Position;
//!
//! // Moves as people write them. Reading forgives sloppiness, but never guesses.
//! let start = Position::startpos();
//! let mv = parse_san(&start, "Nf3!?")?;
//! assert_eq!(San::new(&start, mv).to_string(), "Nf3");
//! assert_eq!(parse_san(&start, "Nd4").unwrap_err().to_string(), "no legal move matches 'Nd4'");
//!
//! // A line of a test suite.
//! let epd = Epd::parse(r#"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";"#)?;
//! assert_eq!(epd.id(), Some("back rank"));
//! assert_eq!(epd.best_moves()?, [parse_san(&epd.position, "Rd8#")?]);
//!
//! // Games, one at a time.
//! let text = "[White \"Anna\"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 1/2-1/2\n";
//! let game = PgnReader::new(text.as_bytes()).next().unwrap()?;
//! assert_eq!(game.tag("White"), Some("Anna"));
//! assert_eq!(game.moves.len(), 3);
//! assert_eq!(game.moves[0].comment.as_deref(), Some("best by test"));
//! assert_eq!(game.result, GameResult::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Readers take whatever they are given: no text makes them panic, and what cannot be understood is an error that says
//! where it stands. Text that is not UTF-8 is read as Latin-1.
#![deny(missing_docs)]

pub mod epd;
pub mod list;
pub mod pgn;
pub mod san;
mod text;
