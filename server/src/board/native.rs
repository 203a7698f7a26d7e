//! Bartizan in this program: the commands of UCI that a page uses.

use bartizan_engine::uci::{UciWriter, limits};
use bartizan_engine::{AUTHOR, Engine, NAME, SearchControl, SearchEvent, options};
use bartizan_position::{Game, Position};
use bartizan_protocol::uci::{Command, GoParams, Id, Message, OptionDecl, StartPosition, same_option_name};
use bartizan_protocol::{OptionKind, uci};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

/// The lines of the engine, and the reason of its end.
type Lines = Sender<Result<String, String>>;

/// An option beside those of the engine: whether searches report the chances to win, draw and lose.
const SHOW_WDL: &str = "UCI_ShowWDL";

/// The commands that may wait for the end of a search.
const WAITING: usize = 1_000;

/// What the thread of the engine hears.
enum Input {
    Command(String),
    /// A search has ended; `None` if it has failed.
    Answer(Option<String>),
    /// No more commands.
    End,
}

/// Starts the thread of an engine. The task ends after it.
pub(crate) fn start(mut commands: Receiver<String>, lines: Lines) -> Result<JoinHandle<()>, String> {
    let (input, inputs) = channel(WAITING);
    let (to_thread, failed) = (input.clone(), lines.clone());
    let work = move || {
        let session = Session::new(lines, to_thread);
        // What a panic leaves behind is dropped.
        if catch_unwind(AssertUnwindSafe(|| session.run(inputs))).is_err() {
            drop(failed.blocking_send(Err("the engine has failed".to_owned())));
        }
    };
    let thread = thread::Builder::new().name("engine".to_owned()).spawn(work);
    let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    Ok(tokio::spawn(async move {
        while let Some(line) = commands.recv().await {
            if input.send(Input::Command(line)).await.is_err() {
                break;
            }
        }
        drop(input.send(Input::End).await);
        drop(tokio::task::spawn_blocking(|| thread.join()).await);
    }))
}

struct Session {
    engine: Engine,
    lines: Lines,
    input: Sender<Input>,
    shows_wdl: bool,
    /// Whether the last `position` was refused: until another is accepted, nothing is searched.
    lacks_position: bool,
    search: Option<SearchControl>,
    /// Commands that wait for the end of the search.
    waiting: VecDeque<Command>,
}

impl Session {
    fn new(lines: Lines, input: Sender<Input>) -> Self {
        Self {
            engine: Engine::new(),
            lines,
            input,
            shows_wdl: false,
            lacks_position: false,
            search: None,
            waiting: VecDeque::new(),
        }
    }

    /// Executes commands until there are no more.
    fn run(mut self, mut inputs: Receiver<Input>) {
        while let Some(input) = inputs.blocking_recv() {
            match input {
                Input::End => break,
                Input::Command(line) => match Command::parse(&line) {
                    Ok(Some(command)) => self.receive(command),
                    Ok(None) => {}
                    Err(error) => self.fail(error),
                },
                Input::Answer(Some(answer)) => {
                    self.search = None;
                    drop(self.lines.blocking_send(Ok(answer)));
                    while self.search.is_none()
                        && let Some(command) = self.waiting.pop_front()
                    {
                        self.execute(command);
                    }
                }
                Input::Answer(None) => {
                    drop(self.lines.blocking_send(Err("a search has failed".to_owned())));
                    break;
                }
            }
        }
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    fn receive(&mut self, command: Command) {
        match (command, &self.search) {
            (Command::Stop, Some(search)) => search.stop(),
            (Command::PonderHit, Some(search)) => search.ponder_hit(),
            (Command::IsReady, Some(_)) => self.say(Message::ReadyOk),
            (command, Some(_)) if self.waiting.len() < WAITING => self.waiting.push_back(command),
            (_, Some(_)) => self.fail("too many commands wait for the end of the search"),
            (command, None) => self.execute(command),
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if let Err(error) = self.engine.prepare() {
                    self.fail(error);
                }
                self.tell();
                self.say(Message::ReadyOk);
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::UciNewGame => {
                self.engine.new_game();
                if std::mem::take(&mut self.lacks_position) {
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
                    self.fail(error);
                }
            }
            Command::Go(go) => self.go(&go),
            // Nothing to stop. The server ends the engine itself.
            _ => {}
        }
    }

    /// The answer to `uci`.
    fn introduce(&mut self) {
        self.say(Message::Id(Id::Name(NAME.to_owned())));
        self.say(Message::Id(Id::Author(AUTHOR.to_owned())));
        for row in options::all() {
            let kind = row.kind(self.engine.options());
            self.say(Message::Option(OptionDecl { name: row.name().to_owned(), kind }));
        }
        let kind = OptionKind::Check { default: self.shows_wdl };
        self.say(Message::Option(OptionDecl { name: SHOW_WDL.to_owned(), kind }));
        self.say(Message::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if same_option_name(name, SHOW_WDL) {
            match value {
                Some("true") => self.shows_wdl = true,
                Some("false") => self.shows_wdl = false,
                _ => self.fail(format_args!("option '{SHOW_WDL}' is true or false")),
            }
            return;
        }
        if let Err(error) = self.engine.set_option(name, value) {
            self.fail(error);
        }
        self.tell();
    }

    fn go(&mut self, go: &GoParams) {
        if self.lacks_position {
            self.fail("go: no position: the last one was refused");
            return self.say(Message::BestMove { best: None, ponder: None });
        }
        let game = self.engine.game().clone();
        let (mut limits, illegal) = limits(go, game.position());
        for fault in &go.faults {
            self.fail(fault);
        }
        for mv in illegal {
            self.fail(format_args!("searchmoves: illegal move '{mv}'"));
        }
        // A search without end begins only if it is asked for.
        limits.infinite |= !limits.has_limit() && !limits.ponder;
        let (variant, root) = (self.engine.options().variant, game.position().clone());
        let writer = UciWriter::new(&game, variant, self.shows_wdl);
        let (lines, input) = (self.lines.clone(), self.input.clone());
        let listener = move |event: SearchEvent| match event {
            SearchEvent::Finished(result) => {
                let answer = writer.best_move(&result).to_string();
                drop(input.blocking_send(Input::Answer(Some(answer))));
            }
            SearchEvent::Failed => drop(input.blocking_send(Input::Answer(None))),
            // A page that does not read misses them.
            event => {
                if let Some(message) = writer.event(&event) {
                    drop(lines.try_send(Ok(message.to_string())));
                }
            }
        };
        match self.engine.go_with(limits, listener) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                self.fail(error);
                self.answer_unsearched(&root);
            }
        }
        self.tell();
    }

    /// Answers with any legal move, after an error.
    fn answer_unsearched(&self, root: &Position) {
        let best = root.legal_moves().first().map(|mv| mv.to_uci(self.engine.options().variant));
        self.say(Message::BestMove { best, ponder: None });
    }

    /// Says what the engine has to tell.
    fn tell(&mut self) {
        for notice in self.engine.take_notices() {
            self.say(Message::info_string(notice.to_string()));
        }
    }

    fn fail(&self, error: impl std::fmt::Display) {
        self.say(uci::Message::info_string(format!("error: {error}")));
    }

    fn say(&self, message: Message) {
        // Without a reader, the commands end too.
        drop(self.lines.blocking_send(Ok(message.to_string())));
    }
}
