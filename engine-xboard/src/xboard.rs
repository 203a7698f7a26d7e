//! The conversation: commands in, messages out.
//!
//! Every command is obeyed at once, whatever the engine is busy with, but for a few that must come after the move which is
//! being thought about: `ping`, and what changes threads and tables. A command that changes the position drops the search.

use crate::args::Args;
use crate::clock::Control;
use crate::features;
use crate::manners::Mood;
use crate::memory::table_share;
use crate::moves;
use bartizan_engine::{NAME, Options, Players, SearchEvent, SearchResult};
use bartizan_frontend::options::{self, OptionError};
use bartizan_frontend::{
    Config, ConfigError, FrontEnd, Opponent, Output, Progress, Purpose, Searching, Session, Settings, console,
};
use bartizan_notation::epd::Epd;
use bartizan_position::{Game, Position, Tolerance};
use bartizan_protocol::xboard::{Command, CommandError, Edit, EditLine, GameResult, Message, MoveText, Status};
use bartizan_types::{Color, Move};
use std::fmt::Display;
use std::time::Duration;

/// What a move loses at least on its way to a chess server and back. Chosen, not measured: half a second is a slow line, and to
/// plan for it costs four seconds of a game's time, since the plan keeps it for eight moves.
const SERVER_OVERHEAD: Duration = Duration::from_millis(500);

/// What begins a line for people who read the client's log.
const COMMENT: &str = "# ";

/// One run of the program.
pub(crate) struct Xboard {
    pub(crate) session: Session,
    /// Whether the client has said that it understands `#` lines.
    accepts_comments: bool,
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
    /// The game is played on a chess server, which judges it.
    pub(crate) on_server: bool,
    /// What `memory` has said that all may use, in MiB.
    memory: Option<u64>,
    /// What went wrong before anybody could be told.
    faults: Vec<String>,
    /// Commands that wait for the move.
    waiting: Vec<Command>,
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
    #[error("'-c {value}': {source}")]
    Threads { value: String, source: OptionError },
    #[error("-H: {0}")]
    Hash(ConfigError),
}

