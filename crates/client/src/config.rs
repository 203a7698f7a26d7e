//! Which engine to start, and how long to wait for it.

use std::path::PathBuf;
use std::time::Duration;

/// What an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol, of xboard and WinBoard.
    Xboard,
}

/// How to start an engine and set it up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct EngineConfig {
    /// What to call it; by default what it calls itself.
    pub name: Option<String>,
    /// The program: a name looked for in `PATH`, or a path, which if relative begins at the caller's working directory.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory it runs in; by default the caller's.
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Options and their values, set in this order. Each must be declared by the engine. A button is pressed by an empty
    /// value. `Hash`, `Threads` and `SyzygyPath` become `memory`, `cores` and `egtpath` for xboard engines.
    pub options: Vec<(String, String)>,
    /// Whether it will play Chess960, so that an engine that cannot is refused at its start.
    pub chess960: bool,
}

impl EngineConfig {
    /// A program without arguments and options.
    pub fn new(command: impl Into<PathBuf>, protocol: Protocol) -> Self {
        Self { command: command.into(), protocol, ..Self::default() }
    }
}

/// How long to wait for answers other than moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Timeouts {
    /// From the start of the program until it has named itself and its options, and again until these are set: 10 s.
    pub handshake: Duration,
    /// For the answer to a ping, and to `stop`: 10 s.
    pub ping: Duration,
    /// Until it is ready for a new game: 10 s.
    pub new_game: Duration,
    /// From `quit` until it is killed: 2 s.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let ten = Duration::from_secs(10);
        Self { handshake: ten, ping: ten, new_game: ten, quit: Duration::from_secs(2) }
    }
}
