//! The chess protocols UCI and xboard (CECP) as types that are parsed and written in both directions: for engines, GUIs
//! and match runners.
//!
//! An engine parses commands and writes messages:
//!
//! ```
//! use bartizan_protocol::uci::{Command, Info, Message, ScoreInfo};
//!
//! let Some(Command::Go(limits)) = Command::parse("go wtime 60000 btime 58000 movestogo 40\r\n")? else { panic!() };
//! assert_eq!((limits.wtime, limits.movestogo), (Some(60_000), Some(40)));
//!
//! let mut info = Info::default();
//! info.depth = Some(9);
//! info.score = Some(ScoreInfo::cp(31));
//! info.pv = vec!["e2e4".parse()?, "e7e5".parse()?];
//! assert_eq!(Message::Info(info).to_string(), "info depth 9 score cp 31 pv e2e4 e7e5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A GUI writes commands and parses messages:
//!
//! ```
//! use bartizan_protocol::Score;
//! use bartizan_protocol::uci::{Command, GoParams, Message};
//!
//! let mut limits = GoParams::default();
//! limits.movetime = Some(100);
//! assert_eq!(Command::Go(limits).to_string(), "go movetime 100");
//!
//! let Some(Message::Info(info)) = Message::parse("info depth 9 score mate -3 nodes 5214")? else { panic!() };
//! assert_eq!(info.score.map(|score| score.score), Some(Score::Mate(-3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`uci`] is the Universal Chess Interface, [`xboard`] the Chess Engine Communication Protocol of xboard and WinBoard.
//!
//! The crate only converts between text and values: it performs no input or output. No input makes it panic. A line
//! that it cannot parse is an error that names the offending word and its place.
#![deny(missing_docs)]

mod number;
mod option;
mod score;
pub mod uci;
mod words;
pub mod xboard;

pub use option::OptionKind;
pub use score::Score;
