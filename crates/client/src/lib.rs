#![doc = include_str!("../README.md")]
//!
//! The client sets the engine's options, gets several best lines, and stops an infinite analysis:
//!
//! ```no_run
//! use bartizan_client::{EngineConfig, Limits};
//! use bartizan_position::Game;
//!
//! let config = EngineConfig::uci("stockfish").option("Hash", 64).option("MultiPV", 3);
//! let mut engine = config.start()?;
//! println!("{} by {}", engine.name(), engine.author().unwrap_or("unknown authors"));
//! for option in engine.options() {
//!     println!("{option}");
//! }
//!
//! let mut analysis = engine.analyse(&Game::default(), &Limits::infinite())?;
//! for info in &mut analysis {
//!     if info?.depth >= Some(20) {
//!         break;
//!     }
//! }
//! for line in analysis.stop()?.lines {
//!     println!("{:?} {}", line.score, line.pv_text);
//! }
//! engine.quit()?;
//! # Ok::<(), bartizan_client::ClientError>(())
//! ```
//!
//! * Every wait has a deadline, which follows from the limits of the search and from [`Timeouts`]. An engine that
//!   misses it is reported as [`ClientError::Timeout`], one that exits as [`ClientError::Exited`] with the end of its
//!   standard error.
//! * The thread that reads the engine's output records the time of a move as soon as the line arrives, whenever the
//!   caller asks for it. Another thread writes, so an engine that does not read its input cannot block the caller.
//! * Moves are checked: the client never reports an illegal move as a move. Unknown lines are [`EngineEvent::Other`],
//!   not errors.
//! * After a timeout or an exit, drop the [`Client`] and start the engine again. Dropping it kills the process and, on
//!   Unix, every process that the engine has started.

mod analysis;
mod client;
mod config;
mod error;
mod event;
mod limits;
mod lines;
mod link;
mod log;
mod move_text;
mod option;
mod process;
mod reply;
mod running;
mod search;
mod spec;
mod uci;
mod xboard;

pub use analysis::RunningAnalysis;
pub use bartizan_protocol::uci::{OptionDecl, same_option_name};
pub use bartizan_protocol::{OptionKind, Score};
pub use bartizan_types::{Bound, Clock, Clocks, GameResult, Limits, Variant};
pub use client::Client;
pub use config::{EngineConfig, Protocol, Timeouts, program_name};
pub use error::{ClientError, OptionError};
pub use event::{BestMove, EngineEvent, Info, ResultClaim};
pub use limits::{EngineLimits, LimitsError, TimeControl, TimeControlError};
pub use log::{Log, LogDirection};
pub use process::kill_all;
pub use reply::{Action, Reply};
pub use spec::{EngineProblem, EngineSpec, EngineSpecError, EngineSpecErrorKind, ValueError};
