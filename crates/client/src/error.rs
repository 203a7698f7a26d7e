//! What can go wrong with an engine.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// An engine could not be used. After any of these but [`Option`](Self::Option) and [`Unsupported`](Self::Unsupported)
/// it should be started again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The program could not be started.
    #[error("{engine}: cannot start `{}`: {source}", command.display())]
    Spawn {
        /// The engine.
        engine: String,
        /// The program.
        command: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The program has ended, or has closed its output.
    #[error("{engine} has ended{}{}", show_status(*status), show_tail(stderr_tail))]
    Died {
        /// The engine.
        engine: String,
        /// How; `None` if it had only closed its output and was killed for it.
        status: Option<ExitStatus>,
        /// The end of its error output.
        stderr_tail: String,
    },
    /// An answer did not come in time.
    #[error("{engine}: no {what} after {:.3} s", after.as_secs_f64())]
    Timeout {
        /// The engine.
        engine: String,
        /// What was waited for, such as `uciok` or `bestmove`.
        what: &'static str,
        /// How long.
        after: Duration,
    },
    /// An option is not declared, or cannot have the value.
    #[error("{engine}: option `{option}`: {reason}")]
    Option {
        /// The engine.
        engine: String,
        /// The option.
        option: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine refuses to work.
    #[error("{engine}: refuses to start: `{line}`")]
    Handshake {
        /// The engine.
        engine: String,
        /// The line in which it says so.
        line: String,
    },
    /// The engine cannot do what is asked.
    #[error("{engine} cannot {what}")]
    Unsupported {
        /// The engine.
        engine: String,
        /// What it cannot do.
        what: &'static str,
    },
    /// The engine has called a legal move or position illegal.
    #[error("{engine} refuses a legal move or position: `{line}`")]
    Refused {
        /// The engine.
        engine: String,
        /// The line in which it says so.
        line: String,
    },
    /// A thread for the engine could not be started.
    #[error("{engine}: {source}")]
    Io {
        /// The engine.
        engine: String,
        /// Why.
        source: io::Error,
    },
}

impl ClientError {
    /// The engine that the error is about.
    pub fn engine(&self) -> &str {
        match self {
            Self::Spawn { engine, .. }
            | Self::Died { engine, .. }
            | Self::Timeout { engine, .. }
            | Self::Option { engine, .. }
            | Self::Handshake { engine, .. }
            | Self::Unsupported { engine, .. }
            | Self::Refused { engine, .. }
            | Self::Io { engine, .. } => engine,
        }
    }
}

fn show_status(status: Option<ExitStatus>) -> String {
    status.map_or_else(|| " its output".to_owned(), |status| format!(" ({status})"))
}

fn show_tail(tail: &str) -> String {
    match tail.trim_end() {
        "" => String::new(),
        tail => format!("; its last words:\n{tail}"),
    }
}