impl Xboard {
    pub(crate) fn new(mut output: Output, trace: bool) -> Self {
        if trace {
            output.trace_to_client(COMMENT);
        }
        let mut session = Session::new(output);
        // Clocks are told in centiseconds, and rounded up as often as down.
        let overhead = Duration::from_millis(20);
        let _ = session.configure(|config| config.engine.move_overhead = overhead);
        Self {
            session,
            accepts_comments: false,
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
            on_server: false,
            memory: None,
            faults: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Settings files first, then what the command line says.
    pub(crate) fn configure_from(&mut self, args: &Args) -> Result<(), ConfigureError> {
        let settings = Settings::find(args.config.as_deref());
        self.faults = self.session.load_settings(&settings);
        for file in &settings.files {
            self.session.output.trace(|| format!("settings: {}", file.display()));
        }
        for fault in &self.faults {
            self.session.output.complain(format_args!("bartizan-xboard: {fault}"));
        }
        if self.session.output.has_trace() {
            self.tell_faults();
        }
        if let Some(threads) = &args.threads {
            let set = self.session.set_option("Threads", Some(threads));
            set.map_err(|source| ConfigureError::Threads { value: threads.clone(), source })?;
        }
        if let Some(mib) = args.hash {
            let hash_mib = usize::try_from(mib).unwrap_or(usize::MAX);
            let set = self.session.configure(|config| config.engine.hash_mib = hash_mib);
            set.map_err(ConfigureError::Hash)?;
        }
        if args.ics {
            self.set_server("");
        }
        if let Some(path) = &args.position {
            let file = path.display().to_string();
            let text = std::fs::read(path).map_err(|error| error.to_string());
            let position = text.and_then(|text| first_position(&String::from_utf8_lossy(&text)));
            let position = position.map_err(|reason| ConfigureError::Position { file, reason })?;
            self.session.engine.set_game(Game::new(position));
            self.side = None;
        }
        Ok(())
    }

    fn tell_faults(&mut self) {
        for fault in std::mem::take(&mut self.faults) {
            self.comment(format_args!("settings: {fault}"));
        }
    }

    /// The one line for people in a terminal.
    pub(crate) fn greet(&mut self) {
        self.session
            .output
            .line(format_args!("{NAME}. A chess engine for xboard: add it to a chess program, or type help."));
    }

    /// Writes a line for people who read the client's log.
    pub(crate) fn comment(&mut self, text: impl Display) {
        for line in text.to_string().lines() {
            self.session.output.line(Message::Debug(line.to_owned()));
        }
    }

    /// Writes a line that people should find in the client's log, if the client understands such lines.
    fn remark(&mut self, text: impl Display) {
        if self.session.output.has_trace() || self.accepts_comments {
            self.comment(text);
        }
    }

    pub(crate) fn is_thinking(&self) -> bool {
        self.session.task().purpose() == Some(Purpose::Think)
    }

    /// `Error (REASON): COMMAND`.
    pub(crate) fn refuse(&mut self, reason: &str, command: &str) {
        self.session.output.line(Message::Error { reason: reason.to_owned(), command: command.trim().to_owned() });
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
        if waits && self.is_thinking() {
            self.waiting.push(command);
        } else {
            self.execute(command);
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Quit => self.session.quit(),
            Command::Xboard | Command::Rejected(_) | Command::Random | Command::White | Command::Black => {}
            Command::Ics(host) => self.set_server(&host),
            Command::Rating { own, opponent } => self.rate(own, opponent),
            Command::Computer => {
                let contempt = self.set_opponent(|opponent| opponent.is_computer = true);
                self.session.output.trace(|| format!("opponent: a computer, contempt {contempt}"));
            }
            // The feature is not declared, so that nobody should send it; whoever does is told that it is of no use.
            Command::EgtPath { kind, path } => {
                self.remark(format_args!("egtpath: {kind} {path}: this version uses no endgame tables"));
            }
            Command::ProtoVer(version) => self.introduce(version),
            Command::Accepted(feature) => {
                // Now it may be told in lines that begin with `#`.
                if feature == "debug" {
                    self.accepts_comments = true;
                    self.tell_faults();
                }
            }
            Command::Name(name) => drop(self.set_opponent(|opponent| opponent.name = Some(name))),
            Command::Ping(number) => {
                self.prepare();
                self.session.output.line(Message::Pong(number));
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
                self.edit = Some(Edit::new(self.session.engine.position()));
            }
            Command::Hint => self.hint(),
            // There is no book to tell of: the empty line that ends the answer is all of it.
            Command::Book => self.session.output.line(""),
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
                self.configure(|config| config.engine.threads = cores as usize, &line);
                // It comes after `memory`, which is for all threads.
                self.share_memory();
            }
            Command::Option { name, value } => {
                let line = Command::Option { name: name.clone(), value: value.clone() }.to_string();
                if options::find(&name).is_ok_and(|row| row.name() == "Hash") {
                    // The last command counts.
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
            for message in features::messages(self.session.config()) {
                self.session.output.line(message);
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
                    self.replace_game(Game::new(position));
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
    fn rate(&mut self, own: i32, opponent: i32) {
        let known = |rating: i32| Some(rating).filter(|&rating| rating > 0);
        let contempt = self.set_opponent(|them| (them.own_rating, them.rating) = (known(own), known(opponent)));
        self.session.output.trace(|| format!("rating: {own} against {opponent}, contempt {contempt}"));
    }

    /// Changes what is known of the opponent; returns what a draw costs now.
    fn set_opponent(&mut self, change: impl FnOnce(&mut Opponent)) -> i32 {
        // Nothing of it can fail.
        let _ = self.session.configure(|config| change(&mut config.opponent));
        self.session.engine.contempt()
    }

    /// `ics HOST`, or `ics -` for a game that is played on this machine.
    fn set_server(&mut self, host: &str) {
        self.on_server = host != "-";
        self.session.engine.set_least_overhead(if self.on_server { SERVER_OVERHEAD } else { Duration::ZERO });
        let overhead = self.session.engine.move_overhead().as_millis();
        let place = match host {
            "-" => "no chess server",
            "" => "a chess server",
            host => host,
        };
        self.session.output.trace(|| format!("ics: {place}, move overhead {overhead} ms"));
    }

    fn new_game(&mut self) {
        self.abandon();
        self.session.engine.new_game();
        self.set_opponent(Opponent::new_game);
        // Names, colours and the like belong to the game.
        self.set_chess960(false);
        self.side = Some(Color::Black);
        self.control.new_game();
        self.mood = Mood::default();
        self.draw_offered = false;
        self.paused = None;
        self.prepare();
        self.replace_game(Game::default());
    }

    /// Makes threads and table now, so that the first move does not wait for them.
    fn prepare(&mut self) {
        if let Err(error) = self.session.engine.prepare() {
            self.session.output.line(Message::TellUserError(error.to_string()));
        }
    }

    fn set_chess960(&mut self, on: bool) {
        // Nothing of it can fail.
        let _ = self.session.configure(|config| config.engine.chess960 = on);
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
            Ok(position) => self.replace_game(Game::new(position)),
            Err(error) => self.refuse_position(&error.to_string()),
        }
    }

    fn refuse_position(&mut self, reason: &str) {
        self.abandon();
        self.refused = true;
        self.session.output.line(Message::TellUserError(format!("Illegal position: {reason}")));
    }

    /// Replaces the game on the board. An analysis continues with it.
    pub(crate) fn replace_game(&mut self, game: Game) {
        self.abandon();
        self.session.engine.set_game(game);
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
            if self.session.engine.undo().is_some() {
                continue;
            }
            match self.past.pop() {
                Some(game) => self.session.engine.set_game(game),
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
            self.session.output.line(illegal("there is no legal position"));
            return;
        }
        if self.is_thinking() {
            self.refuse("it is not your move", &text.to_string());
            return;
        }
        if *text == MoveText::Null {
            self.null_move();
            return;
        }
        let Some(mv) = moves::resolve(self.session.engine.position(), text) else {
            let reason = if self.session.engine.position().has_legal_move() { "" } else { "the game is over" };
            self.session.output.line(illegal(reason));
            return;
        };
        self.opponent_moved(mv);
    }

    /// `@@@@`: the other side is to move, if the one that is may leave its king where it is.
    fn null_move(&mut self) {
        let position = self.session.engine.position();
        if position.in_check() {
            self.session.output.line(Message::IllegalMove { reason: "in check".to_owned(), mv: "@@@@".to_owned() });
            return;
        }
        let next = Game::new(position.play_null());
        let before = self.session.engine.game().clone();
        self.abandon();
        self.past.push(before);
        self.session.engine.set_game(next);
        self.after_opponent();
    }

    fn result(&mut self, result: GameResult, reason: &str) {
        self.abandon();
        self.side = None;
        self.over = true;
        self.session.engine.end_log(result, reason);
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
        let Some(running) = self.session.task().search() else { return };
        let position = running.control.root();
        let chess960 = self.session.config().engine.chess960;
        let count = position.count_legal_moves().saturating_sub(self.excluded.len() as u32);
        let status = status(running, count, |mv| moves::text(mv, chess960).to_string());
        self.session.output.line(Message::Status(status));
    }

    fn pause(&mut self) {
        if self.paused.is_some() {
            return;
        }
        let paused = match self.session.task().search().map(|search| (search.purpose, search.started)) {
            Some((Purpose::Think, started)) => {
                // The clocks have run until now.
                self.control.pause_after(started.elapsed());
                Paused::Thinking
            }
            Some((Purpose::Ponder(Some(mv)), _)) => Paused::Pondering(mv),
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
        let hash = table_share(megabytes, self.session.engine.options().threads as u64);
        let hash = usize::try_from(hash).unwrap_or(usize::MAX).min(*Options::HASH_MIB.end());
        self.configure(|config| config.engine.hash_mib = hash, &format!("memory {megabytes}"));
        let hash = self.session.engine.options().hash_mib;
        self.session.output.trace(|| format!("memory: {hash} of {megabytes} MB are the hash table's"));
    }

    /// Sets an option; a search for an analysis or in the opponent's time starts anew.
    fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        let interrupted = self.break_off();
        if let Err(error) = self.session.set_option(name, value) {
            self.refuse(&error.to_string(), line);
        }
        self.take_up(interrupted);
    }

    /// As [`Xboard::set_option`], by the fields of the configuration.
    fn configure(&mut self, change: impl FnOnce(&mut Config), line: &str) {
        let interrupted = self.break_off();
        if let Err(error) = self.session.configure(change) {
            self.refuse(&error.to_string(), line);
        }
        self.take_up(interrupted);
    }

    /// Changes the clock. What the engine ponders with the old one is worth nothing.
    fn retime(&mut self, change: impl FnOnce(&mut Control)) {
        let before = self.control.clone();
        change(&mut self.control);
        let ponders = self.session.task().search().is_some_and(|running| matches!(running.purpose, Purpose::Ponder(_)));
        if ponders && before != self.control {
            let interrupted = self.break_off();
            self.take_up(interrupted);
        }
    }

    /// Ends the task; returns what to take up again.
    fn break_off(&mut self) -> Option<Purpose> {
        let purpose = self.session.task().purpose().filter(|&purpose| purpose != Purpose::Think);
        self.abandon();
        purpose
    }

    fn take_up(&mut self, purpose: Option<Purpose>) {
        match purpose {
            Some(Purpose::Ponder(mv)) => self.start_pondering(mv),
            Some(Purpose::Analyse) => self.start_analysis(),
            Some(Purpose::Think) | None => {}
        }
    }

    fn exclude(&mut self, mv: Option<&MoveText>, out: bool) {
        let all = self.session.engine.position().legal_moves().to_vec();
        match mv {
            None => self.excluded = if out { all } else { Vec::new() },
            Some(text) => match moves::resolve(self.session.engine.position(), text) {
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

    /// Ends the task without a move, and answers what has waited for it.
    pub(crate) fn abandon(&mut self) {
        self.session.abandon_task();
        self.answer_waiting();
    }

    /// The move is played or dropped: what waited for it is done.
    pub(crate) fn answer_waiting(&mut self) {
        // Taken out first: what these commands do may lead here again.
        for command in std::mem::take(&mut self.waiting) {
            self.execute(command);
        }
    }

    /// Plies played since the first position of the game.
    pub(crate) fn plies(&self) -> usize {
        self.past.iter().map(|game| game.moves().len() + 1).sum::<usize>() + self.session.engine.game().moves().len()
    }

    /// Names for the game log.
    pub(crate) fn players(&self) -> Players {
        let other = self.session.config().opponent.name.clone().unwrap_or_else(|| "?".to_owned());
        match self.side {
            Some(Color::White) => Players { white: NAME.to_owned(), black: other },
            _ => Players { white: other, black: NAME.to_owned() },
        }
    }
}

impl FrontEnd for Xboard {
    const HELP: &'static str = "\
bartizan-xboard is a chess engine for xboard and WinBoard: xboard -fcp bartizan-xboard
Enter moves as e2e4 or Nf3, commands of the protocol, and others:

  new, go, force, undo            begin a game, let the engine play the side to move, stop it, take back a ply
  level 40 5 0, st 10, sd 12      time: 40 moves in 5 minutes, 10 seconds a move; depth 12
  post, nopost                    show what the engine thinks, or not
  analyze, ., exit                analyse the position, tell how far the search is, stop
  setboard FEN                    set up a position
  ?                               move now; also ends perft and test
  quit                            leave";

    const PROTOCOL_COMMANDS: &'static [&'static str] =
        &["new", "go", "force", "undo", "level", "st", "sd", "post", "nopost", "analyze", "setboard", "quit"];

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn handle_line(&mut self, line: &str) {
        self.session.output.trace(|| format!("command: {}", line.trim()));
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

    fn handle_search_event(&mut self, event: &SearchEvent) {
        if let SearchEvent::Info(info) = event {
            self.post(info);
        }
    }

    fn handle_search_end(&mut self, search: Searching, result: Option<SearchResult>) {
        match result {
            Some(result) => {
                self.session.engine.learn_from(&SearchEvent::Finished(result.clone()));
                self.finish(&search, &result);
            }
            None => self.search_died(search.purpose),
        }
    }

    fn handle_idle(&mut self) {
        self.answer_waiting();
    }

    fn report_error(&mut self, error: &dyn Display, line: &str) {
        self.refuse(&error.to_string(), line);
    }

    fn set_game(&mut self, game: Game) {
        self.force();
        self.replace_game(game);
    }

    fn interrupt(&mut self) -> Result<Option<Purpose>, &'static str> {
        if self.is_thinking() { Err("the engine is thinking") } else { Ok(self.break_off()) }
    }

    fn resume(&mut self, interrupted: Option<Purpose>) {
        self.take_up(interrupted);
    }
}

/// The answer to `.`; `moves` is how many there are at the root.
fn status(search: &Searching, moves: u32, name: impl Fn(Move) -> String) -> Status {
    let Progress { best, current, depth, .. } = &search.progress;
    let nodes = best.as_ref().map_or(0, |info| info.nodes);
    let searched = current.map_or(moves, |(_, number)| number);
    let mv = current.map(|(mv, _)| mv).or_else(|| best.as_ref()?.pv.first().copied());
    Status {
        time: (search.started.elapsed().as_millis() / 10) as u64,
        nodes,
        ply: *depth,
        moves_left: moves.saturating_sub(searched),
        moves,
        current: mv.map(name).unwrap_or_default(),
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
