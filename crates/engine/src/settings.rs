//! The settings file `bartizan.toml`, which both engines read.
//!
//! It is looked for beside the program, then in the user's folder ([`user_folder`]), then where `--config` says; what
//! stands in a later file counts. A fault costs the line that it stands in and nothing else.
//!
//! ```
//! let text = "threads = 2\nhsah = 64\n[learning]\non = true\ndepth = 'deep'\n";
//! let settings = bartizan_engine::Settings::parse(text, "bartizan.toml");
//! assert_eq!(settings.assignments.len(), 2);
//! let faults: Vec<String> = settings.faults.iter().map(ToString::to_string).collect();
//! assert_eq!(faults[0], "bartizan.toml: line 2: there is no setting 'hsah'; did you mean 'hash'?");
//! assert_eq!(faults[1], "bartizan.toml: line 5: learning.depth: a string is not a whole number");
//! ```

use crate::folders::user_folder;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the file.
pub const SETTINGS_FILE: &str = "bartizan.toml";

/// What a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin,
    /// Megabytes as a number, or text such as `"512M"` or `"2G"`.
    Size,
    /// A path; a relative one begins at the folder of the settings file.
    Path,
}

/// Each setting: section, key, option, kind.
const KEYS: &[(&str, &str, &str, Kind)] = &[
    ("", "threads", "Threads", Kind::Spin),
    ("", "hash", "Hash", Kind::Size),
    ("", "contempt", "Contempt", Kind::Spin),
    ("", "strength", "Strength", Kind::Spin),
    ("", "multipv", "MultiPV", Kind::Spin),
    ("", "move_overhead", "Move Overhead", Kind::Spin),
    ("", "game_log", "Game Log", Kind::Path),
    ("", "debug_log", "Debug Log File", Kind::Path),
    ("learning", "on", "Learning", Kind::Check),
    ("learning", "file", "Learning File", Kind::Path),
    ("learning", "threshold", "Learning Threshold", Kind::Spin),
    ("learning", "depth", "Learning Depth", Kind::Spin),
    ("learning", "read_only", "Learning Read Only", Kind::Check),
    ("resign", "on", "Resign", Kind::Check),
    ("resign", "score", "Resign Score", Kind::Spin),
    ("resign", "moves", "Resign Moves", Kind::Spin),
    ("draws", "on", "Draw Offers", Kind::Check),
];

/// A setting, as the option that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The name of the option.
    pub option: &'static str,
    /// Its value, as [`Engine::set_option`](crate::Engine::set_option) reads it.
    pub value: String,
    /// Where it stands.
    pub place: Place,
}

/// A line of a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}", self.file, self.line)
    }
}

/// What is wrong with a settings file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsFault {
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// It is not TOML there.
    #[error("{place}: {reason}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong.
        reason: String,
    },
    /// There is no such setting.
    #[error("{place}: there is no setting '{key}'{}", suggestion(.key))]
    Unknown {
        /// Where.
        place: Place,
        /// The setting, with its section.
        key: String,
    },
    /// The value is of the wrong kind.
    #[error("{place}: {key}: {value} is not {expected}")]
    Kind {
        /// Where.
        place: Place,
        /// The setting.
        key: String,
        /// What stands there.
        value: String,
        /// What should.
        expected: &'static str,
    },
}

/// The settings of one file or of several, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What is to be set, in order.
    pub assignments: Vec<Assignment>,
    /// What could not be understood.
    pub faults: Vec<SettingsFault>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
}

impl Settings {
    /// Reads the files that are there: beside the program, the user's, and `config`, which must be there if it is named.
    pub fn find(config: Option<&Path>) -> Self {
        let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(SETTINGS_FILE)));
        let users = user_folder().map(|folder| folder.join(SETTINGS_FILE));
        let mut settings = Self::default();
        for path in beside.into_iter().chain(users) {
            settings.read(&path, false);
        }
        if let Some(path) = config {
            settings.read(path, true);
        }
        settings
    }

    /// Adds what a file says.
    fn read(&mut self, path: &Path, must_exist: bool) {
        let file = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => {
                let mut found = Self::parse(&String::from_utf8_lossy(&bytes), &file);
                found.resolve_paths(path);
                self.assignments.append(&mut found.assignments);
                self.faults.append(&mut found.faults);
                self.files.push(path.to_owned());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {}
            Err(error) => self.faults.push(SettingsFault::Unreadable { file, reason: error.to_string() }),
        }
    }

    /// What a text says; `file` is its name for messages.
    pub fn parse(text: &str, file: &str) -> Self {
        let place = |offset: usize| {
            let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
            Place { file: file.to_owned(), line: before.iter().filter(|&&byte| byte == b'\n').count() + 1 }
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut settings = Self::default();
        for error in errors {
            let place = place(error.span().map_or(0, |span| span.start));
            settings.faults.push(SettingsFault::Syntax { place, reason: one_line(error.message()) });
        }
        settings.take_section("", table.get_ref(), &place);
        settings.assignments.sort_by_key(|assignment| assignment.place.line);
        settings
    }

    fn take_section(&mut self, section: &str, table: &DeTable<'_>, place: &impl Fn(usize) -> Place) {
        for (key, value) in table {
            let name: &str = key.get_ref();
            let place_of_key = place(key.span().start);
            let is_section = section.is_empty() && KEYS.iter().any(|&(known, ..)| known == name && !known.is_empty());
            match value.get_ref() {
                DeValue::Table(table) if is_section => self.take_section(name, table, place),
                _ => self.take_value(section, name, value, place_of_key),
            }
        }
    }

    fn take_value(&mut self, section: &str, name: &str, value: &Spanned<DeValue<'_>>, place: Place) {
        let key = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        let known = KEYS.iter().find(|&&(known, key, ..)| known == section && key == name);
        let Some(&(_, _, option, kind)) = known else {
            self.faults.push(SettingsFault::Unknown { place, key: one_line(&key) });
            return;
        };
        match text_of(value.get_ref(), kind) {
            Ok(value) => self.assignments.push(Assignment { option, value, place }),
            Err((value, expected)) => self.faults.push(SettingsFault::Kind { place, key, value, expected }),
        }
    }

    /// Relative paths begin where the file lies, wherever the program is started.
    fn resolve_paths(&mut self, file: &Path) {
        let folder = file.parent().unwrap_or(Path::new(""));
        for assignment in &mut self.assignments {
            let is_path = KEYS.iter().any(|&(.., option, kind)| option == assignment.option && kind == Kind::Path);
            if is_path && !assignment.value.is_empty() {
                assignment.value = folder.join(&assignment.value).to_string_lossy().into_owned();
            }
        }
    }
}

