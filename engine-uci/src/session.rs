//! The conversation: commands in, messages out, one search at a time.

use crate::console;
use crate::output::Output;
use crate::translate;
use bartizan_engine::suite::Suite;
use bartizan_engine::{
    AUTHOR, Engine, EngineError, Limits, Material, NAME, Perft, PerftEvent, Players, SearchControl, SearchEvent,
    SearchResult, Settings, trace,
};
use bartizan_position::Game;
use bartizan_protocol::uci::{Command, GoParams, Id, Message, StartPosition};
use crossbeam::channel::{Receiver, never, unbounded};
use crossbeam::select;
use std::collections::VecDeque;
use std::process::ExitCode;

/// What the engine is busy with.
enum Task {
    Idle,
    Search(Running),
    Perft(Perft),
    /// A console user's `test`.
    Suite(Box<Suite>, Running),
}

/// A search and its events.
struct Running {
    control: SearchControl,
    events: Receiver<SearchEvent>,
}

impl Running {
    fn start(engine: &mut Engine, game: Game, limits: Limits, lines: usize) -> Result<Self, EngineError> {
        let (sender, events) = unbounded();
        let control = engine.search_with(game, limits, lines, move |event| drop(sender.send(event)))?;
        Ok(Self { control, events })
    }
}

/// One run of the program.
pub(crate) struct Session {
    task: Task,
    pub(crate) engine: Engine,
    pub(crate) output: Output,
    /// Commands that came during a search and wait for its end, in their order.
    waiting: VecDeque<Command>,
    /// The game that is being searched with a clock, for the game log.
    played: Option<Game>,
    /// What is wrong with the settings, until somebody asks who we are.
    faults: Vec<String>,
    quit: bool,
    /// A one-shot command went wrong.
    failed: bool,
}

impl Session {
    pub(crate) fn new(output: Output) -> Self {
        Self {
            engine: Engine::new(),
            output,
            task: Task::Idle,
            waiting: VecDeque::new(),
            played: None,
            faults: Vec::new(),
            quit: false,
            failed: false,
        }
    }

    /// Takes what the settings files say.
    pub(crate) fn configure(&mut self, settings: &Settings) {
        self.faults.extend(settings.faults.iter().map(ToString::to_string));
        for assignment in &settings.assignments {
            let set = if translate::is_log_file(assignment.option) {
                self.set_log(&assignment.value)
            } else {
                let set = self.engine.set_option(assignment.option, Some(&assignment.value));
                set.map_err(|error| error.to_string())
            };
            if let Err(error) = set {
                self.faults.push(format!("{}: {error}", assignment.place));
            }
        }
        for fault in &self.faults {
            Output::complain(fault);
        }
        self.tell_notes();
    }

    /// Begins or ends the log file; an engine that is logged says more.
    fn set_log(&mut self, path: &str) -> Result<(), String> {
        let set = self.output.set_log(path);
        self.engine.set_trace(self.output.is_logged());
        set.map_err(|error| format!("cannot write the log file '{path}': {error}"))
    }

    fn tell_notes(&mut self) {
        for note in self.engine.take_notes() {
            self.output.trace(|| note);
        }
    }

    /// The one line for people in a terminal.
    pub(crate) fn greet(&mut self) {
        self.output.line(format_args!("{NAME} by {AUTHOR}. A UCI engine: add it to a chess program, or type help."));
    }

