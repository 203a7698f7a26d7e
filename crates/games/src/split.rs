//! The names of the files into which a collection is split.

use crate::tags;
use bartizan_notation::pgn::RawGame;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File names that follow a pattern, in which `{}` is replaced by a number or a value.
///
/// ```
/// use bartizan_games::FileNamePattern;
///
/// let names = FileNamePattern::new("parts/{}.pgn")?;
/// assert_eq!(names.numbered(7, 3).to_str(), Some("parts/007.pgn"));
/// assert_eq!(names.of("Ding/Liren?").to_str(), Some("parts/Ding_Liren_.pgn"));
/// # Ok::<(), bartizan_games::FileNamePatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileNamePattern {
    folder: PathBuf,
    before: String,
    after: String,
}

/// A pattern is not usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the file name must contain '{{}}' exactly once and not begin with '-', and the folder must not contain '{{}}'"
)]
pub struct FileNamePatternError;

impl FileNamePattern {
    /// The longest value in a name, in bytes.
    const LONGEST: usize = 100;

    /// Parses a pattern.
    ///
    /// # Errors
    /// [`FileNamePatternError`] if there is not exactly one `{}`, if it is not in the last part of the path, or if that
    /// part begins with `-`, as the options of programs do.
    pub fn new(pattern: &str) -> Result<Self, FileNamePatternError> {
        let path = Path::new(pattern);
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().and_then(|name| name.to_str()).ok_or(FileNamePatternError)?;
        let (before, after) = name.split_once("{}").ok_or(FileNamePatternError)?;
        let is_elsewhere = after.contains("{}") || folder.to_string_lossy().contains("{}") || pattern.ends_with('/');
        if is_elsewhere || before.starts_with('-') {
            return Err(FileNamePatternError);
        }
        Ok(Self { folder: folder.to_owned(), before: before.to_owned(), after: after.to_owned() })
    }

    /// The folder of the files; empty if the pattern has none.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path for a number, with leading zeros up to a width.
    pub fn numbered(&self, number: usize, width: usize) -> PathBuf {
        self.path(&format!("{number:0width$}"))
    }

    /// The path for a value. Characters that file systems forbid or treat specially become `_`, as does a `-` at the
    /// beginning, and long values are truncated, so several values may share a path.
    pub fn of(&self, value: &str) -> PathBuf {
        self.path(&safe(value))
    }

    fn path(&self, middle: &str) -> PathBuf {
        self.folder.join(avoid_device(format!("{}{middle}{}", self.before, self.after)))
    }
}

/// The values that select the files for a game in a collection split by a tag: `player` means both players, `year` the
/// year of the date, `result` the result as in [`RawGame::result`].
pub fn split_values(game: &RawGame, by: &str) -> Vec<String> {
    let tag = |name: &str| tags::known(game, name).unwrap_or_default().into_owned();
    match by.to_ascii_lowercase().as_str() {
        "player" => {
            let mut players = vec![tag("White"), tag("Black")];
            players.dedup();
            players
        }
        "year" => vec![tag("Date").chars().take(4).collect::<String>().replace('?', "")],
        "result" => vec![game.result().to_string()],
        _ => vec![tag(by)],
    }
}

/// The files of values. Some file systems ignore case: the first spelling is used.
#[derive(Clone, Debug, Default)]
pub struct ValueFiles(BTreeMap<String, PathBuf>);

impl ValueFiles {
    /// The keys of values' files: equal for values that share a file.
    pub fn keys(&mut self, names: &FileNamePattern, values: &[String]) -> Vec<String> {
        let key_of = |value: &String| {
            let path = names.of(value);
            let key = path.to_string_lossy().to_lowercase();
            self.0.entry(key.clone()).or_insert(path);
            key
        };
        let mut keys: Vec<String> = values.iter().map(key_of).collect();
        keys.dedup();
        keys
    }

    /// The file of a key.
    pub fn path(&self, key: &[u8]) -> Option<&Path> {
        self.0.get(std::str::from_utf8(key).ok()?).map(PathBuf::as_path)
    }
}

