//! One game without a match.

use crate::adjudication::TablebaseJudge;
use crate::error::MatchError;
use crate::record::GameRecord;
use crate::referee::{GameRun, Referee};
use crate::schedule::ScheduledGame;
use crate::settings::MatchSettings;
use bartizan_client::Client;
use bartizan_position::Game;

/// A game played by [`play_game`].
#[derive(Debug)]
#[non_exhaustive]
pub struct SingleGame {
    /// The game.
    pub record: GameRecord,
    /// Whether each engine, White's first, can play another game. Otherwise drop it and start it again.
    pub is_ready: [bool; 2],
}

/// Plays one game from the last position of `opening`. `engines` are White's and Black's; their limits are those of the
/// first two engines of the settings, used unchanged: see [`MatchSettings::complete`]. Of the other settings, those of
/// adjudication and clocks apply.
///
/// Returns `None` if `is_stopped` becomes true before the game has ended.
///
/// # Errors
/// [`MatchError::Tablebase`]; [`MatchError::Engine`] if an engine has exited since its last game and does not restart;
/// [`MatchError::Settings`] if the settings have fewer than two engines.
pub fn play_game(
    settings: &MatchSettings,
    tables: Option<&TablebaseJudge>,
    opening: &Game,
    engines: [&mut Client; 2],
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<SingleGame>, MatchError> {
    if settings.engines.len() < 2 {
        return Err(crate::SettingsError::TooFewEngines(settings.engines.len()).into());
    }
    let scheduled = ScheduledGame { id: 0, round: 0, opening: 0, pair: 0, white: 0, black: 1 };
    match (Referee { settings, tablebases: tables, is_stopped }).play(scheduled, opening, engines) {
        GameRun::Finished { record, restarts, .. } => {
            let is_ready = [0, 1].map(|engine| restarts.iter().all(|restart| restart.engine != engine));
            Ok(Some(SingleGame { record: *record, is_ready }))
        }
        GameRun::Stopped => Ok(None),
        GameRun::Failed(error) => Err(error),
    }
}
