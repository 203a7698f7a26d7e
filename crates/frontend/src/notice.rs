//! The engine's messages to the user, as text.

use bartizan_engine::Notice;
use bartizan_types::{Escaped, Variant};
use std::error::Error;
use std::fmt;

/// The maximum number of files named in one message.
const NAMED: usize = 6;

/// A message for the user, which needs no action unless it is a warning. As text, a warning begins with `warning: `.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserMessage {
    /// What has happened.
    pub text: String,
    /// Whether it is a warning: the options could not be met.
    pub is_warning: bool,
}

impl fmt::Display for UserMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_warning { "warning: " } else { "" }, self.text)
    }
}

impl From<Notice> for UserMessage {
    fn from(notice: Notice) -> Self {
        Self { is_warning: notice.is_warning(), text: text(&notice) }
    }
}

fn text(notice: &Notice) -> String {
    match notice {
        Notice::SyzygyFound { wdl, dtz, pieces } => {
            format!("found {wdl} WDL and {dtz} DTZ tablebase files with up to {pieces} pieces")
        }
        Notice::SyzygyMissing { files, total, pieces } => {
            let more = files.len().saturating_sub(NAMED);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let named = files[..files.len() - more].join(", ");
            format!("of {total} tablebase files with {pieces} pieces, these are missing: {named}{rest}")
        }
        Notice::MateTablesFound { tables, pieces } => {
            format!("found {tables} distance-to-mate tables with up to {pieces} pieces")
        }
        Notice::FewerThreads { reason, threads, wanted } => {
            format!("{reason}; continuing with {threads} of {wanted} threads")
        }
        Notice::NoThreads(error) => error.to_string(),
        Notice::SmallerTable { reason, mib } => format!("{reason}; continuing with {mib} MB"),
        Notice::BookFailed { path, source } => {
            format!("cannot read book '{}': {source}; playing without it", Escaped(path.display()))
        }
        Notice::CastlingDropped { rights, variant } => {
            let reason = match variant {
                Variant::Standard => "standard chess castles with kings on e1 and e8 and rooks in the corners",
                Variant::Chess960 => "the king or the rook is not in place",
            };
            format!("castling rights '{rights}' dropped: {reason}")
        }
        Notice::TablesUnusable(error) => with_cause(error.as_ref()),
        Notice::MoreTablesUnusable(number) => format!("{number} more tablebase files or folders cannot be used"),
        Notice::SyzygyFailed { source, is_retried } => {
            let rest = if *is_retried { "the next searches retry" } else { "this file is not used" };
            format!("{}; {rest}", with_cause(source.as_ref()))
        }
        Notice::MateTablesFailed { source, is_retried } => {
            let rest = if *is_retried { "the next search retries" } else { "distances to mate are disabled" };
            format!("{}; {rest}", with_cause(source.as_ref()))
        }
        // A newer engine's.
        notice => format!("{notice:?}"),
    }
}

/// An error with its cause.
fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
