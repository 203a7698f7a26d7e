//! The engine under test: a program that speaks xboard's protocol.

use bartizan_position::Game;
use bartizan_testkit::{LISTEN, Program};
pub(crate) use bartizan_testkit::{PROMPT, SEARCH};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Command, ExitStatus};

/// A running engine; terminated when dropped.
pub(crate) struct Engine {
    program: Program,
    pings: u32,
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

/// A line of thinking: ply, score, time, nodes, and the moves.
pub(crate) struct Thinking {
    pub(crate) ply: i64,
    pub(crate) score: i64,
    pub(crate) moves: String,
}

/// Parses a line of thinking as strictly as python-chess does: four integers first.
pub(crate) fn thinking(line: &str) -> Option<Thinking> {
    let (numbers, moves) = line.split_once('\t')?;
    let numbers: Vec<i64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    (numbers.len() >= 4).then(|| Thinking { ply: numbers[0], score: numbers[1], moves: moves.to_owned() })
}

impl Engine {
    /// Starts the program with arguments and sends nothing.
    #[track_caller]
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bartizan-xboard"));
        command.args(arguments);
        command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path()).env("APPDATA", home.path());
        Self { program: Program::start(&mut command), pings: 0, _home: home }
    }

    /// Starts the program, reads its features, and begins a game in force mode.
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

    /// Sends a ping and returns the lines before the answer.
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

    /// Sends lines and returns the answer.
    #[track_caller]
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.sync()
    }

    /// Sends lines that must have no answer.
    #[track_caller]
    pub(crate) fn tell(&mut self, text: &str) {
        let said = self.ask(text);
        if !said.is_empty() {
            self.fail(&format!("`{text}` drew {said:?}"));
        }
    }

    /// Waits for a line that begins with `prefix`; returns the lines up to and including it.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, prefix: &str) -> Vec<String> {
        self.program.wait_for(prefix, SEARCH)
    }

    /// Waits for `move` and returns the move.
    #[track_caller]
    pub(crate) fn its_move(&mut self) -> String {
        let line = self.wait_for("move ").pop().unwrap();
        line["move ".len()..].to_owned()
    }

    /// Waits for a while and fails if a `forbidden` line comes; returns the lines that came.
    #[track_caller]
    pub(crate) fn expect_silence(&mut self, forbidden: impl Fn(&str) -> bool) -> Vec<String> {
        self.program.expect_silence(LISTEN, forbidden)
    }

    /// The FEN of the position on the engine's board.
    #[track_caller]
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("board");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| self.fail("no board")).to_owned()
    }

    /// Waits until the program has ended by itself.
    #[track_caller]
    pub(crate) fn wait_exit(&mut self) -> (Vec<String>, ExitStatus) {
        self.program.wait_exit(PROMPT)
    }

    /// Ends the engine before the end of the test.
    pub(crate) fn finish(self) {}
}

/// Every test ends this way, unless it has failed or ended the engine itself: no output is left, and `quit` ends the
/// program successfully.
impl Drop for Engine {
    fn drop(&mut self) {
        if !std::thread::panicking() && !self.program.is_over() {
            let left = self.sync();
            assert!(left.is_empty(), "left over: {left:?}");
            self.program.end("quit");
        }
    }
}

/// A game from the initial position.
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
