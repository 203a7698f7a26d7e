//! The settings file `bartizan.toml`, which both engines read.
//!
//! The file beside the program is read first, then the one in the user's folder (`~/.config/bartizan`, for example),
//! then that of `--config`. With `--no-config`, only the last is read. A setting in a later file overrides an earlier
//! one. An invalid line is reported and skipped.
//!
//! ```
//! let text = "threads = 2\nhsah = 64\n[learning]\non = true\ndepth = 'deep'\n";
//! let settings = bartizan_frontend::FileSettings::parse(text, "bartizan.toml");
//! assert_eq!(settings.assignments.len(), 2);
//! let faults: Vec<String> = settings.faults.iter().map(ToString::to_string).collect();
//! assert_eq!(faults[0], "bartizan.toml: line 2: unknown setting 'hsah'; did you mean 'hash'?");
//! assert_eq!(faults[1], "bartizan.toml: line 5: learning.depth: a string is not a whole number");
//! ```

use crate::Config;
use crate::options::{self, OptionRow, OptionValue};
use crate::user_folder;
use bartizan_engine::split_folders;
use bartizan_protocol::{OptionKind, did_you_mean};
use bartizan_types::{Escaped, Excerpt};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of the settings file.
const SETTINGS_FILE: &str = "bartizan.toml";

/// One setting of a file, as the value of an option.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The option.
    pub row: &'static OptionRow,
    /// Its value.
    pub value: OptionValue,
    /// The line of the setting.
    pub place: SettingsLine,
}

/// A line of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsLine {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for SettingsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}", self.file, self.line)
    }
}

/// A problem in a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsFault {
    /// The file cannot be read.
    #[error("cannot read '{file}': {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// The error of the file system.
        reason: String,
    },
    /// The file is not valid TOML.
    #[error("{place}: {reason}")]
    Syntax {
        /// The line.
        place: SettingsLine,
        /// The problem.
        reason: String,
    },
    /// No setting has this name.
    #[error("{place}: unknown setting '{key}'{suggestion}")]
    Unknown {
        /// The line.
        place: SettingsLine,
        /// The setting, with its section.
        key: String,
        /// `; did you mean 'hash'?`, or empty.
        suggestion: String,
    },
    /// The value has the wrong type.
    #[error("{place}: {key}: {value} is not {expected}")]
    Kind {
        /// The line.
        place: SettingsLine,
        /// The setting.
        key: String,
        /// The value, or a description of it.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

/// The settings of one or more files, in order.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// The settings, in order.
    pub assignments: Vec<Assignment>,
    /// The problems in the files.
    pub faults: Vec<SettingsFault>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
}

