//! Which command does what.

use super::Xboard;
use crate::features;
use bartizan_engine::split_folders;
use bartizan_protocol::xboard::{Command, Message};
use bartizan_types::Excerpt;

impl Xboard {
    /// Executes a command now, or after the engine's move.
    pub(super) fn receive(&mut self, command: Command) {
        let waits = matches!(
            command,
            Command::Ping(_)
                | Command::Memory(_)
                | Command::Cores(_)
                | Command::Option { .. }
                | Command::EgtPath { .. }
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

    /// Executes the commands that have waited for the engine's move.
    pub(super) fn execute_waiting(&mut self) {
        // Taken out first: a command that aborts a task calls this again.
        for command in std::mem::take(&mut self.waiting) {
            self.execute(command);
        }
    }

    fn execute(&mut self, command: Command) {
        if !matches!(
            command,
            Command::Xboard | Command::ProtoVer(_) | Command::Accepted(_) | Command::Rejected(_) | Command::Ping(_)
        ) {
            // The client has not announced that it accepts comments.
            self.tell_settings_faults();
        }
        match command {
            // The program.
            Command::Quit => self.session.quit(),
            Command::Rejected(feature) if feature == "debug" => self.tell_settings_faults(),
            Command::Xboard | Command::Rejected(_) | Command::Random | Command::White | Command::Black => {}
            Command::ProtoVer(version) => self.introduce(version),
            Command::Accepted(feature) => self.accepted(&feature),
            Command::Ping(number) => {
                self.prepare();
                self.send(Message::Pong(number));
            }
            Command::Post => self.begin_to_show(),
            Command::NoPost => self.client.wants_thinking = false,
            Command::Memory(mib) => self.set_memory(mib),
            Command::Cores(cores) => self.set_cores(cores),
            Command::Option { name, value } => {
                let line = Command::Option { name: name.clone(), value: value.clone() }.to_string();
                self.set_option(&name, value.as_deref(), &line);
            }
            // xboard sends a folder from its default settings, whether or not it exists.
            Command::EgtPath { kind, path } if kind == "syzygy" && names_no_folder(&path) => {
                self.session.output.trace(|| format!("egtpath: no folder '{}'", Excerpt::new(&path)));
            }
            Command::EgtPath { kind, path } if kind == "syzygy" => {
                self.set_option("SyzygyPath", Some(&path), &format!("egtpath syzygy {path}"));
            }
            // Clients should only send what the feature names.
            Command::EgtPath { kind, .. } => {
                self.session.output.trace(|| format!("egtpath: {}: only syzygy tables are used", Excerpt::new(&kind)));
            }
            // The opponent and the place.
            Command::Ics(host) => self.set_server(&host),
            Command::Rating { own, opponent } => self.set_ratings(own, opponent),
            Command::Computer => self.set_computer(),
            Command::Name(name) => drop(self.set_opponent(|opponent| opponent.name = Some(name))),
            // The clock.
            Command::Level { moves, base, increment } => {
                let plies = self.plies();
                self.set_control(|control| control.set_level(plies, moves, base, increment));
            }
            Command::MoveTime(time) => self.set_control(|control| control.set_move_time(time)),
            Command::Depth(depth) => self.set_control(|control| control.set_depth(depth)),
            Command::Nps(nps) => self.set_control(|control| control.set_nps(nps)),
            Command::Time(centiseconds) => self.control.set_own(centiseconds),
            Command::OpponentTime(centiseconds) => self.control.set_other(centiseconds),
            // The board.
            Command::New => self.new_game(),
            Command::Variant(variant) => self.set_variant(&variant),
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Edit => self.begin_edit(),
            Command::Move(mv) | Command::UserMove(mv) => self.user_move(&mv),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            // The game.
            Command::Force => self.force(),
            Command::Go => self.go(),
            Command::PlayOther => self.play_other(),
            Command::MoveNow => self.move_now(),
            Command::Draw => self.draw_offered(),
            Command::Result { result, reason } => self.game_ended(result, &reason),
            Command::Hard => self.set(|config| config.ponder = true),
            Command::Easy => self.stop_pondering(),
            Command::Pause => self.pause(),
            Command::Resume => self.unpause(),
            // Analysis.
            Command::Analyze => self.analyse(),
            Command::Exit => self.exit_analysis(),
            Command::Status => self.show_status(),
            Command::Exclude(mv) => self.exclude(mv.as_ref(), true),
            Command::Include(mv) => self.exclude(mv.as_ref(), false),
            Command::Hint => self.hint(),
            Command::Book => self.show_book(),
            command => self.refuse("unknown command", &command.to_string()),
        }
    }

    fn introduce(&mut self, version: u32) {
        // Version 1 of the protocol knows no features.
        if version >= 2 {
            for message in features::messages(self.session.config()) {
                self.send(message);
            }
        }
    }

    /// Starts the threads and allocates the table now, so that the first move need not wait for them.
    pub(super) fn prepare(&mut self) {
        if let Err(error) = self.session.engine.prepare() {
            self.send(Message::TellUserError(error.to_string()));
        }
        self.warn();
    }

    /// Shows the messages for the user.
    pub(super) fn warn(&mut self) {
        for message in self.session.take_messages() {
            if message.is_warning {
                self.send(Message::TellUserError(message.to_string()));
            } else {
                // A comment, which xboard would show among the lines of thinking.
                self.session.output.trace(|| format!("egtpath: {message}"));
            }
        }
    }
}

/// Whether none of the folders in a list exists. An empty list turns the tables off.
fn names_no_folder(list: &str) -> bool {
    !list.trim().is_empty() && !split_folders(list).iter().any(|folder| folder.is_dir())
}
