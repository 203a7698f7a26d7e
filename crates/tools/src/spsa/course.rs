//! The course of a tuning: a file with a line of JSON for each step, so that it can be gone on with after any end.
//!
//! The first line has `version` and the [`Setup`], every other is a [`Step`]. The games of the step that is being played
//! stand in a journal of their own.

use super::parameters::Parameter;
use crate::files;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;

/// What a tuning is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Setup {
    pub(super) engine: String,
    pub(super) openings: PathBuf,
    pub(super) parameters: Vec<Parameter>,
    /// Pairs of games in all.
    pub(super) pairs: u32,
    /// Pairs of games in a step.
    pub(super) batch: u32,
    /// How much the last games move a value: this times its step for a point.
    pub(super) rate: f64,
    pub(super) seed: u64,
}

/// A step: the values after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    /// Pairs of games so far.
    pub(super) pairs: u32,
    pub(super) values: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    setup: Setup,
}

/// What has been played so far.
#[derive(Debug)]
pub(super) struct Course {
    path: PathBuf,
    /// `None` when it is only looked at.
    file: Option<File>,
    pub(super) setup: Setup,
    pub(super) steps: Vec<Step>,
}

impl Course {
    /// Begins one.
    ///
    /// # Errors
    /// When the file is there already, or cannot be made.
    pub(super) fn create(path: &Path, setup: Setup) -> anyhow::Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .with_context(|| format!("cannot begin {} (to go on with one, say --resume)", path.display()))?;
        let head = Head { version: VERSION, setup: setup.clone() };
        let mut course = Self { path: path.to_owned(), file: Some(file), setup, steps: Vec::new() };
        course.write(&head)?;
        Ok(course)
    }

    /// Goes on with one. A last line that was cut off when the program was killed is removed.
    ///
    /// # Errors
    /// When it cannot be read, or is none: names the line.
    pub(super) fn resume(path: &Path) -> anyhow::Result<Self> {
        let (text, file) = files::reopen(path)?;
        let (setup, steps) = parse(&text).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), file: Some(file), setup, steps })
    }

    /// Looks at one.
    ///
    /// # Errors
    /// As [`Course::resume`].
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let (setup, steps) = parse(files::whole_lines(&text)).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), file: None, setup, steps })
    }

    /// Adds a step; it is with the system when this returns.
    ///
    /// # Errors
    /// When the disk is full, for instance.
    pub(super) fn add(&mut self, step: Step) -> anyhow::Result<()> {
        self.write(&step)?;
        self.steps.push(step);
        Ok(())
    }

    fn write(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let file = self.file.as_mut().context("this course was only to be looked at")?;
        file.write_all(&bytes).with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Pairs of games so far.
    pub(super) fn pairs(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.pairs)
    }

    /// The values now, in the order of the parameters.
    pub(super) fn values(&self) -> Vec<f64> {
        let start = || self.setup.parameters.iter().map(|parameter| parameter.start as f64).collect();
        self.steps.last().map_or_else(start, |step| step.values.clone())
    }

    /// Where the games of the step that begins after so many pairs stand while it is played.
    pub(super) fn games(&self, pairs: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{pairs}.games"));
        name.into()
    }
}

fn parse(text: &[u8]) -> anyhow::Result<(Setup, Vec<Step>)> {
    let mut lines = text.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
    let (_, first) = lines.next().context("it is empty")?;
    let Head { version, setup } = serde_json::from_slice(first).context("line 1")?;
    ensure!(version <= VERSION, "written by a later version ({version}; this one knows {VERSION})");
    let mut steps: Vec<Step> = Vec::new();
    for (index, line) in lines {
        let step: Step = serde_json::from_slice(line).with_context(|| format!("line {}", index + 1))?;
        let before = steps.last().map_or(0, |step| step.pairs);
        ensure!(
            step.values.len() == setup.parameters.len() && (before + 1..=setup.pairs).contains(&step.pairs),
            "line {}: this step does not follow the one before it",
            index + 1
        );
        steps.push(step);
    }
    Ok((setup, steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup() -> Setup {
        let parameter = Parameter { name: "a".to_owned(), start: 5, min: 0, max: 10, step: 1.0 };
        Setup {
            engine: "cmd=engine".to_owned(),
            openings: "openings.epd".into(),
            parameters: vec![parameter],
            pairs: 100,
            batch: 8,
            rate: 0.002,
            seed: 1,
        }
    }

    #[test]
    fn comes_back_to_the_last_bit_even_when_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("course.jsonl");
        let mut course = Course::create(&path, setup()).unwrap();
        assert_eq!((course.pairs(), course.values()), (0, vec![5.0]));
        let steps = [0.1 + 0.2, 1.0 / 3.0].map(|value| vec![value]);
        for (index, values) in steps.iter().enumerate() {
            course.add(Step { pairs: 8 * (index as u32 + 1), values: values.clone() }).unwrap();
        }
        assert!(Course::create(&path, setup()).is_err());
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"pairs\":24,\"val");
        std::fs::write(&path, &text).unwrap();
        for course in [Course::read(&path).unwrap(), Course::resume(&path).unwrap()] {
            assert_eq!((course.pairs(), course.values()), (16, steps[1].clone()));
            assert_eq!(course.setup, setup());
        }
        assert!(Course::read(&path).unwrap().add(Step { pairs: 24, values: vec![1.0] }).is_err());
        Course::resume(&path).unwrap().add(Step { pairs: 24, values: vec![1.0] }).unwrap();
        assert_eq!(Course::read(&path).unwrap().pairs(), 24);
    }

    #[test]
    fn damage_is_named() {
        let head = serde_json::to_string(&Head { version: VERSION, setup: setup() }).unwrap();
        for (text, what) in [
            (String::new(), "empty"),
            ("{}\n".to_owned(), "line 1"),
            (head.replace("\"version\":1", "\"version\":9") + "\n", "later version"),
            (format!("{head}\n{{\"pairs\":8,\"values\":[1,2]}}\n"), "line 2: this step"),
            (format!("{head}\n{{\"pairs\":8,\"values\":[1]}}\n{{\"pairs\":8,\"values\":[1]}}\n"), "line 3: this step"),
            (format!("{head}\n{{\"pairs\":101,\"values\":[1]}}\n"), "line 2: this step"),
        ] {
            let error = format!("{:#}", parse(text.as_bytes()).unwrap_err());
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