impl FileSettings {
    /// Reads the existing files beside the program and in the user's folder, and `config`.
    ///
    /// # Errors
    /// [`SettingsFault::Unreadable`] if `config` is given and cannot be read.
    pub fn find(config: Option<&Path>) -> Result<Self, SettingsFault> {
        let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(SETTINGS_FILE)));
        let users = user_folder().map(|folder| folder.join(SETTINGS_FILE));
        let mut settings = Self::default();
        for path in beside.into_iter().chain(users) {
            match settings.read(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    settings.faults.push(unreadable(&path, &error));
                }
                _ => {}
            }
        }
        settings.read_config(config)?;
        Ok(settings)
    }

    /// Reads `config` alone, or nothing.
    ///
    /// # Errors
    /// As [`FileSettings::find`].
    pub fn only(config: Option<&Path>) -> Result<Self, SettingsFault> {
        let mut settings = Self::default();
        settings.read_config(config)?;
        Ok(settings)
    }

    fn read_config(&mut self, config: Option<&Path>) -> Result<(), SettingsFault> {
        config.map_or(Ok(()), |path| self.read(path).map_err(|error| unreadable(path, &error)))
    }

    /// Adds the settings of a file.
    fn read(&mut self, path: &Path) -> io::Result<()> {
        let bytes = bartizan_files::read(path, bartizan_files::MOST_WHOLE)?;
        let mut found = Self::parse(&String::from_utf8_lossy(&bytes), &Escaped(path.display()).to_string());
        found.resolve_paths(path);
        self.assignments.append(&mut found.assignments);
        self.faults.append(&mut found.faults);
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Reads settings from a text; `file` is its name in messages.
    pub fn parse(text: &str, file: &str) -> Self {
        let place = |offset: usize| {
            let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
            SettingsLine { file: file.to_owned(), line: before.iter().filter(|&&byte| byte == b'\n').count() + 1 }
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut settings = Self::default();
        for error in errors {
            let place = place(error.span().map_or(0, |span| span.start));
            settings.faults.push(SettingsFault::Syntax { place, reason: one_line(error.message()) });
        }
        settings.read_section("", table.get_ref(), &place);
        settings.assignments.sort_by_key(|assignment| assignment.place.line);
        settings
    }

    fn read_section(&mut self, section: &str, table: &DeTable<'_>, place: &impl Fn(usize) -> SettingsLine) {
        for (name, value) in table {
            let place_of_key = place(name.span().start);
            let key = format!("{section}{}", name.get_ref());
            let prefix = format!("{key}.");
            let is_section = keys().any(|known| known.starts_with(&prefix));
            match value.get_ref() {
                DeValue::Table(table) if is_section => self.read_section(&prefix, table, place),
                value => self.read_value(key, value, place_of_key),
            }
        }
    }

    fn read_value(&mut self, key: String, value: &DeValue<'_>, place: SettingsLine) {
        let Some(row) = options::find_key(&key) else {
            let suggestion = did_you_mean(&key, keys());
            self.faults.push(SettingsFault::Unknown { place, key: one_line(&key), suggestion });
            return;
        };
        match value_of(value, row) {
            Ok(value) => self.assignments.push(Assignment { row, value, place }),
            Err((value, expected)) => self.faults.push(SettingsFault::Kind { place, key, value, expected }),
        }
    }

    /// Makes relative paths relative to the file's folder rather than the working directory.
    fn resolve_paths(&mut self, file: &Path) {
        let folder = file.parent().unwrap_or(Path::new(""));
        for assignment in &mut self.assignments {
            match &mut assignment.value {
                OptionValue::Path(Some(path)) => *path = folder.join(&*path),
                OptionValue::Folders(folders) => folders.iter_mut().for_each(|path| *path = folder.join(&*path)),
                _ => {}
            }
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> SettingsFault {
    SettingsFault::Unreadable { file: Escaped(path.display()).to_string(), reason: error.to_string() }
}

/// All keys, with their sections.
fn keys() -> impl Iterator<Item = &'static str> {
    options::all().iter().filter_map(OptionRow::key)
}

/// A TOML value as an option value, or a description of it and of what was expected.
fn value_of(value: &DeValue<'_>, row: &OptionRow) -> Result<OptionValue, (String, &'static str)> {
    const SIZE: &str = "a size: 64, \"64M\", \"2G\"";
    let kind = row.kind(&Config::default());
    match (&kind, value) {
        (OptionKind::Check { .. }, DeValue::Boolean(on)) => Ok(OptionValue::Check(*on)),
        (OptionKind::Check { .. }, _) => Err((describe(value), "true or false")),
        (OptionKind::Spin { .. }, DeValue::Integer(number)) => i64::from_str_radix(number.as_str(), number.radix())
            .map(OptionValue::Spin)
            .map_err(|_| (describe(value), "a whole number that fits 64 bits")),
        (OptionKind::Spin { .. }, DeValue::String(text)) if row.is_size() => parse_size(text)
            .and_then(|mib| i64::try_from(mib).ok())
            .map(OptionValue::Spin)
            .ok_or_else(|| (format!("'{}'", one_line(text)), SIZE)),
        (OptionKind::Spin { .. }, _) if row.is_size() => Err((describe(value), SIZE)),
        (OptionKind::Spin { .. }, _) => Err((describe(value), "a whole number")),
        (OptionKind::Combo { .. }, DeValue::String(text)) => Ok(OptionValue::Text(one_line(text))),
        (OptionKind::Combo { .. }, _) => Err((describe(value), "a name in quotation marks")),
        (_, DeValue::String(text)) if row.is_folders() => {
            Ok(OptionValue::Folders(split_folders(&text.replace(char::is_control, " "))))
        }
        (_, DeValue::String(text)) => {
            let path: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            Ok(OptionValue::Path(Some(path.trim()).filter(|path| !path.is_empty()).map(PathBuf::from)))
        }
        _ => Err((describe(value), "a path in quotation marks")),
    }
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => "a string".to_owned(),
        DeValue::Integer(number) => Excerpt::new(number.as_str()).to_string(),
        DeValue::Float(number) => Excerpt::new(number.as_str()).to_string(),
        DeValue::Boolean(on) => on.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a section".to_owned(),
    }
}

/// Parses a size such as `64`, `512K`, `64M` or `2G` in MiB, rounded down but at least one; `None` if the text is not a
/// size.
///
/// ```
/// use bartizan_frontend::parse_size;
/// assert_eq!(parse_size("64"), Some(64));
/// assert_eq!(parse_size("1500k"), Some(1));
/// assert_eq!(parse_size("2G"), Some(2048));
/// assert_eq!(parse_size("much"), None);
/// ```
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let text = text.strip_suffix(['B', 'b']).unwrap_or(text);
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let number: u64 = digits.parse().ok()?;
    let megabytes = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "M" => number,
        "K" => number / 1024,
        "G" => number.checked_mul(1024)?,
        _ => return None,
    };
    (number > 0).then_some(megabytes.max(1))
}

