//! One engine and its tasks: UCI commands, and reviews of games.

mod facts;
mod puzzles;
mod review;
mod search;

use crate::host;
use bartizan_book::Book;
use bartizan_engine::{AUTHOR, Engine, NAME, Network, Options, options, uci};
use bartizan_position::{Game, Position};
use bartizan_protocol::OptionKind;
use bartizan_protocol::uci::{Command, GoParams, Id, Message, OptionDecl, StartPosition, same_option_name};
use bartizan_tablebase::Tablebases;
use puzzles::PuzzleTask;
use review::ReviewTask;
use search::{Perft, SearchTask};
use wasm_bindgen::prelude::wasm_bindgen;

/// The options of the engine that have an effect in a browser: it has neither files nor threads.
const OPTIONS: [&str; 14] = [
    "Hash",
    "Clear Hash",
    "MultiPV",
    "Move Overhead",
    "Contempt",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Skill Level",
    "Seed",
    "OwnBook",
    "Book Depth",
    "Book Variety",
    "UCI_Chess960",
    "UCI_AnalyseMode",
];

/// An option of its own: whether searches report the chances to win, draw and lose.
const SHOW_WDL: &str = "UCI_ShowWDL";

/// The largest hash table, in MiB. A module has 4 GiB of memory at most, and browsers on phones less.
const MOST_HASH: i64 = 1024;

/// What the program around the module has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
enum Next {
    /// Nothing: the command is done.
    Nothing = 0,
    /// Call [`Session::run`].
    Run = 1,
    /// Let other events happen, then call [`Session::run`] again.
    RunAgain = 2,
    /// Call [`Session::release`] once the search is stopped: it has ended, but must not answer before.
    Hold = 3,
    /// End the worker.
    Quit = 4,
}

/// A task for [`Session::run`].
enum Task {
    Search(Box<SearchTask>),
    Perft(Box<Perft>),
    Review(Box<ReviewTask>),
    Puzzles(Box<PuzzleTask>),
}

/// One engine. Only [`stop`](crate::stop) may be called while [`Session::run`] is suspended.
#[wasm_bindgen]
pub struct Session {
    engine: Engine,
    shows_wdl: bool,
    /// Whether the last `position` was refused. Until another is accepted, nothing is searched, because the client's
    /// board is not the engine's.
    lacks_position: bool,
    /// Whether long searches run in slices, because nothing else lets them hear a stop.
    has_slices: bool,
    task: Option<Task>,
    /// The answer of a search that has ended, but waits for a stop.
    held: Option<Message>,
    /// Files of endgame tables that are not in use yet, by name.
    tables: Vec<(String, Vec<u8>)>,
    /// The result of a review or of a search for puzzles.
    result: Option<Result<String, String>>,
}

#[wasm_bindgen]
impl Session {
    /// An engine that speaks to a host. `seed` makes its choices differ from those of other sessions; `has_slices` says
    /// that the host can neither suspend the module nor share memory with it.
    #[wasm_bindgen(constructor)]
    pub fn new(host: host::Host, seed: u32, has_slices: bool) -> Self {
        host::set(host);
        let mut engine = Engine::new();
        engine.set_game_seed(seed.into());
        Self {
            engine,
            shows_wdl: false,
            lacks_position: false,
            has_slices,
            task: None,
            held: None,
            tables: Vec::new(),
            result: None,
        }
    }

    /// Replaces the network by one in Bartizan's format.
    pub fn set_network(&mut self, bytes: &[u8]) -> Result<(), String> {
        let network = Network::from_bytes(bytes).map_err(|error| error.to_string())?;
        self.engine.set_network(network);
        Ok(())
    }

    /// Replaces the opening book by one in the Polyglot format.
    pub fn set_book(&mut self, bytes: Vec<u8>) -> Result<(), String> {
        let book = Book::from_bytes(bytes).map_err(|error| error.to_string())?;
        self.engine.set_book(book);
        Ok(())
    }

    /// Adds a Syzygy table for [`Session::use_tables`].
    pub fn add_table(&mut self, name: String, bytes: Vec<u8>) {
        self.tables.push((name, bytes));
    }

    /// Replaces the endgame tables by those added, for searches and for [`Session::probe`]. Returns the number of pieces
    /// that they cover. After an error, the old ones stay.
    pub fn use_tables(&mut self) -> Result<u32, String> {
        let tables = Tablebases::from_files(self.tables.drain(..)).map_err(|error| error.to_string())?;
        let men = tables.max_pieces() as u32;
        self.engine.set_syzygy(tables);
        Ok(men)
    }

    /// What the endgame tables say of the position, as JSON; `null` if they do not cover it.
    pub fn probe(&self) -> Result<String, String> {
        let Some(tables) = self.engine.syzygy() else { return Ok("null".to_owned()) };
        facts::probe(tables, self.engine.position())
    }

    /// The evaluation of the position in words and by pieces, as JSON; `null` in check.
    pub fn evaluation(&self) -> Result<String, String> {
        facts::evaluation(self.engine.position(), self.engine.searched_value())
    }

