//! The state that every front end has: an engine, its options, an output, and the current task.

use crate::message::{Inbox, Interrupter, Message};
use crate::options::{self, DEBUG_LOG, OptionError, OptionRow, OptionValue};
use crate::review::ReviewRequest;
use crate::suite::{Suite, SuiteError};
use crate::task::{Purpose, SearchProgress, Searching, Task};
use crate::{Config, ConfigError, FileSettings, Output, Players, Records, UserMessage, interrupt, trace};
use bartizan_engine::{
    Engine, EngineError, Limits, MaterialCount, Perft, PerftError, PerftEvent, SearchControl, SearchEvent, StopFlag,
};
use bartizan_notation::pgn::GameTree;
use bartizan_position::Game;
use bartizan_types::Color;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::thread;
use std::time::Instant;

/// The state that every front end has: an engine, its options, an output, and the current task.
///
/// ```
/// use bartizan_frontend::{Output, Session};
///
/// let mut session = Session::new(Output::new(std::io::stdout(), std::io::stderr()));
/// session.set_option("Hash", Some("4"))?;
/// assert_eq!(session.config().engine.hash_mib, 4);
/// let error = session.set_option("hash", Some("none")).unwrap_err();
/// assert_eq!(error.to_string(), "option 'Hash': 'none' is not a whole number");
/// # Ok::<(), bartizan_frontend::options::OptionError>(())
/// ```
#[derive(Debug)]
pub struct Session {
    /// The engine with its game.
    pub engine: Engine,
    /// The records of its games.
    pub records: Records,
    /// Where the front end writes.
    pub output: Output,
    config: Config,
    task: Task,
    inbox: Inbox,
    leaves: bool,
    quits: bool,
}

/// Start and end.
impl Session {
    /// A session with default options and the initial position.
    pub fn new(output: Output) -> Self {
        let mut engine = Engine::new();
        engine.set_trace(output.has_trace());
        let (records, config, task, inbox) = (Records::default(), Config::default(), Task::Idle, Inbox::new());
        Self { engine, records, output, config, task, inbox, leaves: false, quits: false }
    }

    /// Applies settings files, with the options in table order, whatever the order of the lines. Returns the errors in
    /// the files; all valid settings are applied.
    pub fn load_settings(&mut self, settings: &FileSettings) -> Vec<String> {
        let mut faults: Vec<String> = settings.faults.iter().map(ToString::to_string).collect();
        let mut assignments: Vec<_> = settings.assignments.iter().collect();
        assignments.sort_by_key(|assignment| options::all().iter().position(|row| std::ptr::eq(row, assignment.row)));
        for assignment in assignments {
            if let Err(error) = self.set(assignment.row, assignment.value.clone()) {
                faults.push(format!("{}: {error}", assignment.place));
            }
        }
        faults
    }

    /// Requests no further lines: the front end calls [`Session::quit`] once the waiting ones are handled.
    pub fn leave(&mut self) {
        self.leaves = true;
    }

    /// Whether [`Session::leave`] was called.
    pub fn is_leaving(&self) -> bool {
        self.leaves
    }

    /// Ends the program after the current command.
    pub fn quit(&mut self) {
        self.quits = true;
    }

    /// Whether the program should end.
    pub fn is_over(&self) -> bool {
        self.quits || self.output.is_closed()
    }

    /// A handle that stops the task of [`run_command`](crate::run_command) from another thread.
    pub fn interrupter(&self) -> Interrupter {
        self.inbox.interrupter()
    }

    /// If a person types at a terminal, lets Ctrl-C stop the task, or end the program if there is none. Without a line
    /// editor it is a signal.
    pub fn listen_for_interrupts(&self) {
        if io::stdin().is_terminal() {
            interrupt::stop_or_exit(self.interrupter());
        }
    }

    pub(crate) fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }
}