    /// Talks until `quit` or the end of the input.
    pub(crate) fn run(&mut self, lines: &Receiver<String>) -> ExitCode {
        while !self.quit && !self.output.is_closed() {
            let (search, perft) = self.events();
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => self.hear(&line),
                    Err(_) => break,
                },
                recv(search) -> event => self.on_search(event.ok()),
                recv(perft) -> event => self.on_perft(event.ok()),
            }
            self.tell_notes();
        }
        ExitCode::SUCCESS
    }

    /// Does one command to its end.
    pub(crate) fn run_once(&mut self, line: &str) -> ExitCode {
        self.hear(line);
        while !matches!(self.task, Task::Idle) && !self.output.is_closed() {
            let (search, perft) = self.events();
            select! {
                recv(search) -> event => self.on_search(event.ok()),
                recv(perft) -> event => self.on_perft(event.ok()),
            }
        }
        if self.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    fn events(&self) -> (Receiver<SearchEvent>, Receiver<PerftEvent>) {
        match &self.task {
            Task::Idle => (never(), never()),
            Task::Search(running) | Task::Suite(_, running) => (running.events.clone(), never()),
            Task::Perft(perft) => (never(), perft.events.clone()),
        }
    }

    /// A line came in.
    fn hear(&mut self, line: &str) {
        self.output.heard(line);
        if matches!(self.task, Task::Idle)
            && let Some(result) = console::try_command(self, line)
        {
            if let Err(error) = result {
                self.complain(error);
            }
            return;
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.receive(command),
            Err(_) if console::is_console_word(line) => {
                self.output.info_string("not while searching: stop first");
            }
            Err(error) => self.complain(error),
        }
    }

    fn complain(&mut self, error: impl std::fmt::Display) {
        self.failed = true;
        self.output.info_string(format!("error: {error}"));
    }

    /// A command came in: it is done now, or waits for the search to end.
    fn receive(&mut self, command: Command) {
        match command {
            // These are answered at any time.
            Command::Quit => self.quit = true,
            Command::IsReady if !matches!(self.task, Task::Idle) => self.output.line(Message::ReadyOk),
            Command::Uci | Command::Debug(_) | Command::Register(_) => self.execute(command),
            // These speak to the running search. If it is ending already, they are for the one that waits behind it.
            Command::Stop | Command::PonderHit if self.waiting.is_empty() || !self.is_ending() => self.execute(command),
            // The rest comes in its order.
            command if matches!(self.task, Task::Idle) => self.execute(command),
            command => self.waiting.push_back(command),
        }
    }

    /// Whether the running task was told to end.
    fn is_ending(&self) -> bool {
        match &self.task {
            Task::Idle => false,
            Task::Search(running) | Task::Suite(_, running) => running.control.is_stopped(),
            Task::Perft(perft) => perft.is_stopped(),
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if let Err(error) = self.engine.prepare() {
                    self.complain(error);
                }
                self.output.line(Message::ReadyOk);
            }
            Command::Debug(_) | Command::Register(_) => {}
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => self.engine.new_game(),
            Command::Position { start, moves } => {
                let result = match start {
                    StartPosition::Startpos => self.engine.set_startpos(&moves),
                    StartPosition::Fen(fen) => self.engine.set_position(&fen, &moves),
                };
                if let Err(error) = result {
                    self.complain(error);
                }
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => match &mut self.task {
                Task::Idle => {}
                Task::Suite(suite, running) => {
                    suite.cut_short();
                    running.control.stop();
                }
                Task::Search(running) => running.control.stop(),
                Task::Perft(perft) => perft.stop(),
            },
            Command::PonderHit => {
                if let Task::Search(running) = &self.task {
                    running.control.ponder_hit();
                }
            }
            Command::Quit => self.quit = true,
        }
    }

    fn introduce(&mut self) {
        self.output.line(Message::Id(Id::Name(NAME.to_owned())));
        self.output.line(Message::Id(Id::Author(AUTHOR.to_owned())));
        for declaration in translate::option_declarations() {
            self.output.line(declaration);
        }
        self.output.line(Message::UciOk);
        for fault in std::mem::take(&mut self.faults) {
            self.output.info_string(format!("settings: {fault}"));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if translate::is_log_file(name) {
            if let Err(error) = self.set_log(value.unwrap_or_default()) {
                self.complain(error);
            }
        } else if let Err(error) = self.engine.set_option(name, value) {
            self.complain(error);
        }
    }

    pub(crate) fn go(&mut self, go: &GoParams) {
        for fault in &go.faults {
            self.complain(fault);
        }
        if let Some(depth) = go.perft {
            let chess960 = self.engine.options().chess960;
            match Perft::start(self.engine.position().clone(), depth, chess960) {
                Ok(perft) => self.task = Task::Perft(perft),
                Err(error) => self.complain(error),
            }
            return;
        }
        let (limits, illegal) = translate::limits(go, self.engine.position());
        for mv in illegal {
            self.output.info_string(format!("error: searchmoves: {mv} is not legal here"));
        }
        let game = (limits.clock.is_some() && !limits.infinite).then(|| self.engine.game().clone());
        self.played = game.filter(|_| self.engine.logs_games());
        let (game, lines) = (self.engine.game().clone(), self.engine.options().multipv);
        match Running::start(&mut self.engine, game, limits, lines) {
            Ok(running) => self.task = Task::Search(running),
            Err(error) => {
                self.complain(error);
                // A client waits for an answer, whatever happened.
                self.output.line(Message::BestMove { best: None, ponder: None });
            }
        }
    }

    /// Begins a console user's `test`, or its next problem; at the end there is the summary.
    pub(crate) fn run_suite(&mut self, mut suite: Box<Suite>) {
        let started =
            suite.next_search().map(|(game, limits, lines)| Running::start(&mut self.engine, game, limits, lines));
        match started {
            Some(Ok(running)) => self.task = Task::Suite(suite, running),
            ended => {
                self.output.line(suite.summary());
                if let Some(Err(error)) = ended {
                    self.complain(error);
                }
                self.end_task();
            }
        }
    }

    fn on_suite(&mut self, event: Option<&SearchEvent>) {
        let Task::Suite(suite, running) = &mut self.task else { return };
        if let Some(event) = event {
            let heard = suite.hear(event);
            heard.lines.iter().for_each(|line| self.output.line(line));
            if heard.stop {
                running.control.stop();
            }
        }
        if matches!(event, Some(SearchEvent::Finished(_)) | None)
            && let Task::Suite(suite, _) = std::mem::replace(&mut self.task, Task::Idle)
        {
            self.run_suite(suite);
        }
    }

    /// Notes the game that a search with a clock was for, and the move that it found.
    fn log_game(&mut self, result: &SearchResult) {
        let Some(mut game) = self.played.take() else { return };
        let (own, other) = (NAME.to_owned(), "?".to_owned());
        let players = match game.position().turn().is_white() {
            true => Players { white: own, black: other },
            false => Players { white: other, black: own },
        };
        if let Some(mv) = result.best {
            // A move of a search is legal where it was searched.
            let _ = game.push(mv);
        }
        self.engine.log_game(&game, &players);
    }

    fn on_search(&mut self, event: Option<SearchEvent>) {
        let event = event.filter(|event| *event != SearchEvent::Failed);
        if matches!(self.task, Task::Suite(..)) {
            self.on_suite(event.as_ref());
            return;
        }
        match event {
            Some(event) => {
                let root = match &self.task {
                    Task::Search(running) => running.control.root(),
                    _ => self.engine.position(),
                };
                let material = Material::of(root);
                if self.output.is_logged() {
                    let line = trace::event(&event, self.engine.options().chess960, material);
                    line.into_iter().for_each(|line| self.output.trace(|| line));
                }
                let finished = matches!(event, SearchEvent::Finished(_));
                if let Some(message) = translate::event(event.clone(), self.engine.options(), material) {
                    self.output.line(message);
                }
                // After the answer: a client's clock runs until it has it.
                self.engine.note(&event);
                if let SearchEvent::Finished(result) = &event {
                    self.log_game(result);
                }
                if finished {
                    self.end_task();
                }
            }
            None => {
                self.output.info_string("error: the search thread has died");
                self.output.line(Message::BestMove { best: None, ponder: None });
                self.end_task();
            }
        }
    }

    fn on_perft(&mut self, event: Option<PerftEvent>) {
        match event {
            Some(PerftEvent::Move(mv, leaves)) => self.output.line(format_args!("{mv}: {leaves}")),
            Some(PerftEvent::Total(Some(total))) => {
                self.output.line(format_args!("\nNodes searched: {total}\n"));
                self.end_task();
            }
            Some(PerftEvent::Total(None)) | None => self.end_task(),
        }
    }

    /// The search is over: what waited for it is done, up to the next search.
    fn end_task(&mut self) {
        self.task = Task::Idle;
        while let Some(command) = self.waiting.pop_front() {
            let idle = matches!(self.task, Task::Idle);
            let for_search = matches!(command, Command::Stop | Command::PonderHit | Command::IsReady);
            if !idle && (!for_search || self.is_ending()) {
                self.waiting.push_front(command);
                break;
            }
            self.execute(command);
        }
    }
}
