//! The names of the files into which a collection is split.

use crate::tags;
use bartizan_notation::pgn::RawGame;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File names after a pattern, in which `{}` stands for a number or a value.
///
/// ```
/// use bartizan_games::Names;
///
/// let names = Names::new("parts/{}.pgn")?;
/// assert_eq!(names.numbered(7, 3).to_str(), Some("parts/007.pgn"));
/// assert_eq!(names.of("Ding/Liren?").to_str(), Some("parts/Ding_Liren_.pgn"));
/// # Ok::<(), bartizan_games::NamesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    folder: PathBuf,
    before: String,
    after: String,
}

/// A pattern is not usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file name must contain '{{}}' exactly once, and the folder must not contain it")]
pub struct NamesError;

impl Names {
    /// The longest value in a name, in bytes.
    const LONGEST: usize = 100;

    /// Parses a pattern.
    ///
    /// # Errors
    /// [`NamesError`] if there is not exactly one `{}`, or it is not in the last part of the path.
    pub fn new(pattern: &str) -> Result<Self, NamesError> {
        let path = Path::new(pattern);
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().and_then(|name| name.to_str()).ok_or(NamesError)?;
        let (before, after) = name.split_once("{}").ok_or(NamesError)?;
        if after.contains("{}") || folder.to_string_lossy().contains("{}") || pattern.ends_with('/') {
            return Err(NamesError);
        }
        Ok(Self { folder: folder.to_owned(), before: before.to_owned(), after: after.to_owned() })
    }

    /// The folder of the files; empty if the pattern has none.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path for a number, with leading zeros up to a width.
    pub fn numbered(&self, number: usize, width: usize) -> PathBuf {
        self.folder.join(format!("{}{number:0width$}{}", self.before, self.after))
    }

    /// The path for a value. What file systems do not allow in a name, or treat in a special way, becomes `_`, and a
    /// long value is cut; so several values may have the same path.
    pub fn of(&self, value: &str) -> PathBuf {
        self.folder.join(format!("{}{}{}", self.before, safe(value), self.after))
    }
}

/// The values for which a game has a place in a collection split by a tag: `player` stands for both players, `year` for
/// the year of the date.
pub fn split_values(game: &RawGame, by: &str) -> Vec<String> {
    let tag = |name: &str| tags::known(game, name).unwrap_or_default().into_owned();
    match by.to_ascii_lowercase().as_str() {
        "player" => {
            let mut players = vec![tag("White"), tag("Black")];
            players.dedup();
            players
        }
        "year" => vec![tag("Date").chars().take(4).collect::<String>().replace('?', "")],
        _ => vec![tag(by)],
    }
}

/// The files of values. Some file systems do not distinguish upper and lower case: the first spelling counts.
#[derive(Clone, Debug, Default)]
pub struct ValueFiles(BTreeMap<String, PathBuf>);

impl ValueFiles {
    /// What stands for the files of values: equal for values that share a file.
    pub fn keys(&mut self, names: &Names, values: &[String]) -> Vec<String> {
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

    /// The file for which a key stands.
    pub fn path(&self, key: &[u8]) -> Option<&Path> {
        self.0.get(std::str::from_utf8(key).ok()?).map(PathBuf::as_path)
    }
}

/// A value as a part of a file name.
pub(crate) fn safe(value: &str) -> String {
    let mut name = String::new();
    for c in value.trim().chars() {
        let c = if c.is_alphanumeric() || matches!(c, '-' | '+' | ',' | '.' | '\'' | ' ') { c } else { '_' };
        if name.len() + c.len_utf8() > Names::LONGEST {
            break;
        }
        // A hidden file, or a step out of the folder.
        name.push(if name.is_empty() && c == '.' { '_' } else { c });
    }
    let end = name.trim_end_matches([' ', '.']).len();
    name.truncate(end);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || stem.len() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT"));
    if name.is_empty() {
        name.push_str("unknown");
    } else if is_device {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_in_upper_and_lower_case_share_a_file() {
        let names = Names::new("{}.pgn").unwrap();
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
            ("nul", "nul_"),
            ("com1.x", "com1.x_"),
            ("Réti\0\n", "Réti_"),
            ("a. . ", "a"),
        ] {
            assert_eq!(safe(value), name, "{value:?}");
        }
        assert_eq!(safe(&"ä".repeat(99)).len(), 100);
    }

    #[test]
    fn a_pattern_has_one_place() {
        for pattern in ["", "a.pgn", "{}/a.pgn", "{}{}.pgn", "{}/{}.pgn", "a{}/", "/"] {
            assert_eq!(Names::new(pattern).err(), Some(NamesError), "{pattern:?}");
        }
        assert_eq!(Names::new("{}").unwrap().numbered(12, 1), Path::new("12"));
    }

    proptest! {
        #[test]
        fn no_value_leaves_the_folder(value in "\\PC*|[./\\\\a]*") {
            let path = Names::new("x/{}").unwrap().of(&value);
            prop_assert_eq!(path.components().count(), 2, "{:?}", path);
            prop_assert!(path.file_name().is_some_and(|name| !name.is_empty() && name != ".."));
        }
    }
}
