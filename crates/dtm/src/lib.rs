//! Distance-to-mate tables: generator, file, probe and verifier.

mod endgame;
mod error;
mod format;
mod generate;
mod layout;
mod moves;
mod solve;
mod solved;
mod summary;
mod table;
mod tables;
mod value;
mod verify;
mod work;

pub use endgame::{Endgame, EndgameError, MAX_DTM_MEN};
pub use error::{DtmError, GenerateError};
pub use generate::{Generated, Generator, Step};
pub use summary::{SideSummary, TableSummary};
pub use tables::{DtmConfig, DtmMove, DtmTables};
pub use value::Dtm;
pub use verify::{Coverage, Verified, VerifyError, WrongValue};
