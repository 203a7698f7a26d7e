//! Continues a run: its file has the settings, and those given again are compared with them.

use crate::files::{self, shown};
use crate::input;
use anyhow::{Context, ensure};
use bartizan_engine::{EngineIdentity, EvaluationModel};
use bartizan_files::journal::{JournalError, JournalFile};
use bartizan_match::EngineSpec;
use bartizan_types::Escaped;
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// An engine as a journal keeps it. Two are equal if they play alike: the time for answers may be another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JournalEngine {
    /// `None` for the built-in one.
    engine: Option<EngineSpec>,
    /// What tells the built-in engine from other versions of it.
    built_in: Option<EngineIdentity>,
}

impl JournalEngine {
    pub(crate) fn of(engine: Option<&EngineSpec>) -> anyhow::Result<Self> {
        let built_in = || EngineIdentity::of_this_program(EvaluationModel::built_in());
        let built_in = if engine.is_none() { Some(built_in()?) } else { None };
        Ok(Self { engine: engine.cloned(), built_in })
    }
}

impl PartialEq for JournalEngine {
    fn eq(&self, other: &Self) -> bool {
        let alike = match (&self.engine, &other.engine) {
            (Some(one), Some(other)) => one.plays_as(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        alike && self.built_in == other.built_in
    }
}

/// Settings that the command line gives, and those of a file, which is called `what`.
pub(crate) struct SettingsComparison {
    what: &'static str,
    differences: Vec<String>,
}

impl SettingsComparison {
    /// For a file that messages call `what`, such as "journal".
    pub(crate) fn with(what: &'static str) -> Self {
        Self { what, differences: Vec::new() }
    }

    /// Takes the file's value. A different value on the command line is recorded.
    pub(crate) fn stored<T: PartialEq + Display>(&mut self, option: &str, given: Option<T>, stored: T) -> T {
        self.stored_as(option, given, stored, T::to_string)
    }

    /// Like [`stored`](Self::stored), for a value that the file may lack.
    pub(crate) fn optional<T: PartialEq + Display>(
        &mut self,
        option: &str,
        given: Option<T>,
        stored: Option<T>,
    ) -> Option<T> {
        let show = |value: &Option<T>| value.as_ref().map_or_else(|| "none".to_owned(), T::to_string);
        self.stored_as(option, given.map(Some), stored, show)
    }

    /// Like [`stored`](Self::stored), for a value that messages format with `show`.
    pub(crate) fn stored_as<T: PartialEq>(
        &mut self,
        option: &str,
        given: Option<T>,
        stored: T,
        show: impl Fn(&T) -> String,
    ) -> T {
        if let Some(given) = given.filter(|given| *given != stored) {
            self.differs(option, &show(&given), &show(&stored));
        }
        stored
    }

    /// Compares settings with those of the file. `fields` are their places in JSON; the last part of each has the name
    /// of its option.
    pub(crate) fn fields<S: Serialize>(&mut self, given: &S, stored: &S, fields: &str) -> anyhow::Result<()> {
        let (given, stored) = (serde_json::to_value(given)?, serde_json::to_value(stored)?);
        for field in fields.split_whitespace() {
            let of = |settings: &Value| settings.pointer(&format!("/{field}")).cloned().unwrap_or_default();
            let (given, stored) = (of(&given), of(&stored));
            let option = format!("--{}", field.rsplit('/').next().unwrap_or(field).replace('_', "-"));
            if given == true {
                self.flag(&option, true, stored == true);
            } else if given != stored {
                self.differs(&option, &text(&given), &text(&stored));
            }
        }
        Ok(())
    }

    /// Like [`stored`](Self::stored), for an option without a value, which the command line cannot switch off.
    pub(crate) fn flag(&mut self, option: &str, given: bool, stored: bool) -> bool {
        if given && !stored {
            self.add(format!("{option} (not set in the {})", self.what));
        }
        stored
    }

    /// Records a differing value.
    pub(crate) fn differs(&mut self, option: &str, given: &str, stored: &str) {
        self.add(format!("{option} {} (the {} has {})", shown(given), self.what, shown(stored)));
    }

    /// Remembers another difference.
    pub(crate) fn add(&mut self, difference: String) {
        self.differences.push(difference);
    }

    /// Fails if something differs.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        ensure!(self.differences.is_empty(), "it was begun with other settings: {}", self.differences.join(", "));
        Ok(())
    }
}

/// A value in command-line form.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// A choice in command-line form, for [`SettingsComparison::stored_as`].
pub(crate) fn choice<T: ValueEnum>(choice: &T) -> String {
    choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// A file or none, for [`SettingsComparison::optional`].
pub(crate) fn path(path: Option<&PathBuf>) -> Option<String> {
    path.map(|path| Escaped(path.display()).to_string())
}

/// The file of `option`, or else that of `other`. If both are given, they must name the same file.
pub(crate) fn file<'a>(
    (option, file): (&str, Option<&'a PathBuf>),
    (other, usual): (&str, Option<&'a PathBuf>),
) -> anyhow::Result<&'a Path> {
    if let (Some(file), Some(usual)) = (file, usual) {
        ensure!(file == usual, "{option} and {other} name different files");
    }
    file.or(usual).map(PathBuf::as_path).with_context(|| format!("{option} needs a file"))
}

/// The error for a journal that cannot be used as intended, such as to "resume" it.
pub(crate) fn cannot(verb: &str, path: &Path, error: &JournalError) -> anyhow::Error {
    anyhow::anyhow!("cannot {verb} '{}': {}", Escaped(path.display()), error.reason())
}

/// The version of the journals that [`journal`] writes.
const VERSION: u32 = 1;

/// The first line of a journal.
#[derive(Debug, Serialize, Deserialize)]
struct Head<E, S> {
    /// Which command has written it.
    event: E,
    version: u32,
    /// What decides the results.
    settings: S,
}

/// Begins the journal of a resumable run: one JSON object per line, the settings first. Or, to `resume` it, passes its
/// other lines to `take`, which may reject one with a reason. `event` marks the settings, and `expected` says what the
/// file should be, such as "a journal of pgn label".
///
/// # Errors
/// If the journal cannot be created or read, or was begun with other settings.
pub(crate) fn journal<S: PartialEq + Serialize + DeserializeOwned, E: DeserializeOwned>(
    path: &Path,
    resume: bool,
    (event, expected): (&str, &'static str),
    settings: &S,
    mut take: impl FnMut(E) -> Result<(), &'static str>,
) -> anyhow::Result<JournalFile> {
    if !resume {
        let head = Head { event, version: VERSION, settings };
        return JournalFile::create(path, &head).map_err(|error| match error {
            JournalError::Exists(_) => anyhow::anyhow!("{error}; continue it with --resume"),
            error => error.into(),
        });
    }
    let failed = |error| cannot("resume", path, &error);
    let (file, lines) = JournalFile::resume(path).map_err(failed)?;
    let (head, entries) = lines.head::<Head<String, Value>>("event", expected).map_err(failed)?;
    if head.event != event {
        return Err(failed(JournalError::Kind { path: path.to_owned(), expected }));
    }
    lines.check_version(head.version, VERSION).map_err(failed)?;
    compare(settings, &head.settings).with_context(|| format!("cannot resume '{}'", Escaped(path.display())))?;
    for (number, line) in entries {
        let entry = serde_json::from_slice(line).map_err(|error| failed(lines.error(number, error)))?;
        take(entry).map_err(|reason| failed(lines.error(number, reason)))?;
    }
    Ok(file)
}

/// Where to record a run that can be continued.
#[derive(Debug, clap::Args)]
pub(crate) struct JournalArgs {
    /// Journal of the finished games, from which --resume continues an interrupted run
    #[arg(id = "journal", long, value_name = "FILE")]
    pub(crate) path: Option<PathBuf>,
    /// Continue the run of the journal
    #[arg(long, requires = "journal")]
    resume: bool,
}

/// A line of a [`Log`]: a finished game, known by its number, and what it has yielded.
#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Entry<T> {
    Game {
        game: u64,
        #[serde(flatten)]
        found: T,
    },
}

/// The [`journal`] of a run over games, if the user wants one.
pub(crate) struct Log(Option<JournalFile>);

impl Log {
    /// Begins the journal, or continues it and passes its games to `take`, which may reject one with a reason.
    pub(crate) fn open<S: PartialEq + Serialize + DeserializeOwned, T: DeserializeOwned>(
        args: &JournalArgs,
        what: (&str, &'static str),
        settings: impl FnOnce() -> anyhow::Result<S>,
        mut take: impl FnMut(u64, T) -> Result<(), &'static str>,
    ) -> anyhow::Result<Self> {
        let Some(path) = &args.path else { return Ok(Self(None)) };
        let take = |Entry::Game { game, found }| take(game, found);
        Ok(Self(Some(journal(path, args.resume, what, &settings()?, take)?)))
    }

    pub(crate) fn add(&mut self, game: u64, found: &impl Serialize) -> anyhow::Result<()> {
        if let Some(file) = &mut self.0 {
            file.append(&Entry::Game { game, found })?;
        }
        Ok(())
    }
}

/// Fails if settings differ from those of a journal, and names the differences.
fn compare<S: PartialEq + Serialize + DeserializeOwned>(given: &S, stored: &Value) -> anyhow::Result<()> {
    // Some differences do not matter, such as the version of an engine that plays alike.
    if S::deserialize(stored).is_ok_and(|stored| stored == *given) {
        return Ok(());
    }
    let mut compared = SettingsComparison::with("file");
    if let Value::Object(given) = serde_json::to_value(given)? {
        for (name, value) in given {
            let old = &stored[&name];
            if value != *old {
                compared.differs(&name, &value.to_string(), &old.to_string());
            }
        }
    }
    compared.finish()
}

/// The SHA-256 of a file, in hexadecimal, by which a journal recognises its input.
pub(crate) fn digest(path: &Path) -> anyhow::Result<String> {
    let is_stream = input::is_stream(path).with_context(|| files::cannot_read(path))?;
    ensure!(!is_stream, "'{}' can be read only once, and --journal needs to read it twice", Escaped(path.display()));
    Ok(files::hex(&files::sha256(path, |_| true)?.unwrap_or_default()))
}

/// The [`digest`] of each input file of a run.
///
/// # Errors
/// Also if standard input is among them.
pub(crate) fn digests(paths: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let is_file = |path: &PathBuf| path.as_os_str() != "-";
    ensure!(
        !paths.is_empty() && paths.iter().all(is_file),
        "standard input can be read only once, and --journal needs to read it twice"
    );
    paths.iter().map(|path| digest(path)).collect()
}

/// Fails for a journal that ends within a line, after a command has shown what is before it.
///
/// # Errors
/// If `is_cut`.
pub(crate) fn refuse_cut(path: &Path, is_cut: bool) -> anyhow::Result<()> {
    ensure!(!is_cut, "'{}' is cut off: its last line is incomplete and was not counted", Escaped(path.display()));
    Ok(())
}
