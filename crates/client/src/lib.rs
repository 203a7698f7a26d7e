//! Drives chess engines by UCI and xboard (CECP), with a deadline on everything: it stands under match runners and
//! EPD runners.
//!
//! ```no_run
//! use bartizan_client::{Client, Clocks, EngineConfig, GoLimits, Protocol, Timeouts};
//! use bartizan_position::Game;
//! use std::time::{Duration, Instant};
//!
//! let config = EngineConfig {
//!     options: vec![("Hash".to_owned(), "64".to_owned())],
//!     ..EngineConfig::new("stockfish", Protocol::Uci)
//! };
//! let mut engine = Client::start(&config, &Timeouts::default(), None)?;
//! engine.new_game(false)?;
//!
//! let mut game = Game::default();
//! let limits = GoLimits::clock(Clocks::both(Duration::from_secs(10), Duration::from_millis(100)));
//! let deadline = Instant::now() + Duration::from_secs(11);
//! let answer = engine.search(&game, &limits, deadline, |info| drop(info.clone()))?;
//! match answer.mv {
//!     Some(mv) => game.push(mv)?,
//!     None => panic!("{} plays `{}`, which is not legal", engine.name(), answer.text),
//! }
//! engine.quit()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * Every wait ends: at an answer, at its deadline ([`ClientError::Timeout`]), or at once when the engine has ended
//!   ([`ClientError::Died`], with what it last said on its error output).
//! * Times are taken in the thread that reads, right after a line has come, so that they do not depend on when the
//!   caller gets round to it; writing happens in a thread too, so that an engine that does not read cannot hold the
//!   caller up.
//! * A move is legal or is not reported as one. Whatever else an engine prints is an [`Event::Other`], never an error.
//! * After an error the engine's state is unknown: drop the [`Client`], which kills the process and (on Unix) all
//!   that it has started, and start it again.
#![deny(missing_docs)]

mod client;
mod config;
mod error;
mod event;
mod limits;
mod lines;
mod link;
mod move_text;
mod option;
mod process;
mod uci;
mod xboard;

pub use bartizan_protocol::uci::{ScoreBound as Bound, ScoreKind as Score};
pub use bartizan_protocol::xboard::GameResult;
pub use client::Client;
pub use config::{EngineConfig, Protocol, Timeouts};
pub use error::ClientError;
pub use event::{Answer, BestMove, Event, Info, ResultClaim};
pub use limits::{Clocks, GoLimits};
pub use link::{Direction, Log};
