//! The journal of a step's games: a file beside the SPSA journal, deleted at the end of the step.
//!
//! A run interrupted within a step leaves the finished games, so that the next run need not repeat them. A killed run
//! may also leave the journal of a finished step, or one without a complete line.

use crate::journal;
use bartizan_files::journal::JournalError;
use std::fs;
use std::path::{Path, PathBuf};

/// The event type of a step's journal.
pub(super) const EVENT: &str = "Tuning";

/// What every journal begins with.
const BEGINNING: &[u8] = b"{\"event\":\"start\",";

/// The journal of the step that begins after `pairs` pairs of games.
pub(super) fn path(spsa_journal: &Path, pairs: u32) -> PathBuf {
    let mut name = spsa_journal.to_owned().into_os_string();
    name.push(format!(".{pairs}.games"));
    name.into()
}

/// Deletes leftovers of killed runs beside an SPSA journal that has reached `pairs` pairs of games: the journals of
/// other steps, and the next step's journal if it has no complete line. If the SPSA journal `is_new`, the games of the
/// next step belong to an earlier SPSA journal of the same name, and are deleted too.
///
/// Other files are kept.
pub(super) fn clear(spsa_journal: &Path, pairs: u32, is_new: bool) {
    let folder = bartizan_files::folder_of(spsa_journal);
    let Some(name) = spsa_journal.file_name().map(|name| name.to_string_lossy()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(step) = step(&entry.file_name().to_string_lossy(), &name) else { continue };
        let may_have_games = step == pairs && !is_new;
        if is_unborn(&entry.path()) || !may_have_games && is_journal(&entry.path()) {
            // If deletion fails, the file is merely in the way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The number of pairs of games before the step whose journal has this file name.
fn step(file: &str, spsa_journal: &str) -> Option<u32> {
    let digits = file.strip_prefix(spsa_journal)?.strip_prefix('.')?.strip_suffix(".games")?;
    // Must match what is written: no sign or leading zeros.
    digits.parse().ok().filter(|pairs: &u32| pairs.to_string() == digits)
}

fn is_journal(path: &Path) -> bool {
    journal::read(path).is_ok_and(|history| history.settings.event == EVENT)
}

/// Whether a journal has no complete line, as after a kill during the first one.
fn is_unborn(path: &Path) -> bool {
    match journal::read(path) {
        Err(JournalError::Empty(_)) => true,
        Err(JournalError::Foreign(_)) => bartizan_files::read_regular(path, bartizan_files::MOST_WHOLE)
            .is_ok_and(|text| text.starts_with(BEGINNING) || BEGINNING.starts_with(&text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchSettings;
    use crate::journal::Journal;
    use serde_json::Value;

    fn begin(path: &Path, event: &str) {
        let settings = MatchSettings { event: event.to_owned(), ..MatchSettings::default() };
        drop(Journal::create(path, &settings, &Value::Null).unwrap());
    }

    #[test]
    fn what_killed_runs_have_left_is_deleted_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let spsa_journal = folder.path().join("c.jsonl");
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort_unstable();
            names.join(" ")
        };
        for pairs in [0, 8, 16, 24] {
            begin(&path(&spsa_journal, pairs), EVENT);
        }
        // Other games, notes, other SPSA journals, other names.
        begin(&path(&spsa_journal, 32), "Bartizan match");
        fs::write(path(&spsa_journal, 40), "notes").unwrap();
        begin(&path(&folder.path().join("d.jsonl"), 8), EVENT);
        begin(&folder.path().join("c.jsonl.08.games"), EVENT);
        let others = "c.jsonl.08.games c.jsonl.32.games c.jsonl.40.games d.jsonl.8.games";
        clear(&spsa_journal, 16, false);
        assert_eq!(names(), others.replacen(" ", " c.jsonl.16.games ", 1));
        // A journal that has games, or may get some, is kept; one that was cut within its first line is not.
        let whole = fs::read(path(&spsa_journal, 16)).unwrap();
        for cut in [0, 5, 40] {
            fs::write(path(&spsa_journal, 16), &whole[..cut]).unwrap();
            clear(&spsa_journal, 16, false);
            assert_eq!(names(), others);
        }
        begin(&path(&spsa_journal, 0), EVENT);
        clear(&spsa_journal, 0, false);
        assert!(path(&spsa_journal, 0).exists());
        clear(&spsa_journal, 0, true);
        assert_eq!(names(), others);
    }
}
