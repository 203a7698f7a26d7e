//! The conversation: commands in, messages out.
//!
//! Every command is obeyed at once, whatever the engine is busy with, but for a few that must come after the move which is
//! being thought about: `ping`, and what changes threads and tables. A command that changes the position drops the search.

use crate::args::Args;
use crate::clock::Control;
use crate::console;
use crate::features;
use crate::manners::Mood;
use crate::memory::table_share;
use crate::moves;
use crate::opponent::Opponent;
use crate::output::Output;
use crate::task::{Purpose, Running, Task};
use bartizan_engine::{Engine, NAME, OptionError, PerftEvent, Players, SearchEvent, Settings};
use bartizan_notation::epd::Epd;
use bartizan_notation::pgn;
use bartizan_position::{Game, Position, Tolerance};
use bartizan_protocol::xboard::{Command, CommandError, Edit, EditLine, GameResult, Message, MoveText};
use bartizan_types::{Color, Move};
use crossbeam::channel::Receiver;
use crossbeam::select;
use std::process::ExitCode;
use std::time::Duration;

/// What a move loses at least on its way to a chess server and back. Chosen, not measured: half a second is a slow line, and to
/// plan for it costs four seconds of a game's time, since the plan keeps it for eight moves.
const SERVER_OVERHEAD: Duration = Duration::from_millis(500);

/// One run of the program.
pub(crate) struct Session {
    pub(crate) engine: Engine,
    pub(crate) output: Output,
    pub(crate) task: Task,
    pub(crate) control: Control,
    /// The side that the engine plays; `None` in force mode.
    pub(crate) side: Option<Color>,
    pub(crate) analysing: bool,
    /// The last `setboard` was refused: there is no position until the next one.
    pub(crate) refused: bool,
    /// The engine has resigned, or said how the game has ended.
    pub(crate) over: bool,
    pub(crate) ponders: bool,
    pub(crate) posts: bool,
    pub(crate) mood: Mood,
    pub(crate) draw_offered: bool,
    pub(crate) excluded: Vec<Move>,
    /// Games that ended in a null move, which a game cannot hold.
    past: Vec<Game>,
    edit: Option<Edit>,
    /// What `pause` has stopped.
    paused: Option<Paused>,
    opponent: Opponent,
    /// The game is played on a chess server, which judges it.
    pub(crate) on_server: bool,
    /// What `memory` has said that all may use, in MiB.
    memory: Option<u64>,
    /// What went wrong before anybody could be told.
    faults: Vec<String>,
    /// Commands that wait for the move.
    waiting: Vec<Command>,
    quit: bool,
}

/// What goes on when the game is resumed.
enum Paused {
    Nothing,
    Thinking,
    Pondering(Move),
}

