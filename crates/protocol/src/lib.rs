//! The protocols by which chess engines and their clients talk, as types that are parsed and written both ways: an
//! engine reads what a client writes, and the reverse.
//!
//! ```
//! use bartizan_protocol::uci::{Command, GoParams, Info, Message, ScoreInfo};
//!
//! // The engine's side: read commands, write messages.
//! let command = Command::parse("go wtime 60000 btime 58000 movestogo 40\r\n")?;
//! let limits = GoParams { wtime: Some(60_000), btime: Some(58_000), movestogo: Some(40), ..GoParams::default() };
//! assert_eq!(command, Some(Command::Go(limits)));
//!
//! let pv = vec!["e2e4".parse()?, "e7e5".parse()?];
//! let info = Info { depth: Some(9), score: Some(ScoreInfo::cp(31)), nodes: Some(5_214), pv, ..Info::default() };
//! let line = Message::Info(info).to_string();
//! assert_eq!(line, "info depth 9 score cp 31 nodes 5214 pv e2e4 e7e5");
//!
//! // The client's side: write commands, read messages.
//! assert_eq!(Command::IsReady.to_string(), "isready");
//! let Some(Message::Info(read)) = Message::parse(&line)? else { panic!("an info line") };
//! assert_eq!(read.score, Some(ScoreInfo::cp(31)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`uci`] is the Universal Chess Interface, [`xboard`] the Chess Engine Communication Protocol of xboard and WinBoard.
//!
//! The crate only turns text into values and values into text. It does not read, print or wait; and no text, however
//! wrong, makes it panic: what cannot be understood is an error that says which word is wrong, and where.
#![deny(missing_docs)]

mod number;
mod option;
pub mod uci;
mod words;
pub mod xboard;

pub use option::OptionKind;
