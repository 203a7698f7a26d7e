//! `elo`: the level of play.

use super::ConsoleError;
use crate::FrontEnd;
use bartizan_engine::{Level, Options};
use bartizan_types::Excerpt;

/// What names a level, for errors and help.
pub(crate) const LEVEL_NAMES: &str = "a rating from 600 to 3000 or 'full'";

const _: () = assert!(*Options::ELO.start() == 600 && *Options::ELO.end() == 3_000);

/// `elo`: prints the level, after setting it if there is an argument.
pub(super) fn elo<F: FrontEnd>(front: &mut F, name: &str) -> Result<(), ConsoleError> {
    let session = front.session();
    if !name.is_empty() {
        let argument =
            || ConsoleError::Argument { command: "elo", word: Excerpt::new(name).to_string(), expected: LEVEL_NAMES };
        let level = Level::named(name).ok_or_else(argument)?;
        session.configure(|config| config.engine.set_level(level))?;
    }
    let level = session.config().engine.level();
    session.output.line(format_args!("level: {level}"));
    Ok(())
}
