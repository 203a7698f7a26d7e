//! The reason that follows the result of a game.

use crate::tokens::{OneLine, Tokens};
use std::fmt;

/// The text between the braces. Without braces, the whole rest.
pub(super) fn parse_reason(words: &Tokens<'_>) -> String {
    let rest = words.rest();
    match rest.strip_prefix('{') {
        Some(rest) => rest.split('}').next().unwrap_or_default().trim().to_owned(),
        None => rest.to_owned(),
    }
}

/// Writes a space and the reason in braces; nothing if the reason is empty.
pub(super) fn write_reason(f: &mut fmt::Formatter<'_>, reason: &str) -> fmt::Result {
    if reason.is_empty() { Ok(()) } else { write!(f, " {{{}}}", OneLine(&reason.replace(['{', '}'], " "))) }
}