/// A position file or a switch that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigureError {
    #[error("{file}: {reason}")]
    Position { file: String, reason: String },
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl Session {
    pub(crate) fn new(mut output: Output, trace: bool) -> Self {
        output.set_trace(trace);
        let mut engine = Engine::new();
        engine.set_trace(trace);
        // Clocks are told in centiseconds, and rounded up as often as down.
        let _ = engine.set_option("Move Overhead", Some("20"));
        Self {
            engine,
            output,
            task: Task::Idle,
            control: Control::default(),
            side: Some(Color::Black),
            analysing: false,
            refused: false,
            over: false,
            ponders: false,
            posts: false,
            mood: Mood::default(),
            draw_offered: false,
            excluded: Vec::new(),
            past: Vec::new(),
            edit: None,
            paused: None,
            opponent: Opponent::default(),
            on_server: false,
            memory: None,
            faults: Vec::new(),
            waiting: Vec::new(),
            quit: false,
        }
    }

    /// Settings files first, then what the command line says.
    pub(crate) fn configure(&mut self, args: &Args) -> Result<(), ConfigureError> {
        let settings = Settings::find(args.config.as_deref());
        self.faults.extend(settings.faults.iter().map(ToString::to_string));
        for assignment in &settings.assignments {
            // The UCI engine's own log is none of ours.
            if assignment.option == "Debug Log File" {
                continue;
            }
            if let Err(error) = self.engine.set_option(assignment.option, Some(&assignment.value)) {
                self.faults.push(format!("{}: {error}", assignment.place));
            }
        }
        for file in &settings.files {
            self.output.trace(|| format!("settings: {}", file.display()));
        }
        for fault in &self.faults {
            self.output.complain(fault);
        }
        if self.output.traces() {
            self.tell_faults();
        }
        if let Some(threads) = &args.threads {
            self.engine.set_option("Threads", Some(threads))?;
        }
        if let Some(megabytes) = args.hash {
            self.engine.set_option("Hash", Some(&megabytes.to_string()))?;
        }
        if args.ics {
            self.set_server("");
        }
        if let Some(path) = &args.position {
            let file = path.display().to_string();
            let text = std::fs::read(path).map_err(|error| error.to_string());
            let position = text.and_then(|text| first_position(&String::from_utf8_lossy(&text)));
            let position = position.map_err(|reason| ConfigureError::Position { file, reason })?;
            self.engine.set_game_to(Game::new(position));
            self.side = None;
        }
        Ok(())
    }

    fn tell_faults(&mut self) {
        for fault in std::mem::take(&mut self.faults) {
            self.output.comment(format_args!("settings: {fault}"));
        }
    }

    /// The one line for people in a terminal.
    pub(crate) fn greet(&mut self) {
        self.output.line(format_args!("{NAME}. A chess engine for xboard: add it to a chess program, or type help."));
    }

    /// Talks until `quit` or the end of the input.
    pub(crate) fn run(&mut self, lines: &Receiver<String>) -> ExitCode {
        while !self.quit && !self.output.is_closed() {
            let (search, perft) = self.task.events();
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => self.hear(line.trim_end_matches(['\r', '\n'])),
                    Err(_) => break,
                },
                recv(search) -> event => self.on_search(event.ok()),
                recv(perft) -> event => self.on_perft(event.ok()),
            }
            self.tell_notes();
        }
        self.engine.end_log(pgn::GameResult::Unknown, "");
        ExitCode::SUCCESS
    }

    pub(crate) fn tell_notes(&mut self) {
        for note in self.engine.take_notes() {
            self.output.trace(|| note);
        }
    }

    /// A line came in.
    pub(crate) fn hear(&mut self, line: &str) {
        self.output.trace(|| format!("command: {}", line.trim()));
        if self.edit.is_some() && self.edit_line(line) {
            return;
        }
        match Command::parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.receive(command),
            Err(CommandError::Unknown { .. }) if console::try_command(self, line) => {}
            Err(error) => self.refuse(&error.to_string(), line),
        }
    }

    /// `Error (REASON): COMMAND`.
    pub(crate) fn refuse(&mut self, reason: &str, command: &str) {
        self.output.line(Message::Error { reason: reason.to_owned(), command: command.trim().to_owned() });
    }

    /// A command is obeyed, or waits for the move.
    fn receive(&mut self, command: Command) {
        let waits = matches!(
            command,
            Command::Ping(_)
                | Command::Memory(_)
                | Command::Cores(_)
                | Command::Option { .. }
                | Command::Variant(_)
                | Command::Hint
                | Command::Book
        );
        if waits && self.task.is_thinking() {
            self.waiting.push(command);
        } else {
            self.execute(command);
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Quit => self.quit = true,
            Command::Xboard | Command::Rejected(_) | Command::Random | Command::White | Command::Black => {}
            Command::Ics(host) => self.set_server(&host),
            Command::Rating { own, opponent } => self.rate(own.into(), opponent.into()),
            Command::Computer => {
                self.opponent.set_computer();
                let contempt = self.weigh_opponent();
                self.output.trace(|| format!("opponent: a computer, contempt {contempt}"));
            }
            // The feature is not declared, so that nobody should send it; whoever does is told that it is of no use.
            Command::EgtPath { kind, path } => {
                self.output.remark(format_args!("egtpath: {kind} {path}: this version uses no endgame tables"));
            }
            Command::ProtoVer(version) => self.introduce(version),
            Command::Accepted(feature) => {
                // Now it may be told in lines that begin with `#`.
                if feature == "debug" {
                    self.output.accept_comments();
                    self.tell_faults();
                }
            }
            Command::Name(name) => self.opponent.name = Some(name),
            Command::Ping(number) => {
                self.prepare();
                self.output.line(Message::Pong(number));
            }
            Command::Post => self.posts = true,
            Command::NoPost => self.posts = false,
            Command::Level { moves, base, increment } => self.retime(|clock| clock.set_level(moves, base, increment)),
            Command::MoveTime(time) => self.retime(|clock| clock.set_move_time(time)),
            Command::Depth(depth) => self.retime(|clock| clock.set_depth(depth)),
            Command::Nps(nps) => self.retime(|clock| clock.set_nps(nps)),
            Command::Time(centiseconds) => self.control.set_own(centiseconds),
            Command::OpponentTime(centiseconds) => self.control.set_other(centiseconds),
            Command::New => self.new_game(),
            Command::Variant(variant) => self.set_variant(&variant),
            Command::Force => self.force(),
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::Move(mv) | Command::UserMove(mv) => self.user_move(&mv),
            Command::MoveNow => self.move_now(),
            Command::Draw => self.draw(),
            Command::Result { result, reason } => self.result(result, &reason),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => {
                self.abandon();
                self.edit = Some(Edit::new(self.engine.position()));
            }
            Command::Hint => self.hint(),
            // There is no book to tell of: the empty line that ends the answer is all of it.
            Command::Book => self.output.line(""),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Hard => self.hard(),
            Command::Easy => self.easy(),
            Command::Analyze => self.analyse(),
            Command::Exit => self.exit(),
            Command::Status => self.status(),
            Command::Pause => self.pause(),
            Command::Resume => self.resume(),
            Command::Memory(megabytes) => {
                self.memory = Some(megabytes);
                self.share_memory();
            }
            Command::Cores(cores) => {
                let line = format!("cores {cores}");
                self.set_option("Threads", Some(&cores.to_string()), &line);
                // It comes after `memory`, which is for all threads.
                self.share_memory();
            }
            Command::Option { name, value } => {
                let line = Command::Option { name: name.clone(), value: value.clone() }.to_string();
                if features::find(&name).is_some_and(|spec| spec.name == "Hash") {
                    // The last word counts.
                    self.memory = None;
                }
                self.set_option(&name, value.as_deref(), &line);
            }
            Command::Exclude(mv) => self.exclude(mv.as_ref(), true),
            Command::Include(mv) => self.exclude(mv.as_ref(), false),
        }
    }

    fn introduce(&mut self, version: u32) {
        // The first version of the protocol knows no features.
        if version >= 2 {
            for message in features::messages(self.engine.options()) {
                self.output.line(message);
            }
        }
    }

    /// A line of edit mode; `false` if it is a command that must be heard all the same.
    fn edit_line(&mut self, line: &str) -> bool {
        let Some(edit) = &mut self.edit else { return false };
        match EditLine::parse(line) {
            Some(line) => match edit.take(line) {
                None => {}
                Some(Ok(position)) => {
                    self.edit = None;
                    self.set_game(Game::new(position));
                }
                Some(Err(error)) => {
                    self.edit = None;
                    self.refuse_position(&error.to_string());
                }
            },
            None if matches!(Command::parse(line), Ok(Some(Command::Quit | Command::Ping(_)))) => return false,
            None => self.refuse("no line of edit mode", line),
        }
        true
    }

    /// Both ratings, 0 for one that is not known: whether to play for a win or for a draw.
    fn rate(&mut self, own: i64, opponent: i64) {
        self.opponent.set_ratings(own, opponent);
        let contempt = self.weigh_opponent();
        self.output.trace(|| format!("rating: {own} against {opponent}, contempt {contempt}"));
    }

    /// What is known of the opponent has changed; gives what a draw costs now.
    fn weigh_opponent(&mut self) -> i32 {
        self.engine.set_rating_lead(self.opponent.rating_lead());
        self.engine.contempt()
    }

    /// `ics HOST`, or `ics -` for a game that is played on this machine.
    fn set_server(&mut self, host: &str) {
        self.on_server = host != "-";
        self.engine.set_least_overhead(if self.on_server { SERVER_OVERHEAD } else { Duration::ZERO });
        let overhead = self.engine.move_overhead().as_millis();
        let place = match host {
            "-" => "no chess server",
            "" => "a chess server",
            host => host,
        };
        self.output.trace(|| format!("ics: {place}, move overhead {overhead} ms"));
    }

    fn new_game(&mut self) {
        self.abandon();
        self.engine.new_game();
        self.opponent.new_game();
        self.weigh_opponent();
        // Names, colours and the like belong to the game.
        self.set_chess960(false);
        self.side = Some(Color::Black);
        self.control.new_game();
        self.mood = Mood::default();
        self.draw_offered = false;
        self.paused = None;
        self.prepare();
        self.set_game(Game::default());
    }

    /// Makes threads and table now, so that the first move does not wait for them.
    fn prepare(&mut self) {
        if let Err(error) = self.engine.prepare() {
            self.output.line(Message::TellUserError(error.to_string()));
        }
    }

    fn set_chess960(&mut self, on: bool) {
        // A check option takes both words.
        let _ = self.engine.set_option("UCI_Chess960", Some(if on { "true" } else { "false" }));
    }

    fn set_variant(&mut self, variant: &str) {
        match variant {
            "normal" => self.set_chess960(false),
            "fischerandom" => self.set_chess960(true),
            other => self.refuse("unknown variant", &format!("variant {other}")),
        }
    }

    fn set_board(&mut self, fen: &str) {
        match Position::from_fen_with(fen, Tolerance::ALL) {
            Ok(position) => self.set_game(Game::new(position)),
            Err(error) => self.refuse_position(&error.to_string()),
        }
    }

    fn refuse_position(&mut self, reason: &str) {
        self.abandon();
        self.refused = true;
        self.output.line(Message::TellUserError(format!("Illegal position: {reason}")));
    }

    /// Another game, or none, is on the board. An analysis goes on with it.
    pub(crate) fn set_game(&mut self, game: Game) {
        self.abandon();
        self.engine.set_game_to(game);
        self.past.clear();
        self.refused = false;
        self.draw_offered = false;
        self.position_changed();
    }

    fn position_changed(&mut self) {
        self.excluded.clear();
        self.over = false;
        if self.analysing {
            self.start_analysis();
        }
    }

    pub(crate) fn force(&mut self) {
        self.abandon();
        self.analysing = false;
        self.side = None;
        self.paused = None;
    }

    fn take_back(&mut self, plies: usize) {
        self.abandon();
        for _ in 0..plies {
            if self.engine.undo().is_some() {
                continue;
            }
            match self.past.pop() {
                Some(game) => self.engine.set_game_to(game),
                None => {
                    self.refuse("there is no move to take back", if plies == 1 { "undo" } else { "remove" });
                    break;
                }
            }
        }
        self.refused = false;
        self.position_changed();
    }

    /// A move by hand.
    fn user_move(&mut self, text: &MoveText) {
        let illegal = |reason: &str| Message::IllegalMove { reason: reason.to_owned(), mv: text.to_string() };
        if self.refused {
            self.output.line(illegal("there is no legal position"));
            return;
        }
        if self.task.is_thinking() {
            self.refuse("it is not your move", &text.to_string());
            return;
        }
        if *text == MoveText::Null {
            self.null_move();
            return;
        }
        let Some(mv) = moves::resolve(self.engine.position(), text) else {
            let reason = if self.engine.position().has_legal_move() { "" } else { "the game is over" };
            self.output.line(illegal(reason));
            return;
        };
        self.opponent_moved(mv);
    }

    /// `@@@@`: the other side is to move, if the one that is may leave its king where it is.
    fn null_move(&mut self) {
        let position = self.engine.position();
        if position.in_check() {
            self.output.line(Message::IllegalMove { reason: "in check".to_owned(), mv: "@@@@".to_owned() });
            return;
        }
        let next = Game::new(position.play_null());
        let before = self.engine.game().clone();
        self.abandon();
        self.past.push(before);
        self.engine.set_game_to(next);
        self.after_opponent();
    }

    fn result(&mut self, result: GameResult, reason: &str) {
        self.abandon();
        self.side = None;
        self.over = true;
        let result = match result {
            GameResult::WhiteWins => pgn::GameResult::won_by(Color::White),
            GameResult::BlackWins => pgn::GameResult::won_by(Color::Black),
            GameResult::Draw => pgn::GameResult::Draw,
            GameResult::Unfinished => pgn::GameResult::Unknown,
        };
        self.engine.end_log(result, reason);
    }

    fn analyse(&mut self) {
        self.abandon();
        self.analysing = true;
        self.start_analysis();
    }

    fn exit(&mut self) {
        if self.analysing {
            self.abandon();
            self.analysing = false;
            self.side = None;
            self.paused = None;
        }
    }

    /// The answer to `.`.
    fn status(&mut self) {
        let Some(running) = self.task.search() else { return };
        let position = running.control.root();
        let chess960 = self.engine.options().chess960;
        let count = position.count_legal_moves().saturating_sub(self.excluded.len() as u32);
        let status = running.status(count, |mv| moves::text(mv, chess960).to_string());
        self.output.line(Message::Status(status));
    }

    fn pause(&mut self) {
        if self.paused.is_some() {
            return;
        }
        let paused = match &self.task {
            Task::Search(running) => match &running.purpose {
                Purpose::Think => {
                    // The clocks have run until now.
                    let took = running.started.elapsed();
                    self.control.pause_after(took);
                    Paused::Thinking
                }
                Purpose::Ponder(mv) => Paused::Pondering(*mv),
                Purpose::Analyse | Purpose::Test(_) => Paused::Nothing,
            },
            _ => Paused::Nothing,
        };
        self.abandon();
        self.paused = Some(paused);
    }

    fn resume(&mut self) {
        match self.paused.take() {
            None => {}
            Some(_) if self.analysing => self.start_analysis(),
            Some(Paused::Nothing) => {}
            Some(Paused::Thinking) => self.start_thinking(),
            Some(Paused::Pondering(mv)) => self.start_pondering(Some(mv)),
        }
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// `memory` is for all: what the threads need of it is not the table's.
    fn share_memory(&mut self) {
        let Some(megabytes) = self.memory else { return };
        let hash = table_share(megabytes, self.engine.options().threads as u64);
        self.set_option("Hash", Some(&hash.to_string()), &format!("memory {megabytes}"));
        let hash = self.engine.options().hash;
        self.output.trace(|| format!("memory: {hash} of {megabytes} MB are the hash table's"));
    }

    /// Sets an option of the engine; what is searched meanwhile begins anew.
    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        let interrupted = self.interrupt();
        let name = features::find(name).map_or(name, |spec| spec.name);
        if let Err(error) = self.engine.set_option(name, value) {
            self.refuse(&error.to_string(), line);
        }
        self.take_up(interrupted);
    }

    /// Changes the clock. What the engine ponders with the old one is worth nothing.
    fn retime(&mut self, change: impl FnOnce(&mut Control)) {
        let before = self.control.clone();
        change(&mut self.control);
        let ponders = self.task.search().is_some_and(|running| matches!(running.purpose, Purpose::Ponder(_)));
        if ponders && before != self.control {
            let interrupted = self.interrupt();
            self.take_up(interrupted);
        }
    }

    pub(crate) fn interrupt(&mut self) -> Option<Purpose> {
        let purpose = match &self.task {
            Task::Search(running) => match running.purpose {
                Purpose::Ponder(mv) => Some(Purpose::Ponder(mv)),
                Purpose::Analyse => Some(Purpose::Analyse),
                _ => None,
            },
            _ => None,
        };
        self.abandon();
        purpose
    }

    pub(crate) fn take_up(&mut self, purpose: Option<Purpose>) {
        match purpose {
            Some(Purpose::Ponder(mv)) => self.start_pondering(Some(mv)),
            Some(Purpose::Analyse) => self.start_analysis(),
            _ => {}
        }
    }

    fn exclude(&mut self, mv: Option<&MoveText>, out: bool) {
        let all = self.engine.position().legal_moves().to_vec();
        match mv {
            None => self.excluded = if out { all } else { Vec::new() },
            Some(text) => match moves::resolve(self.engine.position(), text) {
                Some(mv) => {
                    self.excluded.retain(|&other| other != mv);
                    if out {
                        self.excluded.push(mv);
                    }
                }
                None => {
                    let line = format!("{} {text}", if out { "exclude" } else { "include" });
                    self.refuse("this move is not legal here", &line);
                    return;
                }
            },
        }
        if self.analysing {
            self.start_analysis();
        }
    }

    /// Ends whatever goes on, without a move, and answers what has waited for it.
    pub(crate) fn abandon(&mut self) {
        match std::mem::replace(&mut self.task, Task::Idle) {
            Task::Idle => {}
            Task::Perft(perft) => perft.stop(),
            Task::Search(running) => {
                let Running { control, events, purpose, .. } = *running;
                control.stop();
                // It ends within a millisecond or so, and then nobody writes to the table any more.
                if let Some(SearchEvent::Finished(result)) = events.iter().last() {
                    self.output.trace(|| format!("search broken off: depth {}, {} nodes", result.depth, result.nodes));
                }
                if let Purpose::Test(mut suite) = purpose {
                    self.output.line(suite.summary());
                }
            }
        }
        self.answer_waiting();
    }

    /// The move is played or dropped: what waited for it is done.
    pub(crate) fn answer_waiting(&mut self) {
        // Taken out first: what these commands do may lead here again.
        for command in std::mem::take(&mut self.waiting) {
            self.execute(command);
        }
    }

    fn on_perft(&mut self, event: Option<PerftEvent>) {
        match event {
            Some(PerftEvent::Move(mv, leaves)) => self.output.line(format_args!("{mv}: {leaves}")),
            Some(PerftEvent::Total(Some(total))) => {
                self.output.line(format_args!("\nNodes searched: {total}\n"));
                self.task = Task::Idle;
            }
            Some(PerftEvent::Total(None)) | None => self.task = Task::Idle,
        }
    }

    /// Plies played since the first position of the game.
    pub(crate) fn plies(&self) -> usize {
        self.past.iter().map(|game| game.moves().len() + 1).sum::<usize>() + self.engine.game().moves().len()
    }

    /// Names for the game log.
    pub(crate) fn players(&self) -> Players {
        let other = self.opponent.name.clone().unwrap_or_else(|| "?".to_owned());
        match self.side {
            Some(Color::White) => Players { white: NAME.to_owned(), black: other },
            _ => Players { white: other, black: NAME.to_owned() },
        }
    }
}

/// The first position of a file of FENs or EPDs.
fn first_position(text: &str) -> Result<Position, String> {
    let line = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let line = line.ok_or("there is no position")?;
    match Position::from_fen_with(line.trim(), Tolerance::ALL) {
        Ok(position) => Ok(position),
        Err(fen_error) => Epd::parse(line).map(|epd| epd.position).map_err(|_| fen_error.to_string()),
    }
}
