//! The UCI protocol: which command does what, and when.

use crate::traced::trace_request;
use crate::typed::with_small_keywords;
use bartizan_engine::uci::{UciWriter, limits};
use bartizan_engine::{AUTHOR, Limits, NAME, SearchEvent, SearchResult};
use bartizan_frontend::console;
use bartizan_frontend::{
    Config, FileSettings, FrontEnd, Output, Purpose, Searching, Session, options, thinking_heading, thinking_result,
    thinking_row, why_illegal,
};
use bartizan_position::{Game, Position};
use bartizan_protocol::uci::{Command, CommandError, GoParams, Id, Message, OptionDecl, StartPosition};
use bartizan_types::{Escaped, Value};
use std::collections::VecDeque;
use std::fmt::Display;

/// A line that waits for the end of a search.
enum Waiting {
    Protocol(Command),
    /// A console command. It refers to the game, which an earlier command may replace.
    Console(String),
    /// A `position` that cannot be read.
    Unreadable(CommandError),
}

impl Waiting {
    fn is_go(&self) -> bool {
        matches!(self, Self::Protocol(Command::Go(_)))
    }

    fn is_stop(&self) -> bool {
        matches!(self, Self::Protocol(Command::Stop))
    }

    fn is_ponder_hit(&self) -> bool {
        matches!(self, Self::Protocol(Command::PonderHit))
    }

    /// Whether it applies to a running search and need not wait for it.
    fn is_for_search(&self) -> bool {
        self.is_stop() || self.is_ponder_hit() || matches!(self, Self::Protocol(Command::IsReady))
    }
}

/// The UCI front end.
pub(crate) struct Uci {
    session: Session,
    /// Lines that came during a search and wait for its end, in order.
    waiting: VecDeque<Waiting>,
    /// Whether the last `position` was refused: until another is accepted, nothing is searched, because the client's
    /// board is not the engine's.
    lacks_position: bool,
    /// The game in which a move is searched, for the game log.
    played: Option<Game>,
    /// The options after reading the settings files. They are declared as the defaults: clients need not send an option
    /// that has its default value.
    defaults: Config,
    /// The settings files read and their errors, to be reported after `uciok`: the client does not expect any text
    /// before.
    settings_notes: Vec<String>,
    has_failed: bool,
    /// Whether a person types the commands.
    is_typed: bool,
    /// The depth, number and value of the last line of thinking shown to a person.
    last_shown: Option<(u32, u32, Value)>,
    /// Whether the client has sent `uci`. Until then, a terminal shows the search in readable form.
    is_introduced: bool,
    /// Where the search writes its tree.
    #[cfg(feature = "trace")]
    pub(crate) tree: Option<bartizan_frontend::TreeFile>,
}

impl Uci {
    pub(crate) fn new(output: Output, settings: &FileSettings) -> Self {
        let mut session = Session::new(output);
        let faults = session.load_settings(settings);
        for fault in &faults {
            session.output.complain(format_args!("bartizan: {fault}"));
        }
        session.write_notes();
        let files = settings.files.iter().map(|file| format!("read {}", Escaped(file.display())));
        let (defaults, settings_notes) = (session.config().clone(), files.chain(faults).collect());
        Self {
            session,
            waiting: VecDeque::new(),
            lacks_position: false,
            played: None,
            defaults,
            settings_notes,
            has_failed: false,
            is_typed: false,
            last_shown: None,
            is_introduced: false,
            #[cfg(feature = "trace")]
            tree: None,
        }
    }

    /// Accepts other interactive input: moves, and commands and keywords in capital letters.
    pub(crate) fn expect_typing(&mut self) {
        self.is_typed = true;
    }

    /// Whether the output is for a person, not for a program.
    fn is_for_people(&self) -> bool {
        self.session.output.style().is_terminal && !self.is_introduced
    }

