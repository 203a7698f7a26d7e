//! The table of options of the engine and the front ends. Each option is one row, from which everything that a front
//! end says about it is derived: the declaration in UCI and xboard, `setoption` and `option`, the key in the settings
//! file, the current value, and the text of errors.
//!
//! ```
//! use bartizan_frontend::{Config, options};
//!
//! let mut config = Config::default();
//! let hash = options::find("hash")?;
//! hash.set(&mut config, hash.parse(Some("64"))?)?;
//! assert_eq!(config.engine.hash_mib, 64);
//! let error = options::find("hahs").unwrap_err();
//! assert_eq!(error.to_string(), "unknown option 'hahs'; did you mean 'Hash'?");
//! # Ok::<(), bartizan_frontend::options::OptionError>(())
//! ```

pub use bartizan_engine::options::{OptionError, OptionValue};

use crate::Config;
use crate::learning::LearningOptions;
use bartizan_engine::{AUTHOR, NAME, options as engine};
use std::sync::LazyLock;

/// One row of the table.
pub type OptionRow = engine::OptionRow<Config>;

/// The option of the debug log, which [`Session`](crate::Session) opens.
pub(crate) const DEBUG_LOG: &str = "Debug Log File";

/// Declared only in UCI, like those that begin with `UCI_`, except [`LEVEL`]: xboard has another command for them, or
/// does not need them. They can be set in both.
const ONLY_UCI: [&str; 7] = [DEBUG_LOG, "Threads", "Hash", "Ponder", "nodestime", "SyzygyPath", "Own Rating"];

/// The options of the level, which xboard declares as well.
const LEVEL: [&str; 2] = ["UCI_LimitStrength", "UCI_Elo"];

/// Declared only in xboard: UCI has no commands for draw offers and resignation.
const ONLY_XBOARD: [&str; 4] = ["Resign", "Resign Score", "Resign Moves", "Draw Offers"];

/// All options of this build, in declaration order.
pub fn all() -> &'static [OptionRow] {
    static ALL: LazyLock<Vec<OptionRow>> = LazyLock::new(rows);
    &ALL
}

/// The options that UCI declares.
pub fn of_uci() -> impl Iterator<Item = &'static OptionRow> {
    all().iter().filter(|row| !ONLY_XBOARD.contains(&row.name()))
}

/// The options that xboard declares.
pub fn of_xboard() -> impl Iterator<Item = &'static OptionRow> {
    let is_for_uci = |name: &str| ONLY_UCI.contains(&name) || name.starts_with("UCI_") && !LEVEL.contains(&name);
    all().iter().filter(move |row| !is_for_uci(row.name()))
}

/// The option with a name, ignoring case and spaces: `Move Overhead`, `move overhead` and `MoveOverhead` are the same.
///
/// # Errors
/// [`OptionError::Unknown`], which suggests a similar name.
pub fn find(name: &str) -> Result<&'static OptionRow, OptionError> {
    engine::find_in(all(), name)
}

/// The option of a settings file key, such as `hash` or `learning.depth`.
pub(crate) fn find_key(key: &str) -> Option<&'static OptionRow> {
    all().iter().find(|row| row.key() == Some(key))
}

/// The engine's rows combined with those of the front ends. To add a front end option, add a field to [`Config`] and a
/// row here.
fn rows() -> Vec<OptionRow> {
    let mut rows = vec![OptionRow::path(DEBUG_LOG, |config| &mut config.debug_log).key_is("debug_log")];
    for row in engine::rows() {
        let row = row.within(|config: &mut Config| &mut config.engine);
        let name = row.name();
        rows.push(row);
        match name {
            "Clear Hash" => rows.push(OptionRow::check("Ponder", |config| &mut config.ponder)),
            "EvalFile" => rows.extend(records()),
            "UCI_Chess960" => rows.push(OptionRow::check("UCI_ShowWDL", |config| &mut config.show_wdl)),
            "UCI_AnalyseMode" => rows.extend(opponent().into_iter().chain(resign_draw())),
            _ => {}
        }
    }
    rows
}