/// A value as a part of a file name.
fn safe(value: &str) -> String {
    let mut name = String::new();
    for c in value.trim().chars() {
        let c = if c.is_alphanumeric() || matches!(c, '-' | '+' | ',' | '.' | '\'' | ' ') { c } else { '_' };
        if name.len() + c.len_utf8() > FileNamePattern::LONGEST {
            break;
        }
        // Prevents a hidden file, a path outside the folder, and a name that programs take for an option.
        name.push(if name.is_empty() && matches!(c, '.' | '-') { '_' } else { c });
    }
    let end = name.trim_end_matches([' ', '.']).len();
    name.truncate(end);
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// Appends `_` to the first part of a file name, up to the first period, if it names a device of Windows.
fn avoid_device(name: String) -> String {
    let end = name.find('.').unwrap_or(name.len());
    let stem = name[..end].trim_end_matches(' ').to_ascii_uppercase();
    let port = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || matches!(port, Some("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"));
    if is_device { format!("{}_{}", &name[..end], &name[end..]) } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_in_upper_and_lower_case_share_a_file() {
        let names = FileNamePattern::new("{}.pgn").unwrap();
        let mut files = ValueFiles::default();
        let keys = files.keys(&names, &["Réti".to_owned(), "RÉTI".to_owned(), "x".to_owned()]);
        assert_eq!(keys, ["réti.pgn", "x.pgn"]);
        assert_eq!(files.path("réti.pgn".as_bytes()), Some(Path::new("Réti.pgn")));
        assert_eq!(files.path(b"y.pgn"), None);
    }

    #[test]
    fn values_become_safe_names() {
        for (value, name) in [
            ("Carlsen, Magnus", "Carlsen, Magnus"),
            ("../../etc/passwd", "_._.._etc_passwd"),
            ("", "unknown"),
            (" . ", "_"),
            ("-rf", "_rf"),
            ("--", "_-"),
            (" -", "_"),
            ("a\u{202e}b", "a_b"),
            ("Réti\0\n", "Réti_"),
            ("a. . ", "a"),
        ] {
            assert_eq!(safe(value), name, "{value:?}");
        }
        assert_eq!(safe(&"ä".repeat(99)).len(), 100);
    }

    #[test]
    fn no_name_is_that_of_a_device() {
        for (pattern, value, name) in [
            ("{}.pgn", "nul", "nul_.pgn"),
            ("{}.pgn", "com1.x", "com1_.x.pgn"),
            ("{}.pgn", "Aux .x", "Aux _.x.pgn"),
            ("{}", "LPT¹", "LPT¹_"),
            ("co{}.pgn", "n", "con_.pgn"),
            ("{}$", "conin", "conin$_"),
            ("{}.pgn", "Comte", "Comte.pgn"),
            ("of {}.pgn", "nul", "of nul.pgn"),
        ] {
            assert_eq!(FileNamePattern::new(pattern).unwrap().of(value), Path::new(name), "{value:?}");
        }
        assert_eq!(FileNamePattern::new("com{}").unwrap().numbered(1, 1), Path::new("com1_"));
    }

    #[test]
    fn a_pattern_has_one_place() {
        for pattern in ["", "a.pgn", "{}/a.pgn", "{}{}.pgn", "{}/{}.pgn", "a{}/", "/", "-{}", "a/-{}"] {
            assert_eq!(FileNamePattern::new(pattern).err(), Some(FileNamePatternError), "{pattern:?}");
        }
        assert_eq!(FileNamePattern::new("{}").unwrap().numbered(12, 1), Path::new("12"));
    }

    proptest! {
        #[test]
        fn no_value_leaves_the_folder(value in "\\PC*|[-./\\\\a]*") {
            let path = FileNamePattern::new("x/{}").unwrap().of(&value);
            prop_assert_eq!(path.components().count(), 2, "{:?}", path);
            let name = path.file_name().unwrap().to_string_lossy();
            prop_assert!(!name.starts_with(['.', '-']), "{:?}", name);
        }
    }
}
