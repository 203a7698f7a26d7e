//! The properties of a program that the checks need.

use super::content::Kind;

/// A program that writes files.
///
/// The script runs in the folder of the files, with the programs on the path and the inputs in `$I`; `$LIMIT` before a
/// program limits it. With `$AGAIN` it must have something to write even after it has run to its end.
pub(super) struct Program {
    /// The files, for people.
    pub(super) name: &'static str,
    pub(super) script: &'static str,
    /// The files and what is in them.
    pub(super) files: &'static [(&'static str, Kind)],
    /// Whether the files only grow, so that a later run continues where an earlier one ended.
    pub(super) grows: bool,
    pub(super) tells: Tells,
    /// A program that the script needs, besides those of this repository and of any standard system.
    pub(super) needs: Option<&'static str>,
}

/// How a program reports that a file cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    /// By its exit code and a message.
    Code,
    /// By a line of a session.
    Text,
    /// Not at all: the file is only a convenience.
    Nothing,
}
