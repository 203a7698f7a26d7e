//! The Chess Engine Communication Protocol, version 2, of xboard and WinBoard.
//!
//! A client sends a [`Command`], an engine answers with a [`Message`]. `Display` writes one line without a line break,
//! and `parse` reads it. [`Command::parse`] returns an error for a wrong command, which the engine answers with `Error
//! (…)`. [`Message::parse`] never fails: engines may print any text, which becomes [`Message::Other`].
//!
//! ```
//! use bartizan_protocol::xboard::{Command, Message, MoveText};
//!
//! let command = Command::parse("level 40 5:30 2.5")?;
//! assert_eq!(command.unwrap().to_string(), "level 40 5:30 2.5");
//! assert_eq!(Command::parse("e2e4")?, Some(Command::Move(MoveText::Move("e2e4".parse()?))));
//!
//! let Some(Message::Thinking(line)) = Message::parse("9 -23 145 18044 14 1244 0\tNf6 Nc3") else { panic!() };
//! assert_eq!((line.ply, line.score, line.seldepth, line.pv.as_str()), (9, -23, Some(14), "Nf6 Nc3"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod command_text;
mod edit;
mod edit_mode;
mod error;
mod feature;
mod message;
mod message_text;
mod moves;
mod option;
mod result;
mod thinking;
mod time;

pub use bartizan_types::GameResult;
pub use command::Command;
pub use edit::EditLine;
pub use edit_mode::{Edit, edit_lines};
pub use error::CommandError;
pub use feature::{Feature, FeatureValue};
pub use message::{Message, Status};
pub use moves::MoveText;
pub use option::OptionDecl;
pub use thinking::Thinking;
