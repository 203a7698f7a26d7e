//! What a build with the feature `tuning` can change: search parameters and steps, and evaluation weights.
//!
//! [`Options::steps`](crate::Options::steps) belongs to an engine; parameters and weights belong to the whole process.

pub use bartizan_eval::weights::{TermGroup, WeightsError, disable};
pub use bartizan_search::params::{self, ParamSpec};
pub use bartizan_search::{Step, Steps, TimeRule, TimeRules};

use bartizan_eval::weights::replace;
use bartizan_types::Escaped;
use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file of weights was not used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadWeightsError {
    /// It cannot be read.
    #[error("cannot read '{}': {source}", Escaped(.path.display()))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
    /// It is not JSON.
    #[error("'{}': {source}", Escaped(.path.display()))]
    Json {
        /// The file.
        path: PathBuf,
        /// The problem and its location.
        source: serde_json::Error,
    },
    /// It has no list of terms.
    #[error("'{}': the list \"terms\" is missing", Escaped(.0.display()))]
    NoTerms(PathBuf),
    /// A term of the list has no name or no pairs of weights.
    #[error("'{}': term {number} has no name or no pairs of weights", Escaped(.path.display()))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The number of the term, from 1.
        number: usize,
    },
    /// The evaluation refuses them.
    #[error("'{}': {source}", Escaped(.path.display()))]
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: WeightsError,
    },
}

/// Reads a file of weights, in the tuner's format, into the evaluation of this process. Terms missing from the file
/// keep their weights.
///
/// # Errors
/// [`LoadWeightsError`]; a malformed file changes nothing.
pub fn load_weights(path: &Path) -> Result<(), LoadWeightsError> {
    let path = || path.to_owned();
    let text = bartizan_files::read_text(path(), bartizan_files::MOST_WHOLE)
        .map_err(|source| LoadWeightsError::Io { path: path(), source })?;
    let file: Value = serde_json::from_str(&text).map_err(|source| LoadWeightsError::Json { path: path(), source })?;
    let terms = file["terms"].as_array().ok_or_else(|| LoadWeightsError::NoTerms(path()))?;
    // Read the whole file before replacing any weight.
    let terms = terms.iter().enumerate().map(|(index, value)| {
        parse_term(value).ok_or_else(|| LoadWeightsError::Malformed { path: path(), number: index + 1 })
    });
    for (name, values) in terms.collect::<Result<Vec<_>, _>>()? {
        replace(&name, &values).map_err(|source| LoadWeightsError::Refused { path: path(), source })?;
    }
    Ok(())
}

fn parse_term(value: &Value) -> Option<(String, Vec<(i16, i16)>)> {
    let half = |half: &Value| i16::try_from(half.as_i64()?).ok();
    let pair = |pair: &Value| match pair.as_array()?.as_slice() {
        [mg, eg] => Some((half(mg)?, half(eg)?)),
        _ => None,
    };
    Some((value["name"].as_str()?.to_owned(), value["values"].as_array()?.iter().map(pair).collect::<Option<_>>()?))
}
