//! What can go wrong with an engine.

use crate::{OptionDecl, Protocol};
use bartizan_types::{Escaped, Excerpt};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// An engine is unusable, or not as requested.
///
/// After [`Option`](Self::Option), [`Unsupported`](Self::Unsupported), [`Endless`](Self::Endless) and
/// [`IllegalMove`](Self::IllegalMove) the engine can still be used. After any other error, drop the client and start
/// the engine again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program cannot be started.
    #[error("{engine}: cannot start '{}': {reason}", Escaped(command.display()))]
    Start {
        /// The engine.
        engine: String,
        /// The program.
        command: PathBuf,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// A thread for the engine's input or output cannot be started.
    #[error("{engine}: cannot start a thread: {reason}")]
    Thread {
        /// The engine.
        engine: String,
        /// The error of the operating system.
        reason: io::Error,
    },
    /// The engine has exited, or has closed its input or output.
    #[error("{engine}: {} after '{}'{}", show_status(*status), Line(command), show_tail(stderr_tail))]
    Exited {
        /// The engine.
        engine: String,
        /// The last command sent to it.
        command: String,
        /// Its exit status; `None` if it only closed a pipe and was killed for that.
        status: Option<ExitStatus>,
        /// The end of its standard error output.
        stderr_tail: String,
    },
    /// The engine did not answer in time.
    #[error("{engine}: no {expected} within {:.3} s of '{}'", waited.as_secs_f64(), Line(command))]
    Timeout {
        /// The engine.
        engine: String,
        /// The unanswered command.
        command: String,
        /// The answer that was expected, such as `uciok` or `bestmove`.
        expected: &'static str,
        /// How long the client has waited since sending the command.
        waited: Duration,
    },
    /// The wait for the engine was cancelled. See [`EngineConfig::cancel`](crate::EngineConfig::cancel).
    #[error("{engine}: cancelled")]
    Cancelled {
        /// The engine.
        engine: String,
    },
    /// The engine writes endlessly instead of answering.
    #[error("{engine}: {lines} lines of {bytes} bytes, but no {expected} after '{}'", Line(command))]
    Flood {
        /// The engine.
        engine: String,
        /// The unanswered command.
        command: String,
        /// The answer that was expected, such as `uciok` or `readyok`.
        expected: &'static str,
        /// The number of lines written since.
        lines: usize,
        /// The number of bytes in these lines.
        bytes: usize,
    },
    /// The engine does not answer in the requested protocol but in the other one.
    #[error("{engine}: does not answer as {}, but as {}", long_name(speaks.other()), long_name(*speaks))]
    OtherProtocol {
        /// The engine.
        engine: String,
        /// The protocol that it speaks.
        speaks: Protocol,
    },
    /// An option cannot be set.
    #[error("{engine}: cannot set option '{}': {reason}", Excerpt::new(option))]
    Option {
        /// The engine.
        engine: String,
        /// The option's name.
        option: String,
        /// The problem.
        reason: OptionError,
    },
    /// The engine or its protocol does not support the request.
    #[error("{engine}: cannot {what}")]
    Unsupported {
        /// The engine.
        engine: String,
        /// What it cannot do.
        what: &'static str,
    },
    /// The search to wait for has no limit.
    #[error("{engine}: a search without limits never ends; set a limit, or analyse and stop")]
    Endless {
        /// The engine.
        engine: String,
    },
    /// The engine played a move that is illegal, or text that is not a move.
    #[error("{engine}: illegal move '{}' in '{fen}'", Excerpt::new(text))]
    IllegalMove {
        /// The engine.
        engine: String,
        /// The move as the engine wrote it.
        text: String,
        /// The position.
        fen: String,
    },
    /// The engine rejects a legal move or position, or refuses to work.
    #[error("{engine}: refuses '{}': {}", Line(command), Line(line))]
    Refused {
        /// The engine.
        engine: String,
        /// The last command sent to it.
        command: String,
        /// The line with which it refuses.
        line: String,
    },
}

impl ClientError {
    /// The engine's name.
    pub fn engine(&self) -> &str {
        match self {
            Self::Start { engine, .. }
            | Self::Thread { engine, .. }
            | Self::Exited { engine, .. }
            | Self::Timeout { engine, .. }
            | Self::Cancelled { engine }
            | Self::Flood { engine, .. }
            | Self::OtherProtocol { engine, .. }
            | Self::Option { engine, .. }
            | Self::Unsupported { engine, .. }
            | Self::Endless { engine }
            | Self::IllegalMove { engine, .. }
            | Self::Refused { engine, .. } => engine,
        }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The engine has no such option.
    #[error("the engine has no such option{suggestion}")]
    Unknown {
        /// `; did you mean 'Hash'?`, or empty.
        suggestion: String,
    },
    /// The value of a check box is neither `true` nor `false`.
    #[error("'{}' is not true or false", Excerpt::new(value))]
    NotBoolean {
        /// The value.
        value: String,
    },
    /// The value is not a whole number.
    #[error("'{}' is not a whole number", Excerpt::new(value))]
    NotANumber {
        /// The value.
        value: String,
    },
    /// The number is outside the option's range.
    #[error("'{value}' is not in the range {min} to {max}")]
    OutOfRange {
        /// The value.
        value: i64,
        /// The least number.
        min: i64,
        /// The greatest number.
        max: i64,
    },
    /// The value is not among those that the option allows.
    #[error("'{}' is not one of '{}'", Excerpt::new(value), choices.join("', '"))]
    NotAChoice {
        /// The value.
        value: String,
        /// The values that the option allows.
        choices: Vec<String>,
    },
    /// A button was given a value.
    #[error("a button takes no value, found '{}'", Excerpt::new(value))]
    ButtonWithValue {
        /// The value.
        value: String,
    },
    /// The value contains a line break, which the protocols cannot express.
    #[error("the value contains a line break")]
    LineBreak,
}

impl OptionError {
    pub(crate) fn unknown(name: &str, options: &[OptionDecl]) -> Self {
        let names = options.iter().map(|option| option.name.as_str());
        Self::Unknown { suggestion: bartizan_protocol::did_you_mean(name, names) }
    }
}

/// A protocol in a message.
fn long_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci => "a UCI engine",
        Protocol::Xboard => "an xboard engine",
    }
}

/// A line in a message, truncated if it is very long, such as a whole game or garbage from a broken engine.
struct Line<'a>(&'a str);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Excerpt::with_length(self.0, 200).fmt(f)
    }
}

fn show_status(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| "closed a pipe".to_owned(), |status| format!("exited ({status})"))
}

fn show_tail(tail: &str) -> String {
    match tail.trim_end() {
        "" => String::new(),
        tail => format!("; its standard error ends with:\n{tail}"),
    }
}
