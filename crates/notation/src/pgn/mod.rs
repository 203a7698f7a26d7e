//! Portable Game Notation (PGN): games with tags, moves in SAN, comments and results.
//!
//! The standard: Steven J. Edwards, "PGN Specification and Implementation Guide" (1994). The readers accept nearly
//! everything that programs write, continue after an invalid game, and hold neither a whole file nor a whole line in
//! memory.
//!
//! | reader         | what it yields                                                                             |
//! |----------------|--------------------------------------------------------------------------------------------|
//! | [`PgnReader`]  | [`PgnGame`]: tags, main line, comments, glyphs, result; every move is checked              |
//! | [`TreeReader`] | [`GameTree`]: variations too, to be edited; every move is checked                          |
//! | [`PgnParser`]  | calls of a [`Visitor`]: everything, moves as text; it may skip movetexts and variations    |
//!
//! [`PgnGame`] and [`GameTree`] write the export format. [`read_parallel`] reads with several threads.
//!
//! ```
//! use bartizan_notation::pgn::{GameResult, Nag, Nags, PgnGame, PgnMove, PgnReader};
//! use bartizan_notation::san::parse_san;
//! use bartizan_position::Position;
//!
//! let mut game = PgnGame::new(Position::startpos());
//! game.set_tag("White", "Adams")?;
//! game.set_tag("Black", "Brown")?;
//! let f3 = parse_san(&game.start, "f3")?;
//! game.moves.push(PgnMove { mv: f3, nags: Nags::from_iter([Nag::DUBIOUS]), comment: Some("-0.84/12".to_owned()) });
//! game.result = GameResult::BlackWins;
//!
//! let text = game.to_string();
//! assert!(text.starts_with("[Event \"?\"]\n[Site \"?\"]\n"));
//! assert!(text.ends_with("\n\n1. f3 $6 {-0.84/12} 0-1\n\n"));
//!
//! let read = PgnReader::new(text.as_bytes()).next().unwrap()?;
//! assert_eq!(read.moves, game.moves);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotations;
mod error;
mod from_str;
mod game;
mod game_builder;
mod lexer;
mod match_comment;
mod nag;
mod parallel;
mod parser;
mod raw;
mod reader;
mod scan;
#[cfg(feature = "serde")]
mod serialize;
mod split;
mod symbols;
mod tag_lexer;
mod tags;
mod tree;
mod visitor;
mod window;
mod write;

pub use annotations::{Annotations, MarkColor, PgnScore};
pub use bartizan_parallel::ResultOrder;
pub use bartizan_types::GameResult;
pub use error::{PgnError, PgnErrorKind, PgnProblem, PgnProblemKind, Strictness};
pub use game::{PgnGame, PgnMove};
pub use match_comment::MatchComment;
pub use nag::{Nag, Nags};
pub use parallel::{Chunk, ChunkCutter, ChunkKind, Chunks, read_parallel, read_with};
pub use parser::PgnParser;
pub use raw::{Comment, MoveText, TagValue};
pub use reader::PgnReader;
pub use split::{RawGame, RawGames};
pub use tags::{SEVEN_TAG_ROSTER, TagError, begins_like_pgn, game_separator, game_separator_at, variant_of_tag};
pub use tree::{GameTree, NodeId, TreeError, TreeReader};
pub use visitor::{Interest, Visitor};
