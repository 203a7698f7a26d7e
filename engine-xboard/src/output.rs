//! Lines to stdout.

use bartizan_protocol::xboard::Message;
use std::fmt::Display;
use std::io::{self, Write};

/// Where the engine writes. Every line is flushed at once: a client waits for it.
pub(crate) struct Output {
    /// Whether `#` lines are wanted: by `-t`.
    trace: bool,
    /// Whether the client has said that it understands `#` lines.
    comments: bool,
    /// Nobody reads any more: the program should end.
    closed: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { trace: false, comments: false, closed: false }
    }

    pub(crate) fn set_trace(&mut self, on: bool) {
        self.trace = on;
    }

    /// The client understands `#` lines.
    pub(crate) fn accept_comments(&mut self) {
        self.comments = true;
    }

    pub(crate) fn traces(&self) -> bool {
        self.trace
    }

    /// Whether stdout has been closed by the other side.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a line, or several.
    pub(crate) fn line(&mut self, text: impl Display) {
        let text = format!("{text}\n");
        let mut stdout = io::stdout().lock();
        self.closed |= stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_err();
    }

    /// Says what happens, if anyone wants to know; `text` is made only then.
    pub(crate) fn trace<T: Display>(&mut self, text: impl FnOnce() -> T) {
        if self.trace {
            self.comment(text());
        }
    }

    /// Says what its user should find in the client's log, if the client understands such lines or a trace is wanted.
    pub(crate) fn remark(&mut self, text: impl Display) {
        if self.trace || self.comments {
            self.comment(text);
        }
    }

    /// A line for whoever reads the log.
    pub(crate) fn comment(&mut self, text: impl Display) {
        let text = text.to_string();
        for line in text.lines() {
            self.line(Message::Debug(line.to_owned()));
        }
    }

    /// To the error output: what a client need not know and a person should.
    pub(crate) fn complain(&mut self, text: &str) {
        // If there is no error output either, there is nobody to tell.
        let _ = writeln!(io::stderr(), "bartizan-xboard: {text}");
    }
}
