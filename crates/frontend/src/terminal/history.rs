//! The file of entered lines.
//!
//! The format is rustyline's: the line `#V2`, then a line for each entry, with `\\` and `\n` for backslashes and line
//! ends. rustyline itself rewrites the file in place whenever it is full or another program has written to it, so a
//! kill or a full disk would lose all entries, and bytes that are not UTF-8 would permanently stop it from saving.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

const HEADER: &str = "#V2";

/// The file of entered lines. It may be shared by several programs.
#[derive(Debug)]
pub(super) struct History(PathBuf);

impl History {
    pub(super) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The last entries, at most this many. A file with more than twice as many, or in another format, is trimmed to
    /// them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn load(&self, most: usize) -> io::Result<Vec<String>> {
        let bytes = bartizan_files::read_regular(&self.0, bartizan_files::MOST_WHOLE)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_escaped = text.lines().next() == Some(HEADER);
        let lines = text.lines().skip(usize::from(is_escaped)).filter(|line| !line.is_empty());
        let entries: Vec<String> =
            lines.map(|line| if is_escaped { unescape(line) } else { line.to_owned() }).collect();
        let last = entries[entries.len().saturating_sub(most)..].to_vec();
        if entries.len() > 2 * most || !is_escaped {
            let lines: String = last.iter().map(|entry| escape(entry) + "\n").collect();
            // The entries are available; the next call tries the file again.
            let _ = bartizan_files::replace(&self.0, format!("{HEADER}\n{lines}").as_bytes());
        }
        Ok(last)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If the file cannot be written. It then has no part of the entry.
    pub(super) fn append(&self, entry: &str) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = open(&self.0)?;
        let mut record = String::new();
        match last_byte(&mut file)? {
            None => record = format!("{HEADER}\n"),
            Some(b'\n') => {}
            // A kill has cut off the last entry.
            Some(_) => record.push('\n'),
        }
        record += &escape(entry);
        record.push('\n');
        bartizan_files::append(&mut file, record.as_bytes())
    }
}

/// Opens or creates a file that only its user can read.
fn open(path: &Path) -> io::Result<File> {
    bartizan_files::check_regular(path)?;
    let mut options = File::options();
    options.create(true).read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn last_byte(file: &mut File) -> io::Result<Option<u8>> {
    if file.metadata()?.len() == 0 {
        return Ok(None);
    }
    let mut byte = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut byte)?;
    Ok(Some(byte[0]))
}

fn escape(entry: &str) -> String {
    entry.replace('\\', r"\\").replace('\n', r"\n")
}

fn unescape(line: &str) -> String {
    let mut entry = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some('n')) => entry.push('\n'),
            ('\\', Some('\\')) => entry.push('\\'),
            _ => {
                entry.push(c);
                continue;
            }
        }
        chars.next();
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::history::{DefaultHistory, History as _, SearchDirection};

    fn history(folder: &tempfile::TempDir) -> History {
        History::new(folder.path().join("sub").join("history"))
    }

    #[test]
    fn entries_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let history = history(&folder);
        assert!(history.load(9).is_err());
        let entries = ["go depth 5", r"a\b", r"C:\new\n", "two\nlines", "ä", r"\"];
        for entry in entries {
            history.append(entry).unwrap();
        }
        assert_eq!(history.load(9).unwrap(), entries);
        assert_eq!(history.load(2).unwrap(), entries[4..]);
        // The format is that of rustyline.
        let mut other = DefaultHistory::new();
        let path = folder.path().join("other");
        for entry in entries {
            other.add(entry).unwrap();
        }
        other.save(&path).unwrap();
        assert_eq!(History::new(path).load(9).unwrap(), entries);
        let mut other = DefaultHistory::new();
        for entry in entries {
            fs::remove_file(&history.0).ok();
            history.append(entry).unwrap();
            other.load(&history.0).unwrap();
            assert_eq!(other.get(other.len() - 1, SearchDirection::Forward).unwrap().unwrap().entry, entry);
        }
    }

    /// Cut at any byte: the entries before the cut are kept, and later ones are added.
    #[test]
    fn a_cut_costs_one_entry() {
        let folder = tempfile::tempdir().unwrap();
        let history = history(&folder);
        for entry in ["one", "two"] {
            history.append(entry).unwrap();
        }
        let whole = fs::read(&history.0).unwrap();
        for cut in 0..=whole.len() {
            fs::write(&history.0, &whole[..cut]).unwrap();
            history.append("three").unwrap();
            let entries = history.load(9).unwrap();
            assert_eq!(entries.last().unwrap(), "three", "{cut}");
            let kept = ["one", "two"].iter().filter(|entry| entries.contains(&(**entry).to_owned())).count();
            let complete = [b"#V2\none".len(), b"#V2\none\ntwo".len()].iter().filter(|&&end| end <= cut).count();
            assert_eq!(kept, complete, "{cut}: {entries:?}");
        }
    }

    #[test]
    fn a_long_file_is_cut_and_a_damaged_one_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let history = history(&folder);
        (0..20).for_each(|number| history.append(&number.to_string()).unwrap());
        assert_eq!(history.load(10).unwrap()[0], "10");
        assert_eq!(fs::read_to_string(&history.0).unwrap().lines().count(), 21);
        history.append("20").unwrap();
        assert_eq!(history.load(10).unwrap()[0], "11");
        assert_eq!(fs::read_to_string(&history.0).unwrap().lines().count(), 11);
        fs::write(&history.0, b"#V2\none\n\xff\xfe\ntwo\n").unwrap();
        history.append("three").unwrap();
        assert_eq!(history.load(10).unwrap(), ["one", "\u{fffd}\u{fffd}", "two", "three"]);
        // A file of another format.
        fs::write(&history.0, "one\ntw\\no\n").unwrap();
        assert_eq!(history.load(10).unwrap(), ["one", "tw\\no"]);
        assert_eq!(fs::read_to_string(&history.0).unwrap(), "#V2\none\ntw\\\\no\n");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_belongs_to_its_user() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let history = history(&folder);
        history.append("one").unwrap();
        assert_eq!(fs::metadata(&history.0).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
