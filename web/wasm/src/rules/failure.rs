//! Errors as JavaScript sees them.

use bartizan_notation::pgn::PgnError;
use bartizan_position::{FenError, PositionError};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// An error: thrown as JSON.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What was wrong: `fen`, `move`, `pgn`, `tag`, `square` or `option`.
    kind: &'static str,
    pub(super) message: String,
    /// The line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// Every reason why a position is illegal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
}

impl Failure {
    pub(super) fn new(kind: &'static str, message: impl ToString) -> Self {
        Self { kind, message: message.to_string(), ..Self::default() }
    }
}

/// The value is text; it does not fail to be written.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        Self::from_str(&json(&failure))
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Self {
        let mut failure = Self::new("fen", &error);
        match error {
            PositionError::Fen(error) => {
                failure.line = Some(1);
                failure.column = Some(column(error).unwrap_or(1));
            }
            PositionError::Illegal(setup) => {
                failure.reasons = setup.reasons().iter().map(ToString::to_string).collect();
            }
            _ => {}
        }
        failure
    }
}

fn column(error: FenError) -> Option<usize> {
    match error {
        FenError::Unexpected { column, .. }
        | FenError::RankWidth { column, .. }
        | FenError::AdjacentNumbers { column }
        | FenError::RepeatedRight { column, .. }
        | FenError::TooLarge { column, .. }
        | FenError::Trailing { column } => Some(column),
        _ => None,
    }
}

impl From<PgnError> for Failure {
    fn from(PgnError { line, column, kind, .. }: PgnError) -> Self {
        Self { line: Some(line), column: Some(column), ..Self::new("pgn", kind) }
    }
}