/// The value as an option's text, or what it is and what it should be.
fn text_of(value: &DeValue<'_>, kind: Kind) -> Result<String, (String, &'static str)> {
    let wrong = |expected| Err((describe(value), expected));
    match (kind, value) {
        (Kind::Check, DeValue::Boolean(on)) => Ok(on.to_string()),
        (Kind::Check, _) => wrong("true or false"),
        (Kind::Spin | Kind::Size, DeValue::Integer(number)) => {
            // Other radices and underscores are TOML's; options know decimal digits only.
            match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Ok(number.to_string()),
                Err(_) => wrong("a whole number that fits 64 bits"),
            }
        }
        (Kind::Spin, _) => wrong("a whole number"),
        (Kind::Size, DeValue::String(text)) => match parse_size(text) {
            Some(megabytes) => Ok(megabytes.to_string()),
            None => Err((format!("'{}'", one_line(text)), "a size: 64, \"64M\", \"2G\"")),
        },
        (Kind::Size, _) => wrong("a size: 64, \"64M\", \"2G\""),
        (Kind::Path, DeValue::String(text)) => Ok(one_line(text)),
        (Kind::Path, _) => wrong("a path in quotation marks"),
    }
}

fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(_) => "a string".to_owned(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(on) => on.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a section".to_owned(),
    }
}

/// Reads a size such as `64`, `512K`, `64M` or `2G` as MiB, rounded down, but at least one; `None` if it is none.
///
/// ```
/// use bartizan_engine::parse_size;
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

fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    text.trim().to_owned()
}

/// The known setting that is most like this one, if one is like it.
fn suggestion(key: &str) -> String {
    let names = KEYS.iter().map(|&(section, key, ..)| match section {
        "" => key.to_owned(),
        _ => format!("{section}.{key}"),
    });
    let best = names.map(|name| (distance(&name, key), name)).min();
    match best {
        Some((distance, name)) if distance <= 2 => format!("; did you mean '{name}'?"),
        _ => String::new(),
    }
}

/// How many letters must be changed, put in, taken out or swapped with their neighbour (Damerau and Levenshtein) to make
/// one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = rows[i - 1][j];
            let mut least = (above + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Vec<(&'static str, String)>, Vec<String>) {
        let settings = Settings::parse(text, "f");
        let assignments = settings.assignments.into_iter().map(|one| (one.option, one.value)).collect();
        (assignments, settings.faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn what_is_right_counts() {
        let text =
            "threads = 0x10\nhash = \"1G\" # much\ngame_log = 'g.pgn'\n[learning]\non = true\n[resign]\nscore=700\n";
        let (assignments, faults) = parse(text);
        assert_eq!(faults, [""; 0]);
        let expected =
            [("Threads", "16"), ("Hash", "1024"), ("Game Log", "g.pgn"), ("Learning", "true"), ("Resign Score", "700")];
        assert_eq!(assignments, expected.map(|(option, value)| (option, value.to_owned())));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_rest_counts() {
        let text =
            "threads = 2\nthreds = 3\n\n[learning]\non = 1\nfile = 3\n[lerning]\non = true\n[resign]\nmoves = 1.5\n";
        let (assignments, faults) = parse(text);
        assert_eq!(assignments, [("Threads", "2".to_owned())]);
        assert_eq!(faults.len(), 5, "{faults:?}");
        assert!(faults.contains(&"f: line 2: there is no setting 'threds'; did you mean 'threads'?".to_owned()));
        assert!(faults.contains(&"f: line 5: learning.on: 1 is not true or false".to_owned()));
        assert!(faults.contains(&"f: line 6: learning.file: 3 is not a path in quotation marks".to_owned()));
        assert!(faults.contains(&"f: line 7: there is no setting 'lerning'".to_owned()));
        assert!(faults.contains(&"f: line 10: resign.moves: 1.5 is not a whole number".to_owned()));
    }

    #[test]
    fn broken_toml_costs_its_line() {
        let (assignments, faults) = parse("hash = 32\ncontempt = = 3\nthreads = 4\nthreads = 5\nstrength 7\n");
        assert!(assignments.contains(&("Hash", "32".to_owned())), "{assignments:?}");
        assert!(assignments.contains(&("Threads", "4".to_owned())), "{assignments:?}");
        for line in ["line 2", "line 4", "line 5"] {
            assert!(faults.iter().any(|fault| fault.contains(line)), "{line}: {faults:?}");
        }
    }

    #[test]
    fn nothing_panics() {
        for text in
            ["", "\0", "[", "[[a]]\nb=1", "a.b.c = 1", "é = \"é", "learning = 3", "hash = \"99999999999999999999G\""]
        {
            let _ = parse(text);
        }
        assert_eq!(parse("hash = 99999999999999999999").1.len(), 1);
    }
}