/// Options.
impl Session {
    /// The values of all options.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Sets an option at a client's request. Do not call during a search.
    ///
    /// # Errors
    /// [`OptionError`]; the old value stays.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let row = options::find(name)?;
        self.set(row, row.parse(value)?)
    }

    fn set(&mut self, row: &'static OptionRow, value: OptionValue) -> Result<(), OptionError> {
        if let Some(action) = row.button_action() {
            self.engine.press(action);
            return Ok(());
        }
        let is_same = row.value(&self.config).as_ref() == Some(&value);
        let mut config = self.config.clone();
        row.set(&mut config, value)?;
        let done = self.apply(config).and_then(|()| if is_same { self.retry(row) } else { Ok(()) });
        done.map_err(|error| OptionError::Failed { name: row.name(), source: error.into() })
    }

    /// Retries what has failed, for a client that sets an option to its current value.
    fn retry(&mut self, row: &OptionRow) -> Result<(), ConfigError> {
        if row.name() == DEBUG_LOG && self.output.has_log_failed() {
            set_log(&mut self.output, self.config.debug_log.as_deref())?;
        }
        Ok(row.retry().map_or(Ok(()), |retry| self.engine.retry(retry))?)
    }

    /// Changes options by their fields. Do not call during a search.
    ///
    /// # Errors
    /// [`ConfigError`]; all old values stay.
    pub fn configure(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), ConfigError> {
        let mut config = self.config.clone();
        change(&mut config);
        self.apply(config)
    }

    fn apply(&mut self, config: Config) -> Result<(), ConfigError> {
        let log = Records::open(&config, &self.config)?;
        self.engine.set_options(config.engine.clone())?;
        self.records.configure(&config, &self.config, log);
        if config.debug_log != self.config.debug_log {
            set_log(&mut self.output, config.debug_log.as_deref())?;
            self.engine.set_trace(self.output.has_trace());
        }
        self.engine.set_rating_lead(config.rating_lead());
        self.config = config;
        Ok(())
    }
}

fn set_log(output: &mut Output, path: Option<&Path>) -> Result<(), ConfigError> {
    let failed = |source| ConfigError::File { path: path.unwrap_or(Path::new("")).to_owned(), source };
    output.set_log(path).map_err(failed)
}

/// Tasks.
impl Session {
    /// The engine's current task.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// As [`Session::task`], to stop it or to change its purpose.
    pub fn task_mut(&mut self) -> &mut Task {
        &mut self.task
    }

    /// Starts a search of any game's last position; a search for a move first consults the opening book. The previous
    /// task must have ended.
    ///
    /// # Errors
    /// [`EngineError`] when threads or memory are not available.
    pub fn start_search(
        &mut self,
        game: Game,
        limits: Limits,
        multipv: usize,
        purpose: Purpose,
    ) -> Result<(), EngineError> {
        let started = Instant::now();
        let is_limited = limits.has_limit() && !limits.infinite;
        let limits = if purpose == Purpose::Analyse { limits } else { self.engine.with_book(&game, limits) };
        let control = self.search(game, limits, multipv)?;
        let progress = SearchProgress::default();
        self.task = Task::Searching(Searching { control, purpose, is_limited, started, progress });
        Ok(())
    }

    /// The players of a game that the engine plays with this colour, for the game log.
    pub fn players(&self, engine: Color) -> Players {
        Players::new(engine, self.config.opponent.name.as_deref().unwrap_or("?"))
    }

    /// Starts a new game: clears what the searches of the old one have learnt, and ends it in the game log. The
    /// position is kept.
    pub fn new_game(&mut self) {
        self.engine.new_game();
        self.records.new_game();
    }

    fn search(&mut self, game: Game, limits: Limits, multipv: usize) -> Result<SearchControl, EngineError> {
        self.output.trace(|| trace::entered(&limits, game.position()));
        let (task, sender) = self.inbox.begin_task();
        let listener = move |event| {
            // The queue lives as long as the session, which outlives its searches.
            let _ = sender.send(Message::Search(task, event));
        };
        let control = self.engine.search_observed(game, limits, multipv, &mut self.records, listener);
        self.write_notes();
        control
    }

    /// Starts a perft of the current position. The previous task must have ended.
    ///
    /// # Errors
    /// [`PerftError`] when the depth is too great or the system cannot start a thread.
    pub fn start_perft(&mut self, depth: u32) -> Result<(), PerftError> {
        let (task, sender) = self.inbox.begin_task();
        let listener = move |event| {
            let _ = sender.send(Message::Perft(task, event));
        };
        self.task = Task::Counting(Perft::start_with(self.engine.position().clone(), depth, listener)?);
        Ok(())
    }