    /// Whether a command has failed, or its output could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed || self.is_closed()
    }

    /// Whether writing the output has failed.
    pub(crate) fn is_closed(&self) -> bool {
        self.session.output.is_closed()
    }

    pub(crate) fn print(&mut self, text: impl Display) {
        self.session.output.line(text);
    }

    /// Prints a text that is not an answer: plain for people, as an `info string` for programs.
    pub(crate) fn tell(&mut self, text: String) {
        if self.is_for_people() {
            self.print(text);
        } else {
            self.print(Message::info_string(text));
        }
    }

    pub(crate) fn fail(&mut self, error: impl Display) {
        self.has_failed = true;
        self.tell(format!("error: {error}"));
    }

    /// Prints the messages for the user.
    fn warn(&mut self) {
        for message in self.session.take_messages() {
            self.tell(message.to_string());
        }
    }

    /// Executes a command now, or after the current task.
    pub(crate) fn receive(&mut self, command: Command) {
        let task = self.session.task();
        match command {
            // These are answered at any time.
            Command::Quit => self.quit(),
            Command::IsReady if !task.is_idle() => self.print(Message::ReadyOk),
            Command::Uci | Command::Debug(_) | Command::Register(_) => self.execute(command),
            // These apply to the current search or, if it is already stopping, to the next one in the queue.
            Command::Stop | Command::PonderHit if self.waiting.is_empty() || !task.is_stopping() => {
                self.execute(command);
            }
            command if task.is_idle() => self.execute(command),
            Command::Stop | Command::PonderHit => self.wait_behind_next_search(command),
            command => self.waiting.push_back(Waiting::Protocol(command)),
        }
    }

    /// A `position` that cannot be read: from then on there is none.
    fn receive_unreadable(&mut self, error: CommandError) {
        if self.session.task().is_idle() {
            self.lacks_position = true;
            self.fail(error);
        } else {
            self.waiting.push_back(Waiting::Unreadable(error));
        }
    }

    /// Assigns a `stop` or `ponderhit` to the first waiting search that has no `stop` yet. Queued behind earlier
    /// commands, it could wait forever: they may wait for the search that it should stop.
    fn wait_behind_next_search(&mut self, command: Command) {
        let mut place = self.waiting.len();
        let mut rest = self.waiting.iter().enumerate();
        while let Some((_, waiting)) = rest.next() {
            if !waiting.is_go() {
                continue;
            }
            let next = rest.find(|(_, next)| !next.is_ponder_hit());
            match next {
                Some((_, next)) if next.is_stop() => {}
                Some((index, _)) => {
                    place = index;
                    break;
                }
                None => break,
            }
        }
        self.waiting.insert(place, Waiting::Protocol(command));
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if let Err(error) = self.session.engine.prepare() {
                    self.fail(error);
                }
                self.warn();
                self.print(Message::ReadyOk);
            }
            Command::SetOption { name, value } => {
                if let Err(error) = self.session.set_option(&name, value.as_deref()) {
                    self.fail(error);
                }
                self.warn();
            }
            Command::UciNewGame => {
                self.session.new_game();
                if self.lacks_position {
                    self.set_game(Game::default());
                }
            }
            Command::Position { start, moves } => {
                let engine = &mut self.session.engine;
                let result = match start {
                    StartPosition::Startpos => engine.set_startpos(&moves),
                    StartPosition::Fen(fen) => engine.set_position(&fen, &moves),
                };
                self.lacks_position = result.is_err();
                if let Err(error) = result {
                    self.fail(error);
                }
                self.warn();
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => self.session.task_mut().stop(),
            Command::PonderHit => self.session.ponder_hit(),
            Command::Quit => self.quit(),
            // `debug` and `register` change nothing.
            _ => {}
        }
    }

    /// Ends the program, after the answer to a running search.
    fn quit(&mut self) {
        if self.session.task().search().is_some() {
            self.session.leave();
            self.waiting.clear();
            self.session.task_mut().stop();
        } else {
            self.session.quit();
        }
    }

    /// The answer to `uci`.
    fn introduce(&mut self) {
        self.is_introduced = true;
        self.print(Message::Id(Id::Name(NAME.to_owned())));
        self.print(Message::Id(Id::Author(AUTHOR.to_owned())));
        for row in options::of_uci() {
            let declaration = OptionDecl { name: row.name().to_owned(), kind: row.kind(&self.defaults) };
            self.session.output.line(Message::Option(declaration));
        }
        self.print(Message::UciOk);
        for note in std::mem::take(&mut self.settings_notes) {
            self.print(Message::info_string(format!("settings: {note}")));
        }
    }

    fn go(&mut self, go: &GoParams) {
        for fault in &go.faults {
            self.fail(fault);
        }
        if self.lacks_position {
            self.fail("go: no position: the last one was refused");
            if self.is_for_people() {
                return;
            }
        }
        if let Some(depth) = go.perft {
            if self.lacks_position {
                self.print("\nNodes searched: 0\n");
                return;
            }
            if let Err(error) = self.session.start_perft(depth) {
                self.fail(error);
            }
            return;
        }
        let game = if self.lacks_position { game_over() } else { self.session.engine.game().clone() };
        let (mut limits, illegal) = limits(go, game.position());
        // `go depth abc` and `go depht 5` ask for a limit. Without one the search would never answer, unless the client
        // has promised to stop it.
        let is_misread = !go.faults.is_empty() || go.unknown.is_some();
        let has_end = limits.has_limit() || limits.infinite || limits.ponder;
        if is_misread && !has_end {
            if let Some(word) = &go.unknown {
                self.fail(format_args!("go: unknown argument '{word}'"));
            }
            self.print(Message::info_string("no valid limit; searching one ply"));
            limits = limits.with_depth(1);
        }
        for mv in illegal {
            self.fail(format_args!("searchmoves: illegal move '{mv}'"));
        }
        let purpose = match (limits.ponder, limits.infinite) {
            (true, _) => Purpose::Ponder(None),
            (false, true) => Purpose::Analyse,
            (false, false) => Purpose::Think,
        };
        let is_logged = self.session.records.logs_games() && !self.lacks_position && self.is_for_game(&limits, &game);
        self.played = is_logged.then(|| game.clone());
        let multipv = self.session.config().engine.multipv;
        let started = self.session.start_search(game, limits, multipv, purpose);
        self.warn();
        if purpose != Purpose::Analyse
            && let Some(choice) = self.session.engine.book_choice()
        {
            let mv = choice.mv.to_uci(self.session.config().engine.variant);
            self.tell(format!("book: {mv}, weight {}", choice.weight));
        }
        if let Err(error) = started {
            self.fail(error);
            let position = self.session.engine.position().clone();
            self.answer_unsearched(&position);
        } else if self.is_for_people() {
            self.last_shown = None;
            self.print(thinking_heading(self.session.output.style()));
        }
    }

    /// Whether a search is for a move of a game, as far as UCI reveals that. Without a clock, it looks like one in a
    /// suite of positions, or one that a person has typed; but a game continues.
    fn is_for_game(&self, limits: &Limits, game: &Game) -> bool {
        let is_analysis = limits.infinite || limits.mate.is_some() || self.session.config().engine.analyse;
        let goes_on = !self.is_typed && game.last_move().is_some();
        !is_analysis && (limits.clock.is_some() || goes_on)
    }

    /// Writes the events of a search. A position that comes during a search waits for its end.
    fn writer(&self) -> UciWriter {
        let config = self.session.config();
        UciWriter::new(self.session.engine.game(), config.engine.variant, config.show_wdl)
    }

    /// Answers with any legal move after an internal error: a client waits for a move, and loses without one.
    fn answer_unsearched(&mut self, root: &Position) {
        let mv = root.legal_moves().first().map(|mv| mv.to_uci(self.session.config().engine.variant));
        self.print(Message::BestMove { best: mv, ponder: None });
    }

    /// Records the game of a search, with the move that it found.
    fn log_game(&mut self, result: &SearchResult, purpose: Purpose) {
        let Some(mut game) = self.played.take() else { return };
        if matches!(purpose, Purpose::Ponder(_)) {
            // Without a `ponderhit` the expected move was not played, and the answer will not be played either.
            return;
        }
        let players = self.session.players(game.position().turn());
        if let Some(mv) = result.best {
            // The search found it among the legal moves.
            let _ = game.push(mv);
        }
        self.session.records.log_game(&game, &players);
    }
}

