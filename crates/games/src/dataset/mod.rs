//! Folders of Parquet files, which databases and data frames read: games, and optionally the positions and the material
//! that they reach. `docs/parquet.md` describes the columns.
//!
//! A part is the games of a stretch of the input. Its files get their names when all of them are whole, and the
//! manifest then names the part, so that an export that was interrupted continues after the last part.

mod find;
mod manifest;
mod occurrence;
mod part;
mod partition;

pub use find::{Dataset, Hit};
pub use manifest::{Cursor, DatasetInput, DatasetOptions, Manifest, PartSummary};
pub use occurrence::{GameRecord, Place};
pub use part::PartWriter;
pub use partition::{Partition, PartitionError};

use std::io;
use std::path::{Path, PathBuf};

/// The version of the columns. A reader refuses a newer one.
pub const SCHEMA_VERSION: u32 = 1;

/// The key of the metadata of each Parquet file that has the version of the columns.
pub const VERSION_KEY: &str = "bartizan.schema";

/// A folder cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A file or folder cannot be read or written.
    #[error("cannot use '{}'", bartizan_types::Escaped(path.display()))]
    Io {
        /// The file or the folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file is not a Parquet file with the expected columns, or cannot be written as one.
    #[error("'{}': {source}", bartizan_types::Escaped(path.display()))]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Why.
        source: parquet::errors::ParquetError,
    },
    /// The folder has no manifest of this kind.
    #[error("'{}' is not a folder of exported games: {reason}", bartizan_types::Escaped(path.display()))]
    Manifest {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The folder has no table of positions or of material.
    #[error("'{}' has no positions; export with --positions", bartizan_types::Escaped(path.display()))]
    NoPositions {
        /// The folder.
        path: PathBuf,
    },
    /// A partition has more values than files can be open.
    #[error("the games of a part have more than {most} values of '{partition}'; choose another partition")]
    Partitions {
        /// The name of the column.
        partition: String,
        /// The limit.
        most: usize,
    },
}

impl DatasetError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Io { path: path.to_owned(), source }
    }

    fn parquet<E: Into<parquet::errors::ParquetError>>(path: &Path) -> impl FnOnce(E) -> Self + '_ {
        |source| Self::Parquet { path: path.to_owned(), source: source.into() }
    }
}