/// A text for a message, on one line and truncated if very long.
fn one_line(text: &str) -> String {
    Excerpt::with_length(text.trim(), Excerpt::LINE).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Vec<(&'static str, String)>, Vec<String>) {
        let settings = FileSettings::parse(text, "f");
        let assignments = settings.assignments.into_iter().map(|one| (one.row.name(), one.value.to_string())).collect();
        (assignments, settings.faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn valid_settings_are_read() {
        let text =
            "threads = 0x10\nhash = \"1G\" # much\ngame_log = 'g.pgn'\n[learning]\non = true\n[resign]\nscore=700\n";
        let (assignments, faults) = parse(text);
        assert_eq!(faults, [""; 0]);
        let expected =
            [("Threads", "16"), ("Hash", "1024"), ("Game Log", "g.pgn"), ("Learning", "true"), ("Resign Score", "700")];
        assert_eq!(assignments, expected.map(|(option, value)| (option, value.to_owned())));
    }

    #[test]
    fn invalid_settings_are_reported_with_their_line_and_the_rest_is_read() {
        let text =
            "threads = 2\nthreds = 3\n\n[learning]\non = 1\nfile = 3\n[lerning]\non = true\n[resign]\nmoves = 1.5\n";
        let (assignments, faults) = parse(text);
        assert_eq!(assignments, [("Threads", "2".to_owned())]);
        assert_eq!(faults.len(), 5, "{faults:?}");
        assert!(faults.contains(&"f: line 2: unknown setting 'threds'; did you mean 'threads'?".to_owned()));
        assert!(faults.contains(&"f: line 5: learning.on: 1 is not true or false".to_owned()));
        assert!(faults.contains(&"f: line 6: learning.file: 3 is not a path in quotation marks".to_owned()));
        assert!(faults.contains(&"f: line 7: unknown setting 'lerning'".to_owned()));
        assert!(faults.contains(&"f: line 10: resign.moves: 1.5 is not a whole number".to_owned()));
    }

    #[test]
    fn invalid_toml_affects_only_its_line() {
        let (assignments, faults) = parse("hash = 32\ncontempt = = 3\nthreads = 4\nthreads = 5\nelo 7\n");
        assert!(assignments.contains(&("Hash", "32".to_owned())), "{assignments:?}");
        assert!(assignments.contains(&("Threads", "4".to_owned())), "{assignments:?}");
        for line in ["line 2", "line 4", "line 5"] {
            assert!(faults.iter().any(|fault| fault.contains(line)), "{line}: {faults:?}");
        }
    }

    #[test]
    fn no_text_panics() {
        for text in
            ["", "\0", "[", "[[a]]\nb=1", "a.b.c = 1", "é = \"é", "learning = 3", "hash = \"99999999999999999999G\""]
        {
            let _ = parse(text);
        }
        assert_eq!(parse("hash = 99999999999999999999").1.len(), 1);
    }
}