fn records() -> [OptionRow; 6] {
    [
        OptionRow::check("Learning", |config| &mut config.learning.enabled).key_is("learning.on"),
        // Before the file, which then need not be writable.
        OptionRow::check("Learning Read Only", |config| &mut config.learning.read_only).key_is("learning.read_only"),
        OptionRow::path("Learning File", |config| &mut config.learning.file).key_is("learning.file"),
        OptionRow::spin("Learning Threshold", LearningOptions::THRESHOLD, |config| &mut config.learning.threshold)
            .key_is("learning.threshold"),
        OptionRow::spin("Learning Depth", LearningOptions::DEPTH, |config| &mut config.learning.depth)
            .key_is("learning.depth"),
        OptionRow::path("Game Log", |config| &mut config.game_log).key_is("game_log"),
    ]
}

fn opponent() -> [OptionRow; 4] {
    let about = format!("{NAME} by {AUTHOR}, see {}", env!("CARGO_PKG_HOMEPAGE"));
    let form = "TITLE RATING human|computer NAME";
    [
        OptionRow::text("UCI_Opponent", form, |config| &mut config.opponent),
        OptionRow::spin("UCI_RatingAdv", -5_000..=5_000, |config| &mut config.rating_advantage),
        OptionRow::spin("Own Rating", 0..=5_000, |config| &mut config.own_rating).key_is("own_rating"),
        OptionRow::read_only("UCI_EngineAbout", about),
    ]
}