    /// Starts a review of a game. The previous task must have ended.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn start_review(&mut self, tree: GameTree, request: ReviewRequest) -> io::Result<()> {
        let (task, sender) = self.inbox.begin_task();
        let stop = StopFlag::new();
        let control = stop.clone();
        let work = move || {
            // The queue lives as long as the session, which outlives its tasks.
            let _ = sender.send(Message::Review(task, Box::new(request.outcome(tree, &stop))));
        };
        thread::Builder::new().name("review".to_owned()).spawn(work)?;
        self.task = Task::Reviewing(control);
        Ok(())
    }

    /// Starts the next search of a suite, or writes the summary after the last one. The previous task must have ended.
    ///
    /// # Errors
    /// [`SuiteError`] when threads or memory are not available, or the results could not be written.
    pub fn start_suite(&mut self, mut suite: Box<Suite>) -> Result<(), SuiteError> {
        let started = suite.next_search().map(|(game, limits, lines)| self.search(game, limits, lines));
        match started {
            Some(Ok(control)) => self.task = Task::Testing(suite, control),
            ended => {
                self.task = Task::Idle;
                let written = self.finish_suite(*suite);
                ended.transpose()?;
                written?;
            }
        }
        Ok(())
    }

    fn finish_suite(&mut self, suite: Suite) -> Result<(), SuiteError> {
        let (last, written) = suite.finish();
        self.output.line(last);
        written
    }

    /// The expected move was played: turns a ponder search into a normal one, and starts its clock.
    pub fn ponder_hit(&mut self) {
        if let Task::Searching(search) = &mut self.task {
            search.purpose = Purpose::Think;
            search.started = Instant::now();
            search.control.ponder_hit();
        }
    }

    /// Ends the task at once, without a result for the client, and waits until no thread works on it any more.
    pub fn abandon_task(&mut self) {
        self.task.stop();
        match self.take_task() {
            Task::Idle => {}
            // Its thread may run for a few more milliseconds; its events are ignored.
            Task::Counting(_) | Task::Reviewing(_) => drop(self.inbox.begin_task()),
            Task::Searching(_) => self.wait_for_search(),
            Task::Testing(suite, _) => {
                self.wait_for_search();
                if let Err(error) = self.finish_suite(*suite) {
                    self.output.line(error);
                }
            }
        }
    }

    fn wait_for_search(&mut self) {
        let result = self.inbox.wait_for(|message| match message {
            Message::Search(_, SearchEvent::Finished(result)) => Some(Some((result.depth, result.nodes))),
            Message::Search(_, SearchEvent::Failed) => Some(None),
            _ => None,
        });
        if let Some((depth, nodes)) = result {
            self.output.trace(|| format!("search aborted: depth {depth}, {nodes} nodes"));
        }
    }

    /// Removes the task: the engine is now idle.
    pub(crate) fn take_task(&mut self) -> Task {
        std::mem::replace(&mut self.task, Task::Idle)
    }
}

/// Output.
impl Session {
    /// Traces events of the game records.
    pub fn write_notes(&mut self) {
        for note in self.records.take_notes() {
            self.output.trace(|| note);
        }
    }

    /// The messages for the user since the last call, warnings last.
    pub fn take_messages(&mut self) -> Vec<UserMessage> {
        let mut messages: Vec<UserMessage> = self.engine.take_notices().into_iter().map(UserMessage::from).collect();
        messages.extend(self.records.take_warnings().into_iter().map(|text| UserMessage { text, is_warning: true }));
        messages.sort_by_key(|message| message.is_warning);
        messages
    }

    /// Handles an event of a perft. Returns whether it has ended.
    pub(crate) fn handle_perft(&mut self, event: PerftEvent) -> bool {
        match event {
            PerftEvent::Move(mv, leaves) => {
                self.output.line(format_args!("{}: {leaves}", mv.to_uci(self.config.engine.variant)));
            }
            PerftEvent::Total(total) => {
                if let Some(total) = total {
                    self.output.line(format_args!("\nNodes searched: {total}\n"));
                }
                self.task = Task::Idle;
            }
        }
        matches!(event, PerftEvent::Total(_))
    }

