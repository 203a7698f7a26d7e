//! A program under test. Threads write to it and read from it, so that a test never blocks on a pipe.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for an answer that needs no search, on a loaded machine.
pub const PROMPT: Duration = Duration::from_secs(10);
/// Long enough for a small search, on a loaded machine and without optimisation.
pub const SEARCH: Duration = Duration::from_secs(60);
/// How long a test waits for a line that must not come. If it is too short, a test misses a fault, but never fails
/// without one.
pub const LISTEN: Duration = Duration::from_millis(250);

/// The number of lines of the transcript that a failure shows.
const SHOWN_LINES: usize = 60;
/// The number of characters that it shows of a line to the program.
const SHOWN_CHARS: usize = 200;

/// A running program that a test talks to line by line.
///
/// Every wait has a deadline. If it passes, or if a thread of the program panics, the test fails and shows the end of
/// the transcript. The program is killed when it is dropped.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    open_streams: u32,
    transcript: Vec<String>,
    stderr: Vec<String>,
}

/// What the program has written.
#[derive(Debug)]
enum Output {
    Line(String),
    ErrorLine(String),
    Closed,
}

/// The deadline has passed.
struct Timeout;

impl Program {
    /// Starts the program. Its input stays open.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()));
        // All three were piped just now.
        let mut stdin = child.stdin.take().expect("an input");
        let (stdout, stderr) = (child.stdout.take().expect("an output"), child.stderr.take().expect("an error output"));
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // Ends, which closes the pipe, when the sender is dropped or the program has exited.
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (to_test, output) = channel();
        forward_lines(stdout, to_test.clone(), Output::Line);
        forward_lines(stderr, to_test, Output::ErrorLine);
        Self { child, input: Some(input), output, open_streams: 2, transcript: Vec::new(), stderr: Vec::new() }
    }

    /// Sends one or several lines.
    ///
    /// # Panics
    ///
    /// When the input was closed.
    #[track_caller]
    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Sends bytes as they are.
    ///
    /// # Panics
    ///
    /// When the input was closed.
    #[track_caller]
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).lines() {
            self.transcript.push(format!("> {}", line.chars().take(SHOWN_CHARS).collect::<String>()));
        }
        // If the program has exited, the next wait reports it.
        let _ = self.input.as_ref().expect("the input is open").send(bytes.to_vec());
    }

    /// Sends a signal, such as `-INT`.
    ///
    /// # Panics
    ///
    /// When it cannot be sent.
    #[cfg(unix)]
    #[track_caller]
    pub fn signal(&mut self, signal: &str) {
        self.transcript.push(format!("> (signal {signal})"));
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "cannot send the signal {signal}");
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.transcript.push("> (end of file)".to_owned());
        self.input = None;
    }

    /// Waits for a line that begins with `prefix`. Returns the lines up to and including it.
    ///
    /// # Panics
    ///
    /// When it does not come.
    #[track_caller]
    pub fn wait_for(&mut self, prefix: &str, within: Duration) -> Vec<String> {
        self.wait_until(prefix, within, |line| line.starts_with(prefix))
    }

    /// Waits for a line for which `is_it` holds. Returns the lines up to and including it.
    ///
    /// # Panics
    ///
    /// When it does not come; the message names it `what`.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, within: Duration, mut is_it: impl FnMut(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + within;
        let mut lines = Vec::new();
        loop {
            match self.next_line(deadline) {
                Ok(Some(line)) => {
                    let found = is_it(&line);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                Ok(None) => self.fail(&format!("the program exited before '{what}'")),
                Err(Timeout) => self.fail(&format!("no '{what}' within {within:?}")),
            }
        }
    }

    /// Waits for a while. Returns the lines that came.
    ///
    /// # Panics
    ///
    /// When a line comes that is `forbidden`, or the program ends.
    #[track_caller]
    pub fn expect_silence(&mut self, during: Duration, forbidden: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + during;
        let mut lines = Vec::new();
        loop {
            match self.next_line(deadline) {
                Ok(Some(line)) => {
                    if forbidden(&line) {
                        self.fail(&format!("unexpected line '{line}'"));
                    }
                    lines.push(line);
                }
                Ok(None) => self.fail("the program exited"),
                Err(Timeout) => return lines,
            }
        }
    }

    /// Waits until the program exits by itself. Returns the lines that it still wrote, and its exit status.
    ///
    /// # Panics
    ///
    /// When it does not exit.
    #[track_caller]
    pub fn wait_exit(&mut self, within: Duration) -> (Vec<String>, ExitStatus) {
        let deadline = Instant::now() + within;
        let mut lines = Vec::new();
        loop {
            match self.next_line(deadline) {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break,
                Err(Timeout) => self.fail(&format!("still running after {within:?}")),
            }
        }
        // Its output is closed, so it has exited or is about to. The standard library cannot wait with a timeout.
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return (lines, status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(None) => self.fail("the output is closed, but the process is running"),
                Err(error) => self.fail(&error.to_string()),
            }
        }
    }

    /// Sends a line, after which the program must exit successfully without another line.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[track_caller]
    pub fn end(&mut self, command: &str) {
        self.send(command);
        let (left, status) = self.wait_exit(PROMPT);
        assert!(left.is_empty(), "after '{command}': {left:?}");
        assert!(status.success(), "exited with {status}");
    }

    /// Whether the program has exited, or is about to because its input is closed.
    pub fn is_over(&mut self) -> bool {
        self.input.is_none() || self.open_streams == 0 || !matches!(self.child.try_wait(), Ok(None))
    }

    /// The lines on standard error that the waits so far have read.
    pub fn stderr_lines(&self) -> &[String] {
        &self.stderr
    }

    /// Fails the test.
    ///
    /// # Panics
    ///
    /// Always, with `what` and the end of the transcript.
    #[track_caller]
    pub fn fail(&self, what: &str) -> ! {
        let skipped = self.transcript.len().saturating_sub(SHOWN_LINES);
        panic!("{what}\n({skipped} earlier lines)\n{}", self.transcript[skipped..].join("\n"));
    }

    /// The next line of standard output; `None` when both streams are closed.
    #[track_caller]
    fn next_line(&mut self, deadline: Instant) -> Result<Option<String>, Timeout> {
        while self.open_streams > 0 {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Output::Line(line)) => {
                    self.transcript.push(format!("< {line}"));
                    return Ok(Some(line));
                }
                Ok(Output::ErrorLine(line)) => {
                    self.transcript.push(format!("! {line}"));
                    if line.contains("panicked at") {
                        self.fail("a thread of the program panicked");
                    }
                    self.stderr.push(line);
                }
                Ok(Output::Closed) => self.open_streams -= 1,
                Err(RecvTimeoutError::Timeout) => return Err(Timeout),
                Err(RecvTimeoutError::Disconnected) => self.open_streams = 0,
            }
        }
        Ok(None)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Both fail only if the process has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a line editor writes when it has taken over the terminal and begins to read. A prompt has no line break, so
