//! Lines to the client, and to the log file if there is one.

use crate::TerminalStyle;
use bartizan_types::Escaped;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

/// A front end's output. Every line is flushed at once, because a client waits for it.
pub struct Output {
    client: Box<dyn Write + Send>,
    errors: Box<dyn Write + Send>,
    /// The prefix of trace lines to the client; `None` if the client gets no trace.
    trace_prefix: Option<&'static str>,
    log: Option<BufWriter<File>>,
    has_log_failed: bool,
    start: Instant,
    style: TerminalStyle,
    is_closed: bool,
}

impl Output {
    /// Writes to a client, usually standard output, and messages for users to `errors`, usually standard error.
    pub fn new(client: impl Write + Send + 'static, errors: impl Write + Send + 'static) -> Self {
        Self {
            client: Box::new(client),
            errors: Box::new(errors),
            trace_prefix: None,
            log: None,
            has_log_failed: false,
            start: Instant::now(),
            style: TerminalStyle::PLAIN,
            is_closed: false,
        }
    }

    /// Draws text for users in this style.
    #[must_use]
    pub fn with_style(self, style: TerminalStyle) -> Self {
        Self { style, ..self }
    }

    /// The style of text for users; [`TerminalStyle::PLAIN`] unless set.
    pub fn style(&self) -> TerminalStyle {
        self.style
    }

    /// Whether the client has closed its end, or cannot be written to: the program should end with a corresponding exit
    /// code.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Writes one or more lines to the client. Control characters are escaped, except tabs, unless the style has
    /// colours: then the caller escapes what comes from outside.
    pub fn line(&mut self, text: impl Display) {
        let text = if self.style.colors { format!("{text}\n") } else { format!("{}\n", Escaped::lines(text)) };
        let written = self.client.write_all(text.as_bytes()).and_then(|()| self.client.flush());
        if let Err(error) = written {
            // A client that has ended, like `head`, needs no message; otherwise the first error is enough.
            if !self.is_closed && error.kind() != io::ErrorKind::BrokenPipe {
                self.complain(format_args!("error: cannot write the output: {error}"));
            }
            self.is_closed = true;
        }
        for line in text.lines() {
            self.log('<', line);
        }
    }

    /// Writes a message for users, who may not see the client's lines. Control characters are escaped, except tabs.
    pub fn complain(&mut self, text: impl Display) {
        // If this fails, there is no other way to report it.
        let _ = writeln!(self.errors, "{}", Escaped::lines(text)).and_then(|()| self.errors.flush());
    }

    /// Writes a message for users and ends the program, as if the client had closed its end.
    pub(crate) fn give_up(&mut self, text: impl Display) {
        self.complain(text);
        self.is_closed = true;
    }

    /// Sends the trace to the client, each line after `prefix`.
    pub fn trace_to_client(&mut self, prefix: &'static str) {
        self.trace_prefix = Some(prefix);
    }

    /// Whether there is a reader of the trace: see [`Output::trace`].
    pub fn has_trace(&self) -> bool {
        self.trace_prefix.is_some() || self.log.is_some()
    }

    /// Writes what happens inside the engine to the client or the log file. `text` is called only if needed.
    pub fn trace<T: Display>(&mut self, text: impl FnOnce() -> T) {
        if !self.has_trace() {
            return;
        }
        for line in text().to_string().lines() {
            match self.trace_prefix {
                Some(prefix) => self.line(format_args!("{prefix}{line}")),
                None => self.log('#', line),
            }
        }
    }

    /// Logs a line of input.
    pub(crate) fn log_input(&mut self, line: &str) {
        self.log('>', line);
    }

    /// Starts or ends a log file. Refuses an existing file that is not a log, and special files: see
    /// [`bartizan_files::check_output`].
    pub(crate) fn set_log(&mut self, path: Option<&Path>) -> io::Result<()> {
        let open = |path| {
            bartizan_files::check_kind(path, "a debug log", begins_like_log)?;
            File::options().create(true).append(true).open(path).map(BufWriter::new)
        };
        self.log = path.map(open).transpose()?;
        self.has_log_failed = false;
        Ok(())
    }

    /// Whether the log file has become unwritable.
    pub(crate) fn has_log_failed(&self) -> bool {
        self.has_log_failed
    }

    fn log(&mut self, direction: char, line: &str) {
        let time = self.start.elapsed();
        if let Some(log) = &mut self.log {
            let written = writeln!(log, "{:10.3} {direction} {line}", time.as_secs_f64()).and_then(|()| log.flush());
            if let Err(error) = written {
                // A full disk must not end a game.
                self.log = None;
                self.has_log_failed = true;
                self.complain(format_args!("warning: cannot write the debug log, which ends here: {error}"));
            }
        }
    }
}

/// Whether a file is empty or begins with a line of a log: a time in seconds and a direction.
fn begins_like_log(start: &[u8]) -> bool {
    let line = start.trim_ascii_start();
    let (time, rest) = line.split_at(line.iter().position(|byte| *byte == b' ').unwrap_or(line.len()));
    start.is_empty()
        || time.contains(&b'.')
            && time.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
            && matches!(rest, [b' ', b'<' | b'>' | b'#', ..])
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("log", &self.log).field("is_closed", &self.is_closed).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn control_characters_are_escaped_unless_there_are_colours() {
        let written = |style: TerminalStyle| {
            let (client, errors) = (Shared::default(), Shared::default());
            let mut output = Output::new(client.clone(), errors.clone()).with_style(style);
            output.line("\x1b[1mone\ttwo\nthree\r");
            output.complain("\x1b[1m\u{202e}");
            [client, errors].map(|text| String::from_utf8(text.0.lock().unwrap().clone()).unwrap())
        };
        let error = "\\u001b[1m\\u202e\n";
        assert_eq!(written(TerminalStyle::PLAIN), ["\\u001b[1mone\ttwo\nthree\\r\n", error]);
        let colors = TerminalStyle { colors: true, ..TerminalStyle::PLAIN };
        assert_eq!(written(colors), ["\x1b[1mone\ttwo\nthree\r\n", error]);
    }
}
