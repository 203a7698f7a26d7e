//! Weights of the evaluation as options of a tuning build.

use crate::options::{OptionError, WEIGHTS};
use bartizan_eval::weights::{Group, disable, replace};
use serde_json::Value;
use std::path::Path;

fn error(path: &Path, what: impl ToString) -> OptionError {
    OptionError::Failed { name: WEIGHTS.name, reason: format!("{}: {}", path.display(), what.to_string()) }
}

/// Reads a file of weights, as the tuner writes it, into the evaluation of this process. Terms that it does not name keep
/// their weights.
pub(crate) fn read(path: &Path) -> Result<(), OptionError> {
    let text = std::fs::read_to_string(path).map_err(|e| error(path, e))?;
    let file: Value = serde_json::from_str(&text).map_err(|e| error(path, e))?;
    let terms = file["terms"].as_array().ok_or_else(|| error(path, "there is no list \"terms\""))?;
    // No weight is replaced before the whole file has been read.
    let terms = terms.iter().enumerate().map(|(index, value)| {
        term(value).ok_or_else(|| error(path, format!("term {} has no name or no pairs", index + 1)))
    });
    for (name, values) in terms.collect::<Result<Vec<_>, _>>()? {
        replace(&name, &values).map_err(|e| error(path, e))?;
    }
    Ok(())
}

fn term(value: &Value) -> Option<(String, Vec<(i16, i16)>)> {
    let half = |half: &Value| i16::try_from(half.as_i64()?).ok();
    let pair = |pair: &Value| match pair.as_array()?.as_slice() {
        [mg, eg] => Some((half(mg)?, half(eg)?)),
        _ => None,
    };
    Some((value["name"].as_str()?.to_owned(), value["values"].as_array()?.iter().map(pair).collect::<Option<_>>()?))
}

/// Takes a group of terms out of the evaluation; what is out stays out.
pub(crate) fn set_group(name: &str, on: bool) -> Result<(), OptionError> {
    match Group::ALL.into_iter().find(|group| group.name() == name) {
        Some(group) if !on => disable(group).map_err(|e| error(Path::new(name), e)),
        _ => Ok(()),
    }
}
