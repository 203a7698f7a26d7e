//! Reading and writing chess notation: SAN, EPD and PGN.
//!
//! ```
//! use bartizan_notation::epd::Epd;
//! use bartizan_notation::pgn::{GameResult, PgnReader};
//! use bartizan_notation::san::SanExt;
//! use bartizan_position::Position;
//!
//! // SAN. The reader accepts informal texts, but never guesses.
//! let start = Position::startpos();
//! let mv = start.parse_san("Nf3!?")?;
//! assert_eq!(start.san(mv).to_string(), "Nf3");
//! assert_eq!(start.parse_san("Nd4").unwrap_err().to_string(), "no legal move matches 'Nd4'");
//!
//! // EPD: a position of a test suite.
//! let epd = Epd::parse(r#"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";"#)?;
//! assert_eq!(epd.id(), Some("back rank"));
//! assert_eq!(epd.best_moves()?, [epd.position.parse_san("Rd8#")?]);
//!
//! // PGN: games, read one at a time.
//! let text = "[White \"Anna\"]\n\n1. e4 {best by test} e5 (1... c5) 2. Nf3 1/2-1/2\n";
//! let game = PgnReader::new(text.as_bytes()).next().unwrap()?;
//! assert_eq!(game.tag("White"), Some("Anna"));
//! assert_eq!(game.moves.len(), 3);
//! assert_eq!(game.moves[0].comment.as_deref(), Some("best by test"));
//! assert_eq!(game.result, GameResult::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No input makes a reader panic. Errors give the line and the column. Text that is not valid UTF-8 is read as Latin-1.

pub mod epd;
pub mod list;
pub mod pgn;
pub mod san;
mod text;
