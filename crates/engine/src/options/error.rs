//! Why an option was not set.

use std::error::Error;

/// Why an option was not set. The old value is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No option has this name.
    #[error("unknown option '{name}'{suggestion}")]
    Unknown {
        /// The name.
        name: String,
        /// `; did you mean 'Hash'?`, or empty.
        suggestion: String,
    },
    /// The option needs a value.
    #[error("option '{name}' needs a value")]
    Missing {
        /// The option.
        name: &'static str,
    },
    /// The value has the wrong type.
    #[error("option '{name}': '{value}' is not {expected}")]
    Invalid {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The value is not one of the choices.
    #[error("option '{name}': '{value}' is not one of {names}")]
    Choice {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The names.
        names: String,
    },
    /// The number is out of range.
    #[error("option '{name}': {value} is not between {min} and {max}")]
    Range {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// The value is valid, but could not be applied.
    #[error("option '{name}': {source}")]
    Failed {
        /// The option.
        name: &'static str,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
}
