//! Standard output and standard error. Failing to print results is an error; failing to print messages is not.

use bartizan_types::Escaped;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write, stderr, stdout};

/// Standard output cannot be written: the disk is full, or its reader has ended.
#[derive(Debug)]
pub struct OutputError(io::Error);

impl OutputError {
    /// Whether the reader has ended, as `head` does when it has enough. That needs no message.
    pub fn is_closed_pipe(&self) -> bool {
        self.0.kind() == ErrorKind::BrokenPipe
    }
}

impl std::fmt::Display for OutputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cannot write the output")
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

/// Writes and flushes standard output. Control characters are escaped, except line ends and tabs.
pub(crate) fn print(text: Arguments<'_>) -> Result<(), OutputError> {
    let mut output = stdout().lock();
    write!(output, "{}", Escaped::lines(text))?;
    Ok(output.flush()?)
}

/// Writes a message to standard error. Control characters are escaped, except line ends and tabs.
pub(crate) fn complain(text: Arguments<'_>) {
    // If this fails, there is no other way to report it.
    let _ = writeln!(stderr(), "{}", Escaped::lines(text));
}

/// Prints a line of the results.
macro_rules! say {
    () => { $crate::output::print(format_args!("\n")) };
    ($format:literal $($rest:tt)*) => {
        $crate::output::print(format_args!("{}\n", format_args!($format $($rest)*)))
    };
}

/// Prints results that end with a line end of their own.
macro_rules! say_part {
    ($($text:tt)*) => { $crate::output::print(format_args!($($text)*)) };
}

/// Prints a message to standard error.
macro_rules! note {
    ($($text:tt)*) => { $crate::output::complain(format_args!($($text)*)) };
}

pub(crate) use {note, say, say_part};
