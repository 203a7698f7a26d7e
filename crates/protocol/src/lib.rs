#![doc = include_str!("../README.md")]
//!
//! The example is the engine's side: it parses commands and writes messages. A GUI writes commands and parses messages:
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

mod number;
mod option;
mod score;
mod suggest;
mod tokens;
pub mod uci;
pub mod xboard;

pub use option::OptionKind;
pub use score::Score;
pub use suggest::did_you_mean;
