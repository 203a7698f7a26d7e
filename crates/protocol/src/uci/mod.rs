//! The Universal Chess Interface: the specification of April 2006 and common extensions.
//!
//! A client sends a [`Command`], an engine answers with a [`Message`]. The `parse` functions read one line, `Display`
//! writes one line without a line break.
//!
//! For every well-formed value `parse(value.to_string()) == value`. A value is well-formed if
//!
//! * its texts neither begin nor end with a space, contain no control character, are not `<empty>`, and do not contain
//!   the keyword that would end them;
//! * option names and FENs are not empty and do not contain two spaces in a row;
//! * the type of an option is one of the five that UCI has.
//!
//! Any other value is still written as one line: control characters become spaces.
//!
//! | text | value |
//! |---|---|
//! | `<empty>` as the value or default of an option | `""` |
//! | `(none)`, `0000` as a best move | `None` |
//!
//! The protocol does not include the commands of an engine's console, such as `d`, `eval` and `bench`. A front end
//! handles them before it calls [`Command::parse`].

mod command;
mod error;
mod go;
mod info;
mod message;
mod moves;
mod option;
mod position;

pub use command::Command;
pub use error::{CommandError, MessageError};
pub use go::GoParams;
pub use info::{CurrLine, Info, ScoreInfo};
pub use message::{CheckStatus, Id, Message};
pub use option::{OptionDecl, same_option_name};
pub use position::StartPosition;