/// this ends a line too.
pub const EDITOR_READS: &str = "\x1b[?2004h";

/// The next line of a stream with its end; `None` when the stream is closed or cannot be read.
fn next_line(stream: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let available = stream.fill_buf().ok()?;
        if available.is_empty() {
            return Some(line).filter(|line| !line.is_empty());
        }
        let mut used = 0;
        for &byte in available {
            used += 1;
            line.push(byte);
            if byte == b'\n' || line.ends_with(EDITOR_READS.as_bytes()) {
                stream.consume(used);
                return Some(line);
            }
        }
        stream.consume(used);
    }
}

/// Forwards every line of a stream, without its line break, until the stream is closed or the test has ended.
fn forward_lines(stream: impl Read + Send + 'static, to_test: Sender<Output>, wrap: fn(String) -> Output) {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        while let Some(mut bytes) = next_line(&mut stream) {
            bytes.pop_if(|byte| *byte == b'\n');
            bytes.pop_if(|byte| *byte == b'\r');
            let line = String::from_utf8(bytes)
                .unwrap_or_else(|fault| format!("(not UTF-8) {}", String::from_utf8_lossy(fault.as_bytes())));
            if to_test.send(wrap(line)).is_err() {
                return;
            }
        }
        let _ = to_test.send(Output::Closed);
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        Program::start(Command::new("sh").args(["-c", script]))
    }

    #[test]
    fn lines_go_both_ways() {
        let mut program = shell("cat");
        program.send("one\ntwo");
        assert_eq!(program.wait_for("tw", PROMPT), ["one", "two"]);
        program.send_bytes(b"three\r\n\xff\n");
        assert_eq!(program.wait_for("(not", PROMPT), ["three", "(not UTF-8) \u{fffd}"]);
        assert!(program.expect_silence(Duration::from_millis(1), |_| true).is_empty());
        program.close_input();
        let (left, status) = program.wait_exit(PROMPT);
        assert!(left.is_empty() && status.success());
    }

    #[test]
    fn the_exit_status_is_returned() {
        let mut program = shell("echo left; echo oh >&2; exit 3");
        let (left, status) = program.wait_exit(PROMPT);
        assert_eq!((left, status.code()), (vec!["left".to_owned()], Some(3)));
        assert_eq!(program.stderr_lines(), ["oh"]);
        shell("read word; test $word = bye").end("bye");
    }

    #[test]
    #[should_panic(expected = "no 'never' within 1ms\n(0 earlier lines)\n> hello")]
    fn a_timeout_shows_the_transcript() {
        let mut program = shell("exec sleep 60");
        program.send("hello");
        program.wait_for("never", Duration::from_millis(1));
    }

    #[test]
    #[should_panic(expected = "exited before 'never'")]
    fn an_exit_ends_a_wait() {
        shell("exit 0").wait_for("never", SEARCH);
    }

    #[test]
    #[should_panic(expected = "a thread of the program panicked")]
    fn a_panic_is_noticed() {
        shell("echo thread x panicked at y >&2").wait_exit(PROMPT);
    }
}
