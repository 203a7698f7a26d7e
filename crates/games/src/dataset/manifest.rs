//! `manifest.json`: what an export was asked for, and what it has written.

use super::{DatasetError, Partition, SCHEMA_VERSION};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "manifest.json";

/// The word that tells a manifest from other files of its name.
const FORMAT: &str = "bartizan games";

/// What an export contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetOptions {
    /// How the games are divided into folders.
    pub partition: Option<Partition>,
    /// Whether there are tables of positions and of material.
    pub positions: bool,
    /// Whether a game with a problem is broken.
    pub strict: bool,
    /// The number of games of a part.
    pub part_games: u64,
}

/// A file whose games are exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetInput {
    /// The name that the user gave.
    pub name: String,
    /// The length in bytes; `None` for a pipe.
    pub bytes: Option<u64>,
}

/// A place between two games of the inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The index of the input.
    pub input: usize,
    /// The line of the input on which the last game before the place begins, 0 at the beginning.
    pub line: usize,
    /// The number of games before the place, of all inputs.
    pub games: u64,
}

/// A part that is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSummary {
    /// The number of the part, from 0.
    pub number: u32,
    /// The games that could be read.
    pub games: u64,
    /// The games that could not.
    pub broken: u64,
    /// The problems of the other games.
    pub problems: u64,
    /// The files, relative to the folder.
    pub files: Vec<String>,
    /// Where the next part begins.
    pub end: Cursor,
}

/// What a folder contains. Other programs may read it: fields are added, and not changed within a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    /// The version of the columns.
    pub schema: u32,
    /// What was asked for.
    pub options: DatasetOptions,
    /// The files, in order.
    pub inputs: Vec<DatasetInput>,
    /// The parts, in order.
    pub parts: Vec<PartSummary>,
    /// Whether all games are in the parts.
    pub complete: bool,
}

impl Manifest {
    /// That of an export without parts.
    pub fn new(options: DatasetOptions, inputs: Vec<DatasetInput>) -> Self {
        Self { format: FORMAT.to_owned(), schema: SCHEMA_VERSION, options, inputs, parts: Vec::new(), complete: false }
    }

    /// Reads that of a folder. `None` if the folder does not exist or is empty.
    ///
    /// # Errors
    /// If the folder contains other files and no manifest, or one that this version does not understand.
    pub fn read(folder: &Path) -> Result<Option<Self>, DatasetError> {
        let path = folder.join(NAME);
        let wrong = |reason: String| DatasetError::Manifest { path: folder.to_owned(), reason };
        let text = match bartizan_files::read(&path, bartizan_files::MOST_WHOLE) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
                    Ok(true) => Ok(None),
                    Ok(false) => Err(wrong(format!("it has other files and no {NAME}"))),
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(DatasetError::io(folder)(error)),
                };
            }
            Err(error) => return Err(DatasetError::io(&path)(error)),
        };
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| wrong(format!("{NAME}: {error}")))?;
        if manifest.format != FORMAT {
            return Err(wrong(format!("{NAME} is of another program")));
        }
        if manifest.schema != SCHEMA_VERSION {
            let (found, known) = (manifest.schema, SCHEMA_VERSION);
            return Err(wrong(format!("its columns have version {found}, this program knows version {known}")));
        }
        let is_inside = |file: &String| {
            Path::new(file).components().all(|component| matches!(component, std::path::Component::Normal(_)))
        };
        match manifest.parts.iter().flat_map(|part| &part.files).find(|file| !is_inside(file)) {
            Some(file) => Err(wrong(format!("{NAME} names '{}', outside of it", bartizan_types::Escaped(file)))),
            None => Ok(Some(manifest)),
        }
    }

    /// Writes the manifest into its folder.
    ///
    /// # Errors
    /// If it cannot be written; an old one then remains.
    pub fn write(&self, folder: &Path) -> Result<(), DatasetError> {
        let path = folder.join(NAME);
        let text = serde_json::to_vec_pretty(self).map_err(|error| DatasetError::io(&path)(error.into()))?;
        bartizan_files::replace(&path, &text).map_err(DatasetError::io(&path))
    }

    /// Where the next part begins.
    pub fn end(&self) -> Cursor {
        self.parts.last().map(|part| part.end).unwrap_or_default()
    }

    /// The files of a table, such as `games`.
    pub(super) fn files<'a>(&'a self, folder: &'a Path, table: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
        let files = self.parts.iter().flat_map(|part| &part.files);
        files.filter(move |file| Path::new(file).starts_with(table)).map(|file| folder.join(file))
    }
}
