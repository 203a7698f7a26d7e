//! The program under test behind pipes: threads write to it and read from it, so that a test never blocks on it.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Info;

/// Time enough, on a loaded machine, for an answer that needs no search.
pub(crate) const PROMPT: Duration = Duration::from_secs(5);
/// Time enough, on a loaded machine and without optimisation, for the small bounded searches of these tests.
pub(crate) const SEARCH: Duration = Duration::from_secs(30);
/// How long a test listens for what must not come. Too short can only miss a fault, never report a false one.
pub(crate) const LISTEN: Duration = Duration::from_millis(250);

/// Something that came out of the program.
enum Output {
    Line(String),
    Complaint(String),
    Closed,
}

/// A running engine; killed when dropped.
pub(crate) struct Engine {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    open_streams: u32,
    transcript: Vec<String>,
}

/// What a `go` brought forth.
#[derive(Debug)]
pub(crate) struct Search {
    /// The `info` lines that are not `info string`.
    pub(crate) infos: Vec<Info>,
    /// The move behind `bestmove`.
    pub(crate) best: String,
    /// The move behind `ponder`.
    pub(crate) ponder: Option<String>,
}

impl Engine {
    /// Starts the program with no argument and says nothing to it.
    #[track_caller]
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the program with command-line arguments; its input stays open.
    #[track_caller]
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let program =
            std::env::var_os("BARTIZAN_TEST_ENGINE").unwrap_or_else(|| OsString::from(env!("CARGO_BIN_EXE_bartizan")));
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");

