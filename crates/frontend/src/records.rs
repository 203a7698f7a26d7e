//! Records of a session's games in files: learnt positions, and the game log.

use crate::game_log::{GameLog, Players};
use crate::learning::{self, Learner, LearningOptions};
use crate::{Config, ConfigError};
use bartizan_engine::{LearntPositions, SearchEvent, SearchObserver, SearchStart};
use bartizan_position::{Game, Position};
use bartizan_types::{Escaped, GameResult, Variant};
use std::path::Path;
use std::sync::Arc;

/// Records of a session's games in files: learnt positions, and the game log. Dropping it waits until everything is
/// written.
#[derive(Debug, Default)]
pub struct Records {
    learning: LearningOptions,
    learner: Learner,
    log: Option<GameLog>,
    /// For the `Variant` tag in the log.
    variant: Variant,
    /// Messages for the trace.
    notes: Vec<String>,
    /// Messages for the user.
    warnings: Vec<String>,
}

impl Records {
    /// Checks the files of a configuration, and opens its game log if it differs from that of `old`.
    pub(crate) fn open(config: &Config, old: &Config) -> Result<Option<GameLog>, ConfigError> {
        config.learning.validate()?;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| ConfigError::File { path, source }
        };
        if let Some(path) = &config.learning.file
            && config.learning != old.learning
        {
            learning::check(path, config.learning.read_only).map_err(failed(path))?;
        }
        let path = config.game_log.as_ref().filter(|_| config.game_log != old.game_log);
        path.map(|path| GameLog::open(path).map_err(failed(path))).transpose()
    }

    /// Applies a configuration, with the log of [`Records::open`].
    pub(crate) fn configure(&mut self, config: &Config, old: &Config, log: Option<GameLog>) {
        if config.game_log != old.game_log {
            // Dropping the old log ends its game.
            self.log = log;
            let faults = self.log.as_mut().map(GameLog::take_faults).unwrap_or_default();
            self.warnings.extend(faults.iter().map(|fault| format!("game log: {fault}")));
        }
        self.learning = config.learning.clone();
        self.learner.prepare(&self.learning, &mut self.notes);
        self.variant = config.engine.variant;
    }

    /// Ends the game.
    pub(crate) fn new_game(&mut self) {
        self.learner.new_game(&self.learning, &mut self.notes);
        self.end_game(GameResult::Unknown, "");
    }

    /// Learns from a search. Pass every event of a search that runs to its end; an aborted search teaches nothing.
    pub fn learn_from(&mut self, event: &SearchEvent) {
        self.learner.learn_from(event, &self.learning);
    }

    /// Whether something was learnt about this position, or about one a move later.
    pub fn has_learnt(&self, position: &Position) -> bool {
        self.learning.enabled && self.learner.knows(position)
    }

    /// Whether there is a game log.
    pub fn logs_games(&self) -> bool {
        self.log.is_some()
    }

    /// Updates the game log, if there is one. Call it after each move of a game.
    pub fn log_game(&mut self, game: &Game, players: &Players) {
        let variant = self.variant;
        self.log(|log| log.note(game, variant, players));
    }

    /// Appends the current game of the game log to its file. Does not wait for it.
    pub fn end_game(&mut self, result: GameResult, reason: &str) {
        self.log(|log| log.end_in_background(result, reason));
    }

    fn log(&mut self, write: impl FnOnce(&mut GameLog) -> std::io::Result<()>) {
        if let Some(log) = &mut self.log
            && let Err(error) = write(log)
        {
            self.notes.push(format!("game log: {}: {error}", Escaped(log.path().display())));
        }
    }

    /// Messages for the trace since the last call: positions learnt, and unreadable or unwritable files.
    pub(crate) fn take_notes(&mut self) -> Vec<String> {
        self.learner.collect(&mut self.notes);
        if let Some(log) = &mut self.log {
            for error in log.take_faults() {
                self.notes.push(format!("game log: {}: {error}", Escaped(log.path().display())));
            }
        }
        std::mem::take(&mut self.notes)
    }

    /// Messages for the user since the last call: journals left by another version.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

/// Makes what was learnt available to the search, and learns from it if it is an ordinary one: results of weakened
/// searches are not worth keeping.
impl SearchObserver for Records {
    fn before_search(&mut self, start: &SearchStart<'_>) -> Option<Arc<LearntPositions>> {
        self.learner.watch(start.game, start.contempt, start.is_ordinary);
        self.learner.teach(&self.learning, &mut self.notes)
    }
}