    /// Handles a search event, and traces it.
    pub(crate) fn note_search_event(&mut self, event: &SearchEvent) {
        let variant = self.config.engine.variant;
        let root = match &mut self.task {
            Task::Searching(search) => {
                search.progress.update(event);
                search.control.root()
            }
            Task::Testing(_, control) => control.root(),
            Task::Idle | Task::Counting(_) | Task::Reviewing(_) => return,
        };
        if self.output.has_trace()
            && let Some(line) = trace::event(event, variant, MaterialCount::of(root))
        {
            self.output.trace(|| line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session::new(Output::new(io::sink(), io::sink()))
    }

    #[test]
    fn options_reach_the_engine_or_change_nothing() {
        let mut session = session();
        session.set_option("threads", Some("2")).unwrap();
        session.set_option("UCI_Chess960", Some("true")).unwrap();
        session.set_option("Clear Hash", None).unwrap();
        assert_eq!(session.engine.options(), &session.config().engine);
        assert_eq!(session.engine.options().threads, 2);
        let before = session.config().clone();
        for (name, value) in [("Hash", "33554432"), ("Debug Log File", "/no/such/folder/log"), ("Threads", "0")] {
            // Without an existing table, a size that the machine cannot provide is only detected now.
            session.engine.prepare().unwrap();
            assert!(session.set_option(name, Some(value)).is_err(), "{name}");
            assert_eq!((session.config(), session.engine.options()), (&before, &before.engine), "{name}");
        }
    }

    #[test]
    fn files_that_cannot_be_written_change_nothing() {
        let mut session = session();
        let changes: [fn(&mut Config); 3] = [
            |config| config.learning.depth = 0,
            |config| config.learning.file = Some("/no/such/\0folder".into()),
            |config| config.game_log = Some("/no/such/\0folder".into()),
        ];
        for change in changes {
            assert!(session.configure(change).is_err());
            assert_eq!(session.config(), &Config::default());
        }
    }

    #[test]
    fn a_journal_of_another_version_is_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("games.pgn.1-0.journal"), "bartizan-journal 2\n").unwrap();
        let mut session = session();
        session.configure(|config| config.game_log = Some(folder.path().join("games.pgn"))).unwrap();
        let messages = session.take_messages();
        assert!(
            messages.len() == 1 && messages[0].text.ends_with("is not a journal of this version and is kept"),
            "{messages:?}"
        );
    }

    /// An unwritable learning file is accepted if it is only read.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_order_of_settings_does_not_matter() {
        let file = "[learning]\nfile = '/proc/none/learning.epd'\n";
        assert_eq!(session().load_settings(&FileSettings::parse(file, "f")).len(), 1);
        let both = FileSettings::parse(&format!("{file}read_only = true\n"), "f");
        assert_eq!(session().load_settings(&both), [""; 0]);
        // As clients set them.
        let mut session = session();
        for row in options::all() {
            let value = match row.name() {
                "Learning File" => "/proc/none/learning.epd",
                "Learning Read Only" => "true",
                _ => continue,
            };
            session.set_option(row.name(), Some(value)).unwrap();
        }
    }

    #[test]
    fn a_size_that_was_not_to_be_had_is_tried_again() {
        let mut session = session();
        let size = bartizan_engine::Options::HASH_MIB.end().to_string();
        // Nothing is allocated yet.
        session.set_option("Hash", Some(&size)).unwrap();
        session.engine.prepare().unwrap();
        assert_eq!(session.take_messages().len(), 1);
        let error = session.set_option("Hash", Some(&size)).unwrap_err().to_string();
        assert!(error.contains("cannot allocate"), "{error}");
        session.set_option("MultiPV", Some("2")).unwrap();
        session.set_option("Hash", Some("2")).unwrap();
    }

    #[test]
    fn abandoned_tasks_leave_nothing_behind() {
        let mut session = session();
        for _ in 0..20 {
            let game = session.engine.game().clone();
            session.start_search(game, Limits::infinite(), 1, Purpose::Analyse).unwrap();
            session.abandon_task();
            assert!(session.task().is_idle());
            session.start_perft(9).unwrap();
            session.abandon_task();
            assert!(session.task().is_idle());
        }
        // An abandoned perft may still report; the next one must not see it.
        session.start_perft(1).unwrap();
        let mut leaves = 0;
        loop {
            match session.inbox().next() {
                Message::Perft(_, PerftEvent::Move(_, one)) => leaves += one,
                Message::Perft(_, PerftEvent::Total(total)) => {
                    assert_eq!(total, Some(leaves));
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(leaves, 20);
    }

    #[test]
    fn a_ponder_hit_turns_pondering_into_thinking() {
        let mut session = session();
        let game = session.engine.game().clone();
        let limits = Limits::depth(2).pondering();
        session.start_search(game, limits, 1, Purpose::Ponder(None)).unwrap();
        session.ponder_hit();
        assert_eq!(session.task().purpose(), Some(Purpose::Think));
        loop {
            if let Message::Search(_, event) = session.inbox().next()
                && event.is_terminal()
            {
                break;
            }
        }
    }
}
