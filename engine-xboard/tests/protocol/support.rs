//! The program under test behind pipes: threads write to it and read from it, so that a test never blocks on it.

use bartizan_position::Game;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time enough, on a loaded machine, for an answer that needs no search.
pub(crate) const PROMPT: Duration = Duration::from_secs(10);
/// Time enough, on a loaded machine and without optimisation, for the small bounded searches of these tests.
pub(crate) const SEARCH: Duration = Duration::from_secs(60);
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
    pub(crate) child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    open_streams: u32,
    transcript: Vec<String>,
    pub(crate) complaints: Vec<String>,
    pings: u32,
    /// Settings of the user who runs the tests must not count.
    _home: tempfile::TempDir,
}

/// A line of thinking: ply, score, time, nodes, and the moves.
pub(crate) struct Thinking {
    pub(crate) ply: i64,
    pub(crate) score: i64,
    pub(crate) moves: String,
}

/// Reads a line of thinking as strictly as python-chess does: four whole numbers first.
pub(crate) fn thinking(line: &str) -> Option<Thinking> {
    let (numbers, moves) = line.split_once('\t')?;
    let numbers: Vec<i64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    (numbers.len() >= 4).then(|| Thinking { ply: numbers[0], score: numbers[1], moves: moves.to_owned() })
}

impl Engine {
    /// Starts the program with arguments and says nothing to it.
    #[track_caller]
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_bartizan-xboard"))
            .args(arguments)
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("APPDATA", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().unwrap();
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (to_test, output) = channel();
        forward_lines(child.stdout.take().unwrap(), to_test.clone(), Output::Line);
        forward_lines(child.stderr.take().unwrap(), to_test, Output::Complaint);
        Self {
            child,
            input: Some(input),
            output,
            open_streams: 2,
            transcript: Vec::new(),
            complaints: Vec::new(),
            pings: 0,
            _home: home,
        }
    }

    /// Starts the program, shakes hands and begins a game in force mode.
    #[track_caller]
    pub(crate) fn ready() -> Self {
        Self::ready_with(&[])
    }

    #[track_caller]
    pub(crate) fn ready_with(arguments: &[&str]) -> Self {
        let mut engine = Self::start_with(arguments);
        engine.send("xboard\nprotover 2");
        engine.wait_until("done=1", PROMPT, |line| line.starts_with("feature") && line.ends_with("done=1"));
        engine.send("new\nforce\nst 0.1\neasy\nnopost");
        engine.sync();
        engine
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, text: &str) {
        for line in text.lines() {
            self.transcript.push(format!("> {line}"));
        }
        // An engine that has gone shows itself at the next wait.
        let _ = self.input.as_ref().expect("the input is open").send(format!("{text}\n").into_bytes());
    }

    /// Closes the engine's standard input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Sends a ping and gives the lines before its answer.
    #[track_caller]
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let number = self.pings;
        self.send(&format!("ping {number}"));
        let pong = format!("pong {number}");
        let mut lines = self.wait_until(&pong, SEARCH, |line| line == pong);
        lines.pop();
        lines
    }

    /// Sends lines and gives what the engine says to them.
    #[track_caller]
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.sync()
    }

    /// Sends lines to which the engine must have nothing to say.
    #[track_caller]
    pub(crate) fn tell(&mut self, text: &str) {
        let said = self.ask(text);
        if !said.is_empty() {
            self.fail(&format!("`{text}` drew {said:?}"));
        }
    }

    /// Waits for a line that begins so; gives the lines up to and including it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, prefix: &str) -> Vec<String> {
        self.wait_until(prefix, SEARCH, |line| line.starts_with(prefix))
    }

    /// Waits for `move` and gives the move.
    #[track_caller]
    pub(crate) fn its_move(&mut self) -> String {
        let line = self.wait_for("move ").pop().unwrap();
        line["move ".len()..].to_owned()
    }

    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, within: Duration, is_it: impl Fn(&str) -> bool) -> Vec<String> {
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
    pub(crate) fn expect_silence(&mut self, forbidden: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + LISTEN;
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

    /// The position on the engine's board.
    #[track_caller]
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("board");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| self.fail("no board")).to_owned()
    }

    /// Waits until the program has ended by itself.
    #[track_caller]
    pub(crate) fn wait_exit(&mut self) -> (Vec<String>, ExitStatus) {
        let deadline = Instant::now() + PROMPT;
        let mut lines = Vec::new();
        loop {
            match self.next_line(deadline) {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => break,
                Err(Timeout) => self.fail("still running"),
            }
        }
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
        let left = self.sync();
        assert!(left.is_empty(), "left over: {left:?}");
        self.send("quit");
        let (left, status) = self.wait_exit();
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
                    self.complaints.push(line);
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

fn forward_lines(stream: impl Read + Send + 'static, to_test: Sender<Output>, wrap: fn(String) -> Output) {
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n') {
            let Ok(bytes) = line else { break };
            let line = String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned();
            if to_test.send(wrap(line)).is_err() {
                return;
            }
        }
        let _ = to_test.send(Output::Closed);
    });
}

/// A game from the starting position.
pub(crate) fn game(moves: &str) -> Game {
    let mut game = Game::default();
    for mv in moves.split_whitespace() {
        let mv = game.position().parse_uci(mv).unwrap();
        game.push(mv).unwrap();
    }
    game
}

/// Whether a move in coordinates is legal in a position.
pub(crate) fn is_legal(fen: &str, mv: &str) -> bool {
    let position = bartizan_position::Position::from_fen(fen).unwrap();
    position.parse_uci(mv).is_ok()
}

/// A path as text.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}