fn resign_draw() -> [OptionRow; 4] {
    [
        OptionRow::check("Resign", |config| &mut config.resign_draw.resign).key_is("resign.on"),
        OptionRow::spin("Resign Score", 100..=30_000, |config| &mut config.resign_draw.resign_score)
            .key_is("resign.score"),
        OptionRow::spin("Resign Moves", 1..=100, |config| &mut config.resign_draw.resign_moves).key_is("resign.moves"),
        OptionRow::check("Draw Offers", |config| &mut config.resign_draw.draws).key_is("draws.on"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, FileSettings};
    use bartizan_protocol::OptionKind;

    /// A value of the right type that is not the default.
    fn other(row: &OptionRow, default: &OptionValue) -> Option<OptionValue> {
        Some(match (default, row.kind(&Config::default())) {
            (OptionValue::Check(on), _) => OptionValue::Check(!on),
            (OptionValue::Spin(number), OptionKind::Spin { min, .. }) if *number > min => OptionValue::Spin(number - 1),
            (OptionValue::Spin(number), _) => OptionValue::Spin(number + 1),
            (OptionValue::Text(text), OptionKind::Combo { vars, .. }) => {
                OptionValue::Text(vars.into_iter().find(|var| var != text)?)
            }
            (OptionValue::Path(_), _) => OptionValue::Path(Some("some/file".into())),
            (OptionValue::Folders(_), _) => OptionValue::Folders(vec!["some/folder".into(), "another one".into()]),
            _ => return None,
        })
    }

    #[test]
    fn setting_the_declared_default_changes_nothing() {
        for row in all() {
            let mut config = Config::default();
            let value = match row.kind(&config) {
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Spin { default, min, max } => {
                    assert!((min..=max).contains(&default), "{}", row.name());
                    Some(default.to_string())
                }
                OptionKind::Combo { default, vars } => {
                    assert!(vars.contains(&default), "{}", row.name());
                    Some(default)
                }
                OptionKind::File { default } | OptionKind::String { default } => Some(default),
                _ => None,
            };
            row.set(&mut config, row.parse(value.as_deref()).unwrap()).unwrap();
            // Not set, these two depend on the level.
            match row.name() {
                "OwnBook" => assert_eq!(config.engine.book.enabled.take(), Some(false)),
                "Resign" => assert_eq!(config.resign_draw.resign.take(), Some(false)),
                _ => {}
            }
            assert_eq!(config, Config::default(), "{}", row.name());
        }
    }

    #[test]
    fn every_value_is_read_back() {
        for row in all() {
            let mut config = Config::default();
            let Some(value) = row.value(&config).and_then(|default| other(row, &default)) else { continue };
            row.set(&mut config, value.clone()).unwrap();
            assert_ne!(config, Config::default(), "{}", row.name());
            assert_eq!(row.value(&config), Some(value), "{}", row.name());
        }
    }

    #[test]
    fn every_key_of_the_settings_file_sets_its_option() {
        for row in all() {
            let Some(key) = row.key() else { continue };
            let value = row.value(&Config::default()).and_then(|default| other(row, &default)).unwrap();
            let text = match &value {
                OptionValue::Path(Some(path)) => format!("'{}'", path.display()),
                OptionValue::Folders(_) | OptionValue::Text(_) => format!("'{value}'"),
                value => value.to_string(),
            };
            let settings = FileSettings::parse(&format!("{key} = {text}"), "f");
            assert_eq!(settings.faults, [], "{key}");
            assert_eq!(settings.assignments.len(), 1, "{key}");
            assert!(std::ptr::eq(settings.assignments[0].row, row), "{key}");
            assert_eq!(settings.assignments[0].value, value, "{key}");
        }
    }

    #[test]
    fn names_and_keys_are_unique() {
        for (index, row) in all().iter().enumerate() {
            assert!(std::ptr::eq(find(row.name()).unwrap(), row), "{}", row.name());
            for other in &all()[..index] {
                assert!(!engine::same_name(row.name(), other.name()), "{}", row.name());
                assert!(row.key().is_none() || row.key() != other.key(), "{}", row.name());
            }
        }
    }

    #[test]
    fn malformed_and_out_of_range_values_are_refused() {
        for row in all() {
            let malformed = ["", " ", "x", "1.5", "0x10", "--1", "99999999999999999999", "-99999999999999999999", "٣"];
            let kind = row.kind(&Config::default());
            for text in malformed {
                let refused = row.parse(Some(text)).and_then(|value| row.set(&mut Config::default(), value)).is_err();
                match kind {
                    OptionKind::Check { .. } | OptionKind::Spin { .. } | OptionKind::Combo { .. } => {
                        assert!(refused, "{} {text:?}", row.name());
                    }
                    // Any text may name a file; a button needs none.
                    _ => {}
                }
            }
            if let OptionKind::Spin { min, max, .. } = kind {
                for number in [min - 1, max + 1] {
                    let mut config = Config::default();
                    let value = row.parse(Some(&number.to_string())).unwrap();
                    assert!(row.set(&mut config, value).is_err(), "{} {number}", row.name());
                    assert_eq!(config, Config::default(), "{}", row.name());
                }
            }
            if matches!(kind, OptionKind::Check { .. } | OptionKind::Spin { .. } | OptionKind::Combo { .. }) {
                assert!(matches!(row.parse(None), Err(OptionError::Missing { .. })), "{}", row.name());
            }
        }
        assert!(find("UCI_Opponent").unwrap().set(&mut Config::default(), OptionValue::Text("GM".to_owned())).is_err());
    }

    #[test]
    fn names_compare_loosely_and_similar_ones_are_suggested() {
        for name in ["Move Overhead", "move   OVERHEAD", "MoveOverhead"] {
            assert_eq!(find(name).unwrap().name(), "Move Overhead");
        }
        let error = |name| find(name).unwrap_err().to_string();
        assert_eq!(error("Trheads"), "unknown option 'Trheads'; did you mean 'Threads'?");
        assert_eq!(error("Move"), "unknown option 'Move'");
    }

    #[test]
    fn errors_name_option_and_value() {
        let error = |text| {
            let hash = find("Hash").unwrap();
            hash.parse(text).and_then(|value| hash.set(&mut Config::default(), value)).unwrap_err().to_string()
        };
        assert_eq!(error(None), "option 'Hash' needs a value");
        assert_eq!(error(Some("x")), "option 'Hash': 'x' is not a whole number");
        assert_eq!(error(Some("x\u{1b}[2J")), r"option 'Hash': 'x\u001b[2J' is not a whole number");
        assert_eq!(error(Some("0")), "option 'Hash': 0 is not between 1 and 33554432");
        let huge = "99999999999999999999";
        assert_eq!(error(Some(huge)), format!("option 'Hash': {huge} is not between 1 and 33554432"));
    }
}