        let mut stdin = child.stdin.take().unwrap();
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // Ends, and so closes the pipe, when the sender is dropped or the engine has gone.
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });

        let (to_test, output) = channel();
        forward_lines(child.stdout.take().unwrap(), to_test.clone(), Output::Line);
        forward_lines(child.stderr.take().unwrap(), to_test, Output::Complaint);
        Self { child, input: Some(input), output, open_streams: 2, transcript: Vec::new() }
    }

    /// Starts the program and waits until it has answered `uci` and `isready`.
    #[track_caller]
    pub(crate) fn ready() -> Self {
        let mut engine = Self::start();
        engine.send("uci");
        engine.wait_for("uciok", PROMPT);
        engine.until_ready();
        engine
    }

    /// As [`Engine::ready`], with options set.
    #[track_caller]
    pub(crate) fn with_options(options: &[(&str, &str)]) -> Self {
        let mut engine = Self::ready();
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        let said = engine.until_ready();
        assert!(!said.iter().any(|line| line.starts_with("info string")), "setting options {options:?} drew {said:?}");
        engine
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
        self.transcript.push(format!("> {}", shown.trim_end()));
        // An engine that has gone shows itself at the next wait.
        let _ = self.input.as_ref().expect("the input is open").send(bytes.to_vec());
    }

    /// Closes the engine's standard input.
    pub(crate) fn close_input(&mut self) {
        self.transcript.push("> (end of file)".to_owned());
        self.input = None;
    }

    /// Waits for a line that begins with `prefix`; gives the lines up to and including it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, prefix: &str, within: Duration) -> Vec<String> {
        self.wait_until(prefix, within, |line| line.starts_with(prefix))
    }

    /// Waits for a line that fulfils `is_it`; gives the lines up to and including it.
    #[track_caller]
    pub(crate) fn wait_until(
        &mut self,
        what: &str,
        within: Duration,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Vec<String> {
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
                Ok(None) => self.fail(&format!("the engine ended before `{what}`")),
                Err(Timeout) => self.fail(&format!("no `{what}` within {within:?}")),
            }
        }
    }

    /// Listens for a while and fails if a line comes that is `forbidden`; gives the lines that came.
    #[track_caller]
    pub(crate) fn expect_silence(&mut self, during: Duration, forbidden: impl Fn(&str) -> bool) -> Vec<String> {
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
                Ok(None) => self.fail("the engine ended"),
                Err(Timeout) => return lines,
            }
        }
    }

    /// Listens for a while and fails if a `bestmove` comes.
    #[track_caller]
    pub(crate) fn expect_no_bestmove(&mut self) -> Vec<String> {
        self.expect_silence(LISTEN, |line| line.starts_with("bestmove"))
    }

    /// Sends `isready`, waits for `readyok` and gives the lines that came before it.
    #[track_caller]
    pub(crate) fn until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.wait_until("readyok", PROMPT, |line| line == "readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` that ends by itself and waits for its `bestmove`.
    #[track_caller]
    pub(crate) fn go(&mut self, line: &str) -> Search {
        self.send(line);
        self.bestmove()
    }

    /// Sends `stop` and waits for the `bestmove` of the search under way.
    #[track_caller]
    pub(crate) fn stop(&mut self) -> Search {
        self.send("stop");
        self.bestmove()
    }

    /// Waits for `bestmove`; the search is made of the lines that come now, not of those already read.
    #[track_caller]
    pub(crate) fn bestmove(&mut self) -> Search {
        let lines = self.wait_for("bestmove", SEARCH);
        self.search(&lines)
    }

    /// Reads the lines of a search, the last of which is its `bestmove`.
    #[track_caller]
    pub(crate) fn search(&self, lines: &[String]) -> Search {
        let (last, before) = lines.split_last().unwrap();
        let mut infos = Vec::new();
        for line in before.iter().filter(|line| !line.starts_with("info string")) {
            match line.parse() {
                Ok(info) => infos.push(info),
                Err(fault) => self.fail(&format!("{fault} in `{line}`")),
            }
        }
        let words: Vec<&str> = last.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best, None),
            ["bestmove", best, "ponder", ponder] => (best, Some(ponder.to_owned())),
            _ => self.fail(&format!("`{last}` is not well formed")),
        };
        Search { infos, best: best.to_owned(), ponder }
    }

    /// The FEN and the key that the console command `d` shows.
    #[track_caller]
    pub(crate) fn shown(&mut self) -> (String, String) {
        self.send("d");
        let lines = self.until_ready();
        let field = |name: &str| {
            let found = lines.iter().find_map(|line| line.strip_prefix(name));
            found.unwrap_or_else(|| self.fail(&format!("`d` shows no line `{name}…`"))).trim().to_owned()
        };
        (field("Fen: "), field("Key: "))
    }

    /// Waits until the program has ended by itself; gives what it still said, and how it ended.
    #[track_caller]
    pub(crate) fn wait_exit(&mut self, within: Duration) -> (Vec<String>, ExitStatus) {
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
            if let Some(status) = self.child.try_wait().unwrap() {
                return (lines, status);
            }
            if Instant::now() >= deadline {
                self.fail("output closed but the process stays");
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The end of a test: nothing is left to be said, and `quit` ends the program with success.
    #[track_caller]
    pub(crate) fn finish(mut self) {
        let left = self.until_ready();
        assert!(left.is_empty(), "left over: {left:?}");
        self.expect_silence(Duration::from_millis(20), |_| true);
        self.send("quit");
        let (left, status) = self.wait_exit(PROMPT);
        assert!(left.is_empty(), "after quit: {left:?}");
        assert!(status.success(), "ended with {status}");
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
                        self.fail("a thread of the engine panicked");
                    }
                }
                Ok(Output::Closed) => self.open_streams -= 1,
                Err(RecvTimeoutError::Timeout) => return Err(Timeout),
                Err(RecvTimeoutError::Disconnected) => self.open_streams = 0,
            }
        }
        Ok(None)
    }

    /// Fails the test and shows the end of the conversation.
    #[track_caller]
    pub(crate) fn fail(&self, what: &str) -> ! {
        let skipped = self.transcript.len().saturating_sub(60);
        panic!("{what}\n({skipped} earlier lines)\n{}", self.transcript[skipped..].join("\n"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Both fail only when the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The deadline has passed.
struct Timeout;

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
