//! The options of the engine: typed values with their ranges, and a table that sets them by name.
//!
//! Each option is one row, from which everything that a program says about it is derived: the declaration in UCI and
//! xboard, the key in the settings file, the current value, and the text of errors.
//!
//! ```
//! use bartizan_engine::{Options, options};
//!
//! let mut options = Options::default();
//! options.set("hash", Some("64"))?;
//! assert_eq!(options.hash_mib, 64);
//! let error = options.set("hahs", Some("64")).unwrap_err();
//! assert_eq!(error.to_string(), "unknown option 'hahs'; did you mean 'Hash'?");
//! let error = options::find("threads")?.parse(Some("two")).unwrap_err();
//! assert_eq!(error.to_string(), "option 'Threads': 'two' is not a whole number");
//! # Ok::<(), bartizan_engine::options::OptionError>(())
//! ```

mod error;
mod row;
mod table;
#[cfg(feature = "tuning")]
mod tuning;
mod values;

pub use error::OptionError;
pub use row::{Action, LONGEST_PATH, OptionRow, OptionType, OptionValue, Retry};
pub use table::{all, find, find_in, rows, same_name};
#[cfg(feature = "tuning")]
pub use tuning::Tuning;
pub use values::{BookOptions, EvaluationKind, Options, SyzygyOptions, check};