    /// The book's moves in the position, as JSON.
    pub fn book_moves(&self) -> Result<String, String> {
        let moves = self.engine.book_moves().map_err(|error| error.to_string())?;
        facts::book_moves(self.engine.position(), &moves.unwrap_or_default())
    }

    /// Executes a UCI command, or begins a task; returns a [`Next`]. The host answers `stop` and, during a task,
    /// `isready` itself.
    pub fn command(&mut self, line: &str, seed: u32) -> i32 {
        let next = match Command::parse(line) {
            Ok(Some(command)) => self.execute(command, seed),
            Ok(None) => Next::Nothing,
            Err(error) => {
                // The client's board is not the engine's.
                self.lacks_position |= line.trim_start().starts_with("position");
                fail(error)
            }
        };
        next as i32
    }

    /// Continues the task; returns a [`Next`].
    pub fn run(&mut self) -> i32 {
        let next = match self.task.take() {
            None => Next::Nothing,
            Some(Task::Search(task)) => self.search(task),
            Some(Task::Perft(task)) => task.run(),
            Some(Task::Review(task)) => {
                self.result = Some(task.run());
                Next::Nothing
            }
            Some(Task::Puzzles(task)) => {
                self.result = Some(task.run());
                Next::Nothing
            }
        };
        next as i32
    }

    /// Gives the answer that was held back.
    pub fn release(&mut self) {
        if let Some(answer) = self.held.take() {
            say(answer);
        }
    }

    /// Prepares the review of the first game of a PGN text for [`Session::run`]. The moves before `skipped` plies are
    /// not judged; each position is searched with `nodes`; `critical` moments get a value for every move;
    /// `has_page` adds the markup for a page.
    pub fn prepare_review(
        &mut self,
        pgn: &str,
        skipped: u32,
        nodes: u32,
        critical: u32,
        has_page: bool,
    ) -> Result<(), String> {
        let task = ReviewTask::new(pgn, skipped as usize, nodes.into(), critical as usize, has_page)?;
        host::begin();
        self.task = Some(Task::Review(Box::new(task)));
        Ok(())
    }

    /// Prepares the review of the last move of a game. The game is given by its first position, the initial one if
    /// `fen` is empty, and its moves in coordinate notation.
    pub fn prepare_explanation(&mut self, fen: &str, moves: &str, nodes: u32) -> Result<(), String> {
        let start = if fen.trim().is_empty() { Position::default() } else { position(fen)? };
        let mut game = Game::new(start);
        for (number, text) in moves.split_whitespace().enumerate() {
            let illegal = |error: String| format!("move {}: {error}", number + 1);
            let mv = game.position().parse_uci(text).map_err(|error| illegal(error.to_string()))?;
            game.push(mv).map_err(|error| illegal(error.to_string()))?;
        }
        host::begin();
        self.task = Some(Task::Review(Box::new(ReviewTask::of_last_move(&game, nodes.into()))));
        Ok(())
    }

    /// Prepares the search for puzzles in the first game of a PGN text, for [`Session::run`].
    pub fn prepare_puzzles(&mut self, pgn: &str, nodes: u32) -> Result<(), String> {
        let task = PuzzleTask::new(pgn, nodes.into())?;
        host::begin();
        self.task = Some(Task::Puzzles(Box::new(task)));
        Ok(())
    }

    /// The result of the last review: a game's report as JSON, `null` if it has no moves; or of the last search for
    /// puzzles.
    pub fn take_result(&mut self) -> Result<String, String> {
        self.result.take().unwrap_or_else(|| Err("no result".to_owned()))
    }
}

