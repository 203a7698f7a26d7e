//! Options: settings files, the command line, `option`, `memory`, `cores`, and information about the opponent.

use super::{COMMENT, Client, Mode, Stage, Xboard};
use crate::args::Args;
use crate::clock::Control;
use crate::memory::table_share;
use crate::resign_draw::ResignDrawState;
use bartizan_engine::options::Retry;
use bartizan_engine::{Level, Options};
use bartizan_frontend::options::OptionError;
use bartizan_frontend::{
    Config, ConfigError, FileSettings, FrontEnd, Opponent, Output, Purpose, Session, SettingsFault,
};
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_position::Setup;
use bartizan_protocol::xboard::Message;
use bartizan_types::{Color, Escaped, Variant};
use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use std::time::Duration;

/// The minimum overhead of a move on its way to a chess server and back. Chosen, not measured: half a second is a slow
/// connection, and planning for it costs four seconds of a game's time, since the plan reserves it for eight moves.
const SERVER_OVERHEAD: Duration = Duration::from_millis(500);

/// The default move overhead. xboard sends clocks in centiseconds, rounded up as often as down.
const MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// Why the program cannot start with its command line.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("cannot use the position in '{}': {reason}", Escaped(.path.display()))]
    Position { path: PathBuf, reason: String },
    #[error(transparent)]
    Settings(#[from] SettingsFault),
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl Xboard {
    pub(crate) fn new(mut output: Output, trace: bool) -> Self {
        if trace {
            output.trace_to_client(COMMENT);
        }
        let mut xboard = Self {
            session: Session::new(output),
            mode: Mode::Playing(Color::Black),
            stage: Stage::Open,
            control: Control::default(),
            resign_draw: ResignDrawState::default(),
            excluded: Vec::new(),
            past: Vec::new(),
            edit: None,
            waiting: Vec::new(),
            client: Client::default(),
            is_typed: false,
            memory: None,
            shown_depth: 0,
        };
        xboard.set(|config| config.engine.move_overhead = MOVE_OVERHEAD);
        xboard
    }

    /// Applies the settings files first, then the command line.
    pub(crate) fn configure(&mut self, args: &Args) -> Result<(), StartError> {
        let read = if args.no_config { FileSettings::only } else { FileSettings::find };
        self.load_settings(&read(args.config.as_deref())?);
        if let Some(threads) = args.threads {
            self.session.configure(|config| config.engine.threads = threads)?;
        }
        if let Some(mib) = args.hash {
            let mib = usize::try_from(mib).unwrap_or(usize::MAX);
            self.session.configure(|config| config.engine.hash_mib = mib)?;
        }
        if args.ics {
            self.set_server("");
        }
        if let Some(path) = &args.position {
            let text = bartizan_files::read(path, bartizan_files::MOST_WHOLE).map_err(|error| error.to_string());
            let setup = text.and_then(|text| first_position(&list::decode_file(&text).map_err(|e| e.to_string())?));
            let game = setup.and_then(|setup| self.session.engine.game_from(setup).map_err(|error| error.to_string()));
            let game = game.map_err(|reason| StartError::Position { path: path.clone(), reason })?;
            self.session.engine.set_game(game);
            self.mode = Mode::Force;
        }
        Ok(())
    }

    fn load_settings(&mut self, settings: &FileSettings) {
        let faults = self.session.load_settings(settings);
        for file in &settings.files {
            self.session.output.trace(|| format!("settings: {}", Escaped(file.display())));
        }
        if stdin().is_terminal() {
            for fault in &faults {
                self.complain(format_args!("bartizan-xboard: {fault}"));
            }
        } else {
            // xboard also reads standard error, and abandons an engine that prints `No such file` unless it takes the
            // line for a comment or a message to its user.
            self.client.settings_faults = faults;
        }
    }

    /// `accepted FEATURE`.
    pub(super) fn accepted(&mut self, feature: &str) {
        if feature == "debug" {
            for fault in std::mem::take(&mut self.client.settings_faults) {
                self.comment(format_args!("settings: {fault}"));
            }
        }
    }

    /// Reports errors in the settings files to the user of a client that does not accept comments.
    pub(super) fn tell_settings_faults(&mut self) {
        for fault in std::mem::take(&mut self.client.settings_faults) {
            self.send(Message::TellUserError(format!("settings: {fault}")));
        }
    }

    /// Changes options that need no check and cannot fail.
    pub(super) fn set(&mut self, change: impl FnOnce(&mut Config)) {
        if let Err(error) = self.session.configure(change) {
            self.session.output.trace(|| error);
        }
    }

    /// Sets an option by its name, on behalf of the command `line`.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, line: &str) {
        let hash = self.session.config().engine.hash_mib;
        if let Err(error) = self.reconfigure(|session| session.set_option(name, value)) {
            match error {
                OptionError::Unknown { .. } => self.refuse(&error.to_string(), line),
                // xboard does not show its user `Error` lines.
                _ => self.send(Message::TellUserError(error.to_string())),
            }
        }
        if hash != self.session.config().engine.hash_mib {
            // This overrides `memory`.
            self.memory = None;
        }
    }

    /// `strength PERCENT`, for people and scripts: plays at the rating that is this far up the levels. Returns whether
    /// the line is this command.
    pub(super) fn set_strength(&mut self, line: &str) -> bool {
        let Some(("strength", percent)) = line.trim().split_once(char::is_whitespace) else { return false };
        match percent.trim().parse() {
            Ok(percent @ 1..=100) => {
                let level = Level::of_percent(percent);
                self.set(|config| config.engine.set_level(level));
                self.session.output.trace(|| format!("strength: {percent} %, {level}"));
            }
            _ => self.refuse("strength: not a percentage from 1 to 100", line),
        }
        true
    }

    /// `cores N`.
    pub(super) fn set_cores(&mut self, cores: u32) {
        let set = self.set_memory_options(|config| config.engine.threads = cores as usize);
        if let Err(error) = set {
            self.send(Message::TellUserError(format!("cores {cores}: {error}")));
        }
        // It comes after `memory`, which covers all threads.
        if let Some(memory) = self.memory {
            self.set_memory(memory);
        }
    }

    /// `memory MIB`, the total: the table gets what the threads leave.
    pub(super) fn set_memory(&mut self, mib: u64) {
        self.memory = Some(mib);
        let hash = self.share_of(mib);
        let set = self.set_memory_options(|config| config.engine.hash_mib = hash);
        if let Err(error) = set {
            self.send(Message::TellUserError(format!("memory {mib}: {error}")));
        }
        let hash = self.session.config().engine.hash_mib;
        self.session.output.trace(|| format!("memory: {hash} of {mib} MB are the hash table's"));
    }

    /// Changes options for which the system may provide less, and then retries those for which it has.
    fn set_memory_options(&mut self, change: impl FnOnce(&mut Config)) -> Result<(), ConfigError> {
        self.reconfigure(|session| {
            session.configure(change)?;
            Ok(session.engine.retry(Retry::Memory)?)
        })
    }

    /// The hash table's share of the total memory, in MiB.
    fn share_of(&self, mib: u64) -> usize {
        let share = table_share(mib, self.session.config().engine.threads as u64);
        usize::try_from(share).unwrap_or(usize::MAX).min(*Options::HASH_MIB.end())
    }

    /// Changes options; restarts an analysis, or a ponder search.
    fn reconfigure<E>(&mut self, change: impl FnOnce(&mut Session) -> Result<(), E>) -> Result<(), E> {
        let interrupted = self.suspend();
        let changed = change(&mut self.session);
        self.warn();
        self.resume(interrupted);
        changed
    }

    /// Changes the time control, and restarts a ponder search that was planned for the old one.
    pub(super) fn set_control(&mut self, change: impl FnOnce(&mut Control)) {
        let before = self.control.clone();
        change(&mut self.control);
        if before != self.control && matches!(self.session.task().purpose(), Some(Purpose::Ponder(_))) {
            let interrupted = self.suspend();
            self.resume(interrupted);
        }
    }

    /// `rating OWN OPPONENT`, 0 if unknown: decides whether to play for a win or for a draw.
    pub(super) fn set_ratings(&mut self, own: i32, opponent: i32) {
        let known = |rating: i32| Some(rating).filter(|&rating| rating > 0);
        let contempt = self.set_opponent(|them| (them.own_rating, them.rating) = (known(own), known(opponent)));
        self.session.output.trace(|| format!("rating: {own} against {opponent}, contempt {contempt}"));
    }

    /// `computer`.
    pub(super) fn set_computer(&mut self) {
        let contempt = self.set_opponent(|opponent| opponent.is_computer = true);
        self.session.output.trace(|| format!("opponent: a computer, contempt {contempt}"));
    }

    /// Changes the information about the opponent; returns the new cost of a draw.
    pub(super) fn set_opponent(&mut self, change: impl FnOnce(&mut Opponent)) -> i32 {
        self.set(|config| change(&mut config.opponent));
        self.session.engine.contempt()
    }

    /// `ics HOST`, or `ics -` for a game that is not played on a server.
    pub(super) fn set_server(&mut self, host: &str) {
        self.client.is_server = host != "-";
        let least = if self.client.is_server { SERVER_OVERHEAD } else { Duration::ZERO };
        self.session.engine.set_least_overhead(least);
        let overhead = self.session.engine.move_overhead().as_millis();
        let place = match host {
            "-" => "no chess server",
            "" => "a chess server",
            host => host,
        };
        self.session.output.trace(|| format!("ics: {place}, move overhead {overhead} ms"));
    }

    /// `variant NAME`.
    pub(super) fn set_variant(&mut self, variant: &str) {
        match variant {
            "normal" => self.set(|config| config.engine.variant = Variant::Standard),
            "fischerandom" => self.set(|config| config.engine.variant = Variant::Chess960),
            other => self.refuse("unknown variant", &format!("variant {other}")),
        }
    }
}

/// The first position of a file of FENs or EPDs.
fn first_position(text: &str) -> Result<Setup, String> {
    let (_, line) = list::records(text).next().ok_or("the file has no position")?;
    Setup::from_fen(line).or_else(|fen_error| match Epd::parse(line) {
        Ok(epd) => Ok(epd.position.to_setup()),
        Err(_) => Err(fen_error.to_string()),
    })
}
