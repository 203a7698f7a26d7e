//! The Universal Chess Interface (specification of April 2006, with what clients and engines have added since).
//!
//! A client sends a [`Command`], an engine answers with a [`Message`]. Both are parsed by their `parse` function from
//! one line and written by `Display` as one line, without the line end.
//!
//! For every well-formed value `parse(value.to_string()) == value`. A text inside a value is well-formed if it has no
//! blank at its ends, no control character, is not `<empty>`, and does not hold the keyword that would end it; option
//! names and FENs are not empty and hold no two blanks together; the kind of an option is one of the five that UCI knows. Other text is still written as one line: control
//! characters become blanks.
//!
//! | word in text | value |
//! |---|---|
//! | `<empty>` as the value or default of an option | `""` |
//! | `(none)`, `0000` as a best move | `None` |
//!
//! Words that belong to an engine's console (`d`, `eval`, `bench`, …) are no part of the protocol; a front end handles
//! them before it calls [`Command::parse`].

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
