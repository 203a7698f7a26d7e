//! A program under test behind pipes: threads write to it and read from it, so that a test never blocks on it.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time enough, on a loaded machine, for an answer that needs no search.
pub const PROMPT: Duration = Duration::from_secs(10);
/// Time enough, on a loaded machine and without optimisation, for a small bounded search.
pub const SEARCH: Duration = Duration::from_secs(60);
/// How long a test listens for what must not come. Too short can only miss a fault, never report a false one.
pub const LISTEN: Duration = Duration::from_millis(250);

/// The lines of the conversation that a failure shows.
const SHOWN_LINES: usize = 60;
/// The characters of a line to the program that it shows.
const SHOWN_CHARS: usize = 200;

/// A running program to which a test talks line by line, each wait with a deadline. A test that waits in vain, or in which
/// a thread of the program panics, fails and shows the end of the conversation. The program is killed when dropped.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    open_streams: u32,
    transcript: Vec<String>,
    complaints: Vec<String>,
}

/// Something that came out of the program.
#[derive(Debug)]
enum Output {
    Line(String),
    Complaint(String),
    Closed,
}

/// The deadline has passed.
struct Timeout;

impl Program {
    /// Starts the program and says nothing to it; its input stays open.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()));
        // Each was piped just now.
        let mut stdin = child.stdin.take().expect("an input");
        let (stdout, stderr) = (child.stdout.take().expect("an output"), child.stderr.take().expect("an error output"));
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // Ends, and so closes the pipe, when the sender is dropped or the program has gone.
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (to_test, output) = channel();
        forward_lines(stdout, to_test.clone(), Output::Line);
        forward_lines(stderr, to_test, Output::Complaint);
        let (transcript, complaints) = (Vec::new(), Vec::new());
        Self { child, input: Some(input), output, open_streams: 2, transcript, complaints }
    }

    /// Sends a line, or several.
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
        // A program that has gone shows itself at the next wait.
        let _ = self.input.as_ref().expect("the input is open").send(bytes.to_vec());
    }

    /// Closes the program's standard input.
    pub fn close_input(&mut self) {
        self.transcript.push("> (end of file)".to_owned());
        self.input = None;
    }

    /// Waits for a line that begins with `prefix`; gives the lines up to and including it.
    ///
    /// # Panics
    ///
    /// When it does not come.
    #[track_caller]
    pub fn wait_for(&mut self, prefix: &str, within: Duration) -> Vec<String> {
        self.wait_until(prefix, within, |line| line.starts_with(prefix))
    }

    /// Waits for a line that fulfils `is_it`; gives the lines up to and including it.
    ///
    /// # Panics
    ///
    /// When it does not come; the message says that it was `what`.
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
                Ok(None) => self.fail(&format!("the program ended before `{what}`")),
                Err(Timeout) => self.fail(&format!("no `{what}` within {within:?}")),
            }
        }
    }

    /// Listens for a while; gives the lines that came.
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
                        self.fail(&format!("`{line}` came unasked"));
                    }
                    lines.push(line);
                }
                Ok(None) => self.fail("the program ended"),
                Err(Timeout) => return lines,
            }
        }
    }

    /// Waits until the program has ended by itself; gives what it still said, and how it ended.
    ///
    /// # Panics
    ///
    /// When it does not end.
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
        // Its output is closed, so it is gone or about to go; the standard library cannot wait with a deadline.
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return (lines, status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(None) => self.fail("output closed but the process stays"),
                Err(error) => self.fail(&error.to_string()),
            }
        }
    }

    /// Says `goodbye`, at which the program must end with success and without another word.
    ///
    /// # Panics
    ///
    /// When it does not.
    #[track_caller]
    pub fn end(mut self, goodbye: &str) {
        self.send(goodbye);
        let (left, status) = self.wait_exit(PROMPT);
        assert!(left.is_empty(), "after {goodbye}: {left:?}");
        assert!(status.success(), "ended with {status}");
    }

    /// What it has said on its error output, as far as a wait has come by it.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Fails the test.
    ///
    /// # Panics
    ///
    /// Always, with `what` and the end of the conversation.
    #[track_caller]
    pub fn fail(&self, what: &str) -> ! {
        let skipped = self.transcript.len().saturating_sub(SHOWN_LINES);
        panic!("{what}\n({skipped} earlier lines)\n{}", self.transcript[skipped..].join("\n"));
    }

    /// The next line from standard output, `None` once both streams are closed.
    #[track_caller]
    fn next_line(&mut self, deadline: Instant) -> Result<Option<String>, Timeout> {
        while self.open_streams > 0 {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Output::Line(line)) => {
                    self.transcript.push(format!("< {line}"));
                    return Ok(Some(line));
                }
                Ok(Output::Complaint(line)) => {
                    self.transcript.push(format!("! {line}"));
                    if line.contains("panicked at") {
                        self.fail("a thread of the program panicked");
                    }
                    self.complaints.push(line);
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
        // Both fail only when the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands on every line of a stream, without its end, until the stream closes or the test has ended.
fn forward_lines(stream: impl Read + Send + 'static, to_test: Sender<Output>, wrap: fn(String) -> Output) {
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n') {
            let Ok(mut bytes) = line else { break };
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
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
    fn the_end_is_told() {
        let mut program = shell("echo left; echo oh >&2; exit 3");
        let (left, status) = program.wait_exit(PROMPT);
        assert_eq!((left, status.code()), (vec!["left".to_owned()], Some(3)));
        assert_eq!(program.complaints(), ["oh"]);
        shell("read word; test $word = bye").end("bye");
    }

    #[test]
    #[should_panic(expected = "no `never` within 1ms\n(0 earlier lines)\n> hello")]
    fn a_wait_in_vain_shows_the_conversation() {
        let mut program = shell("exec sleep 60");
        program.send("hello");
        program.wait_for("never", Duration::from_millis(1));
    }

    #[test]
    #[should_panic(expected = "ended before `never`")]
    fn a_program_that_is_gone_is_not_waited_for() {
        shell("exit 0").wait_for("never", SEARCH);
    }

    #[test]
    #[should_panic(expected = "a thread of the program panicked")]
    fn a_panic_is_noticed() {
        shell("echo thread x panicked at y >&2").wait_exit(PROMPT);
    }
}
