//! The engine under test: a program that speaks UCI.

use std::ffi::OsString;
use std::ops::{Deref, DerefMut};
use std::process::Command;
use std::time::Duration;

use super::Info;
use bartizan_testkit::Program;
pub(crate) use bartizan_testkit::{LISTEN, PROMPT, SEARCH};

/// A running engine; terminated when dropped.
pub(crate) struct Engine {
    program: Program,
    /// Isolates the tests from the user's settings.
    _home: tempfile::TempDir,
}

/// An engine is a program with more methods.
impl Deref for Engine {
    type Target = Program;
    fn deref(&self) -> &Program {
        &self.program
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Program {
        &mut self.program
    }
}

/// The output of a `go`.
#[derive(Debug)]
pub(crate) struct Search {
    /// The `info` lines that are not `info string`.
    pub(crate) infos: Vec<Info>,
    /// The move after `bestmove`.
    pub(crate) best: String,
    /// The move after `ponder`.
    pub(crate) ponder: Option<String>,
}

/// The path of the program.
fn program() -> OsString {
    std::env::var_os("BARTIZAN_TEST_ENGINE").unwrap_or_else(|| OsString::from(env!("CARGO_BIN_EXE_bartizan")))
}

impl Engine {
    /// Starts the program without arguments and sends nothing.
    #[track_caller]
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the program with command-line arguments; its input stays open.
    #[track_caller]
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut command = Command::new(program());
        command.args(arguments);
        Self::run(command)
    }

    /// As [`Engine::start`], with a limit on the program's address space, in KiB.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub(crate) fn with_address_space(kib: u64) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {kib} && exec \"$0\"")]).arg(program());
        // Otherwise each thread would reserve 64 MiB of addresses for its own allocations, however little it allocates.
        command.env("MALLOC_ARENA_MAX", "1");
        // With it, the standard library may deadlock when it reports a lack of memory (Rust 1.95).
        command.env_remove("RUST_BACKTRACE");
        Self::run(command)
    }

    #[track_caller]
    fn run(mut command: Command) -> Self {
        let home = tempfile::tempdir().unwrap();
        command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path()).env("APPDATA", home.path());
        Self { program: Program::start(&mut command), _home: home }
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

    /// Waits for a while and fails if a `bestmove` comes.
    #[track_caller]
    pub(crate) fn expect_no_bestmove(&mut self) -> Vec<String> {
        self.expect_silence(LISTEN, |line| line.starts_with("bestmove"))
    }

    /// Sends `isready`, waits for `readyok`, and returns the lines before it.
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

    /// Sends `stop` and waits for the `bestmove` of the current search.
    #[track_caller]
    pub(crate) fn stop(&mut self) -> Search {
        self.send("stop");
        self.bestmove()
    }

    /// Waits for `bestmove`. The search consists of the lines that arrive now, not of those read before.
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

    /// The FEN and the key printed by the console command `d`.
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

    /// Ends the engine before the end of the test.
    pub(crate) fn finish(self) {}
}

/// Every test ends this way, unless it has failed or ended the engine itself: no output is left, and `quit` ends the
/// program successfully.
impl Drop for Engine {
    fn drop(&mut self) {
        if !std::thread::panicking() && !self.program.is_over() {
            let left = self.until_ready();
            assert!(left.is_empty(), "left over: {left:?}");
            self.expect_silence(Duration::from_millis(20), |_| true);
            self.program.end("quit");
        }
    }
}
