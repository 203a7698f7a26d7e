//! Lines to stdout, and to the log file if there is one.

use bartizan_protocol::uci::Message;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

/// Where the engine writes. Every line is flushed at once: a client waits for it.
pub(crate) struct Output {
    start: Instant,
    log: Option<BufWriter<File>>,
    /// Nobody reads any more: the program should end.
    closed: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), log: None, closed: false }
    }

    /// Whether stdout has been closed by the other side.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes a line, or several.
    pub(crate) fn line(&mut self, text: impl Display) {
        let text = text.to_string();
        let mut stdout = io::stdout().lock();
        self.closed |= stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).is_err();
        self.closed |= stdout.flush().is_err();
        drop(stdout);
        for line in text.lines() {
            self.log('<', line);
        }
    }

    /// Says something to people, in a form that a client understands.
    pub(crate) fn info_string(&mut self, text: impl Into<String>) {
        self.line(Message::info_string(text));
    }

    /// Notes a line that came in.
    pub(crate) fn heard(&mut self, line: &str) {
        self.log('>', line.trim_end());
    }

    /// Begins a log file, or ends it if the path is empty.
    pub(crate) fn set_log(&mut self, path: &str) -> io::Result<()> {
        self.log = None;
        if !path.is_empty() {
            let file = File::options().create(true).append(true).open(path)?;
            self.log = Some(BufWriter::new(file));
        }
        Ok(())
    }

    /// Whether there is a log file.
    pub(crate) fn is_logged(&self) -> bool {
        self.log.is_some()
    }

    /// Says in the log file what happens; `text` is made only if there is one.
    pub(crate) fn trace<T: Display>(&mut self, text: impl FnOnce() -> T) {
        if self.log.is_some() {
            let text = text().to_string();
            self.log('#', &text);
        }
    }

    /// To the error output: what a client need not know and a person should.
    pub(crate) fn complain(text: impl Display) {
        // If there is no error output either, there is nobody to tell.
        let _ = writeln!(io::stderr(), "bartizan: {text}");
    }

    fn log(&mut self, direction: char, line: &str) {
        let time = self.start.elapsed();
        if let Some(log) = &mut self.log {
            let written = writeln!(log, "{:10.3} {direction} {line}", time.as_secs_f64()).and_then(|()| log.flush());
            if written.is_err() {
                // A full disk must not end a game.
                self.log = None;
            }
        }
    }
}