impl Session {
    fn execute(&mut self, command: Command, seed: u32) -> Next {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => say(Message::ReadyOk),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.engine.new_game();
                self.engine.set_game_seed(seed.into());
                if self.lacks_position {
                    self.lacks_position = false;
                    self.engine.set_game(Game::default());
                }
            }
            Command::Position { start, moves } => {
                let set = match start {
                    StartPosition::Startpos => self.engine.set_startpos(&moves),
                    StartPosition::Fen(fen) => self.engine.set_position(&fen, &moves),
                };
                self.lacks_position = set.is_err();
                if let Err(error) = set {
                    return fail(error);
                }
                self.tell();
            }
            Command::Go(go) => return self.go(&go),
            Command::Quit => return Next::Quit,
            // The host handles stops. Nothing else changes anything.
            _ => {}
        }
        Next::Nothing
    }

    /// The answer to `uci`.
    fn introduce(&self) {
        say(Message::Id(Id::Name(NAME.to_owned())));
        say(Message::Id(Id::Author(AUTHOR.to_owned())));
        // Clients set it, so that it must be there.
        let threads = OptionKind::Spin { default: 1, min: 1, max: 1 };
        say(Message::Option(OptionDecl { name: "Threads".to_owned(), kind: threads }));
        for name in OPTIONS {
            let Ok(row) = options::find(name) else { continue };
            let kind = match row.kind(self.engine.options()) {
                OptionKind::Spin { default, min, max } if name == "Hash" => {
                    OptionKind::Spin { default, min, max: max.min(MOST_HASH) }
                }
                kind => kind,
            };
            say(Message::Option(OptionDecl { name: name.to_owned(), kind }));
        }
        let kind = OptionKind::Check { default: self.shows_wdl };
        say(Message::Option(OptionDecl { name: SHOW_WDL.to_owned(), kind }));
        say(Message::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Next {
        if same_option_name(name, SHOW_WDL) {
            match value {
                Some("true") => self.shows_wdl = true,
                Some("false") => self.shows_wdl = false,
                _ => return fail(format_args!("option '{SHOW_WDL}' is true or false")),
            }
            return Next::Nothing;
        }
        if same_option_name(name, "Threads") {
            if value != Some("1") {
                say(Message::info_string("this engine searches with one thread"));
            }
            return Next::Nothing;
        }
        if !OPTIONS.iter().any(|known| same_option_name(known, name)) {
            return match options::find(name) {
                Ok(row) => fail(format_args!("option '{}' has no effect in a browser", row.name())),
                Err(error) => fail(error),
            };
        }
        let is_hash = same_option_name(name, "Hash");
        if is_hash && value.and_then(|value| value.parse::<i64>().ok()).is_some_and(|mib| mib > MOST_HASH) {
            return fail(format_args!("option 'Hash' is {MOST_HASH} at most"));
        }
        let set = self.engine.set_option(name, value);
        self.tell();
        set.map_or_else(fail, |()| Next::Nothing)
    }

    /// Says what the engine has to tell.
    fn tell(&mut self) {
        for notice in self.engine.take_notices() {
            say(Message::info_string(notice.to_string()));
        }
    }

    fn go(&mut self, go: &GoParams) -> Next {
        for fault in &go.faults {
            fail(fault);
        }
        if self.lacks_position {
            fail("go: no position: the last one was refused");
        }
        let game = if self.lacks_position { game_over() } else { self.engine.game().clone() };
        host::begin();
        if let Some(depth) = go.perft {
            let perft = Perft::new(game.position().clone(), depth, self.engine.options().variant);
            self.task = Some(Task::Perft(Box::new(perft)));
            return Next::Run;
        }
        let (mut limits, illegal) = uci::limits(go, game.position());
        for mv in illegal {
            fail(format_args!("searchmoves: illegal move '{mv}'"));
        }
        let is_misread = !go.faults.is_empty() || go.unknown.is_some();
        if is_misread && !limits.has_limit() && !limits.infinite && !limits.ponder {
            if let Some(word) = &go.unknown {
                fail(format_args!("go: unknown argument '{word}'"));
            }
            say(Message::info_string("no valid limit; searching one ply"));
            limits = limits.with_depth(1);
        }
        // The host turns a ponder hit into a stop: the move is that of the search so far.
        let waits = limits.infinite || limits.ponder || !limits.has_limit();
        limits.infinite |= limits.ponder;
        limits.ponder = false;
        if !limits.infinite {
            limits = self.engine.with_book(&game, limits);
        }
        if let Some(choice) = self.engine.book_choice().filter(|_| !limits.infinite) {
            let mv = choice.mv.to_uci(self.engine.options().variant);
            say(Message::info_string(format!("book: {mv}, weight {}", choice.weight)));
        }
        self.tell();
        let writer = uci::UciWriter::new(&game, self.engine.options().variant, self.shows_wdl);
        let options = self.engine.options();
        // A move of a level takes few nodes, and would not be the same in slices.
        let is_level = options.level().rating().is_some() && !limits.infinite && !options.analyse;
        let slices = self.has_slices && !is_level;
        self.task = Some(Task::Search(Box::new(SearchTask::new(game, limits, options.multipv, writer, slices, waits))));
        Next::Run
    }

    fn search(&mut self, mut task: Box<SearchTask>) -> Next {
        match task.run(&mut self.engine) {
            Err(error) => {
                fail(error);
                say(Message::BestMove { best: None, ponder: None });
                Next::Nothing
            }
            Ok(None) => {
                self.task = Some(Task::Search(task));
                Next::RunAgain
            }
            Ok(Some(answer)) if task.waits && !host::was_stopped() => {
                self.held = Some(answer);
                Next::Hold
            }
            Ok(Some(answer)) => {
                say(answer);
                Next::Nothing
            }
        }
    }
}

fn position(fen: &str) -> Result<Position, String> {
    Position::from_fen(fen).map_err(|error| error.to_string())
}

/// A game without legal moves, which is searched in place of a position that was refused.
fn game_over() -> Game {
    let fools_mate = Position::from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    fools_mate.map_or_else(|_| Game::default(), Game::new)
}

fn say(message: Message) {
    host::line(&message.to_string());
}

fn fail(error: impl std::fmt::Display) -> Next {
    say(Message::info_string(format!("error: {error}")));
    Next::Nothing
}

/// The largest table fits into the engine's own range.
const _: () = assert!(MOST_HASH as usize <= *Options::HASH_MIB.end());