/// A game without legal moves, which is searched in place of a position that was refused: the answer is that there is
/// no move, and an endless search waits for `stop` as usual.
fn game_over() -> Game {
    let fools_mate = Position::from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    fools_mate.map_or_else(|_| Game::default(), Game::new)
}

impl FrontEnd for Uci {
    const HELP: &'static str = "\
Bartizan is a UCI chess engine. Add it to a chess GUI, or enter commands:

  position startpos moves e2e4
                        set up a position: startpos or fen FEN, then moves
  go depth 12           search; limits: depth N, nodes N, movetime MS, mate N,
                        wtime MS btime MS, infinite
  stop                  end the search
  setoption name Hash value 256
                        set an option; `uci` lists them
  quit                  exit

In a terminal, enter a move (e4, Nf3, e2e4) to play it on the board. Searches
are shown as a table until you enter `uci`.

A command may also be given as arguments: `bartizan go depth 12` searches and
exits. `bartizan play` starts a game in the terminal, and
`bartizan review GAME.pgn` reviews one.

Options:

  --config FILE         also read this settings file
  --no-config           do not read the user's settings files (bartizan.toml)
  -h, --help            print this help
  -V, --version         print the version
  --license             print the licence";

    const PROTOCOL_COMMANDS: &'static [&'static str] = &[
        "uci",
        "isready",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "setoption",
        "debug",
        "register",
        "quit",
    ];

    const PROGRAM_COMMANDS: &'static [&'static str] = &["play", "review"];

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn handle_line(&mut self, line: &str) {
        if self.session.is_leaving() {
            return;
        }
        if !self.waiting.is_empty() && !self.session.task().is_idle() && console::concerns_game::<Self>(line) {
            self.waiting.push_back(Waiting::Console(line.to_owned()));
            return;
        }
        if console::try_command(self, line) {
            return;
        }
        if let Some((go, file)) = trace_request(line) {
            return self.go_traced(go, file);
        }
        let line = &with_small_keywords(&console::with_small_command::<Self>(line));
        if self.is_typed && console::try_move(self, line) {
            return;
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.receive(command),
            Err(CommandError::Unknown { .. }) if self.is_typed && console::looks_like_move(line) => {
                let reason = why_illegal(self.session.engine.position(), line.trim()).unwrap_or_default();
                self.fail(format_args!("illegal move '{}': {reason}", line.trim()));
            }
            Err(error @ CommandError::Unknown { .. }) if is_program_command(line, "play") => {
                self.fail(format_args!("{error}; enter quit and start `bartizan play` for a game"));
            }
            Err(error @ CommandError::Unknown { .. }) if is_program_command(line, "review") => {
                self.fail(format_args!("{error}; enter quit and run `bartizan review GAME.pgn`"));
            }
            Err(error @ CommandError::Unknown { .. }) => {
                self.fail(format_args!("{error}{}", console::suggestion::<Self>(line)));
            }
            Err(error) if error.command() == Some("position") => self.receive_unreadable(error),
            Err(error) => self.fail(error),
        }
    }

    fn handle_search_event(&mut self, event: &SearchEvent) {
        if matches!(event, SearchEvent::Info(_)) {
            self.warn();
        }
        if self.lacks_position {
            return;
        }
        let Some(search) = self.session.task().search() else { return };
        if self.is_for_people() {
            // A search that stops within an iteration repeats its last line.
            if let SearchEvent::Info(info) = event
                && self.last_shown != Some((info.depth, info.multipv, info.value))
            {
                self.last_shown = Some((info.depth, info.multipv, info.value));
                let row = thinking_row(info, search.control.root(), self.session.output.style());
                self.print(row);
            }
            return;
        }
        if let Some(message) = self.writer().event(event) {
            self.print(message);
        }
    }

    fn handle_search_end(&mut self, search: Searching, result: Option<SearchResult>) {
        #[cfg(feature = "trace")]
        self.finish_trace();
        let Some(result) = result else {
            self.fail("the search thread has panicked");
            self.answer_unsearched(search.control.root());
            return;
        };
        if self.is_for_people() {
            self.print(thinking_result(&result, search.control.root()));
        } else {
            self.print(self.writer().best_move(&result));
        }
        // After the answer, because the client's clock runs until then.
        self.log_game(&result, search.purpose);
        self.session.records.learn_from(&SearchEvent::Finished(result));
    }

    /// Executes the waiting lines, up to the next search.
    fn handle_idle(&mut self) {
        while let Some(line) = self.waiting.pop_front() {
            let task = self.session.task();
            if !task.is_idle() && (!line.is_for_search() || task.is_stopping()) {
                self.waiting.push_front(line);
                break;
            }
            match line {
                Waiting::Protocol(command) => self.execute(command),
                Waiting::Console(line) => drop(console::try_command(self, &line)),
                Waiting::Unreadable(error) => self.receive_unreadable(error),
            }
        }
        if self.session.is_leaving() {
            self.session.quit();
        }
    }

    fn report_error(&mut self, error: &dyn Display, _: &str) {
        self.fail(error);
    }

    fn set_game(&mut self, game: Game) {
        self.session.engine.set_game(game);
        self.lacks_position = false;
    }

    fn lacks_position(&self) -> bool {
        self.lacks_position
    }

    fn interrupt(&mut self) -> Result<Option<Purpose>, &'static str> {
        if self.session.task().is_idle() { Ok(None) } else { Err("the engine is searching; enter 'stop' first") }
    }
}

/// Whether a line begins with a command of the command line that the console does not have.
fn is_program_command(line: &str, name: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case(name))
}
