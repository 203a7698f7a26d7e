//! The names of the files into which a collection is split.

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
#[error("the file name must contain '{{}}' once, and the folder must not")]
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
