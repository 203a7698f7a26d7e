//! The journal of a tuning run: a file of JSON lines, one per step, so that the run can be resumed however it ended.
//!
//! The first line has `version` and the [`SpsaSettings`], every other line is a [`SpsaStep`]. The games of the current
//! step have a journal next to it.

use super::SpsaError;
use super::games;
use super::parameters::Parameter;
use crate::paired::PairedSettings;
use bartizan_files::journal::{JournalError, JournalFile, JournalLines, read_lines};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;

/// The definition of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// The settings that determine the games.
    #[serde(flatten)]
    pub paired: PairedSettings,
    /// The parameters to tune.
    pub parameters: Vec<Parameter>,
    /// Pairs of games of the whole tuning.
    pub pairs: u32,
    /// Pairs of games per step.
    pub batch: u32,
    /// Change of a value per point in the last games, in units of its step.
    pub rate: f64,
    /// The SHA-256 of the openings; journals of older versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_sha256: Option<String>,
}

/// The values after a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaStep {
    /// Pairs of games so far.
    pub pairs: u32,
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    setup: SpsaSettings,
    /// Number of concurrent games in the first run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    concurrency: Option<usize>,
}

/// The steps so far.
#[derive(Debug)]
pub struct SpsaJournal {
    pub(super) path: PathBuf,
    /// Whether it was just created.
    pub(super) is_new: bool,
    /// `None` if the journal is read-only.
    file: Option<JournalFile>,
    /// The definition of the tuning.
    pub setup: SpsaSettings,
    /// Number of concurrent games in the first run. It does not affect the games, so a later run may use another.
    pub concurrency: usize,
    pub(super) steps: Vec<SpsaStep>,
    /// Whether the file ended within a line, which is lost, when it was read.
    pub is_cut: bool,
}

impl SpsaJournal {
    /// Begins a journal.
    ///
    /// # Errors
    /// When the file already exists or cannot be created.
    pub fn create(path: &Path, setup: SpsaSettings, concurrency: usize) -> Result<Self, JournalError> {
        let head = Head { version: VERSION, setup: setup.clone(), concurrency: Some(concurrency) };
        let file = JournalFile::create(path, &head)?;
        Ok(Self {
            path: path.to_owned(),
            is_new: true,
            file: Some(file),
            setup,
            concurrency,
            steps: Vec::new(),
            is_cut: false,
        })
    }

    /// Continues a journal. Removes an incomplete last line, left by a killed program.
    ///
    /// # Errors
    /// When the file cannot be read or is not a journal.
    pub fn resume(path: &Path) -> Result<Self, JournalError> {
        let (file, lines) = JournalFile::resume(path)?;
        Ok(Self { file: Some(file), ..parse(&lines)? })
    }

    /// Reads a journal without changing it.
    ///
    /// # Errors
    /// As [`SpsaJournal::resume`].
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        parse(&read_lines(path)?)
    }

    /// Adds a step. On return, the operating system has it.
    ///
    /// # Errors
    /// When the file cannot be written, or the journal is read-only.
    pub(super) fn add(&mut self, step: SpsaStep) -> Result<(), SpsaError> {
        self.file.as_mut().ok_or(SpsaError::ReadOnly)?.append(&step)?;
        self.steps.push(step);
        Ok(())
    }

    /// Pairs of games so far.
    pub fn pairs(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.pairs)
    }

    /// The current values, in the order of the parameters.
    pub fn values(&self) -> Vec<f64> {
        let start = || self.setup.parameters.iter().map(|parameter| parameter.start as f64).collect();
        self.steps.last().map_or_else(start, |step| step.values.clone())
    }

    /// The journal of the step that begins after `pairs` pairs of games.
    pub(super) fn games(&self, pairs: u32) -> PathBuf {
        games::path(&self.path, pairs)
    }
}

fn parse(lines: &JournalLines) -> Result<SpsaJournal, JournalError> {
    let (Head { version, setup, concurrency }, records) = lines.head("setup", "a journal of spsa")?;
    lines.check_version(version, VERSION)?;
    let concurrency = concurrency.unwrap_or(1);
    let path = lines.path().to_owned();
    let is_cut = lines.is_cut();
    let mut journal = SpsaJournal { path, is_new: false, file: None, setup, concurrency, steps: Vec::new(), is_cut };
    for (number, record) in records {
        let step: SpsaStep = serde_json::from_slice(record).map_err(|error| lines.error(number, error))?;
        let is_complete = step.values.len() == journal.setup.parameters.len();
        if !is_complete || !(journal.pairs() + 1..=journal.setup.pairs).contains(&step.pairs) {
            return Err(lines.error(number, "this step does not follow the previous one"));
        }
        journal.steps.push(step);
    }
    Ok(journal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> SpsaSettings {
        let parameter = Parameter { name: "a".to_owned(), start: 5, min: 0, max: 10, step: 1.0, rate: None };
        let paired = PairedSettings::new("cmd=engine", "openings.epd");
        SpsaSettings { paired, parameters: vec![parameter], pairs: 100, batch: 8, rate: 0.002, openings_sha256: None }
    }

    #[test]
    fn values_survive_to_the_last_bit_and_after_a_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.jsonl");
        let mut journal = SpsaJournal::create(&path, setup(), 2).unwrap();
        assert_eq!((journal.pairs(), journal.values()), (0, vec![5.0]));
        let steps = [0.1 + 0.2, 1.0 / 3.0].map(|value| vec![value]);
        for (index, values) in steps.iter().enumerate() {
            journal.add(SpsaStep { pairs: 8 * (index as u32 + 1), values: values.clone() }).unwrap();
        }
        assert!(SpsaJournal::create(&path, setup(), 2).is_err());
        drop(journal);
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"pairs\":24,\"val");
        std::fs::write(&path, &text).unwrap();
        for journal in [SpsaJournal::read(&path).unwrap(), SpsaJournal::resume(&path).unwrap()] {
            assert_eq!((journal.pairs(), journal.values()), (16, steps[1].clone()));
            assert_eq!((&journal.setup, journal.concurrency), (&setup(), 2));
        }
        assert!(SpsaJournal::read(&path).unwrap().add(SpsaStep { pairs: 24, values: vec![1.0] }).is_err());
        SpsaJournal::resume(&path).unwrap().add(SpsaStep { pairs: 24, values: vec![1.0] }).unwrap();
        assert_eq!(SpsaJournal::read(&path).unwrap().pairs(), 24);
    }

    #[test]
    fn damage_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.jsonl");
        let head = serde_json::to_string(&Head { version: VERSION, setup: setup(), concurrency: None }).unwrap();
        for (text, what) in [
            (String::new(), "is empty"),
            ("{}\n".to_owned(), "is not a journal of spsa"),
            (head.replace("\"version\":1", "\"version\":9") + "\n", "has version 9"),
            (format!("{head}\n{{\"pairs\":8,\"values\":[1,2]}}\n"), "line 2: this step"),
            (format!("{head}\n{{\"pairs\":8,\"values\":[1]}}\n{{\"pairs\":8,\"values\":[1]}}\n"), "line 3: this step"),
            (format!("{head}\n{{\"pairs\":101,\"values\":[1]}}\n"), "line 2: this step"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = SpsaJournal::read(&path).unwrap_err().to_string();
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
