//! Which engine to start, how to set it up, and how long to wait for it.

use crate::{Log, LogDirection};
use bartizan_types::Variant;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The protocol that an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The Chess Engine Communication Protocol of xboard and WinBoard.
    Xboard,
}

impl Protocol {
    /// The other protocol.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Uci => Self::Xboard,
            Self::Xboard => Self::Uci,
        }
    }
}

/// `uci` or `xboard`.
impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Uci => "uci",
            Self::Xboard => "xboard",
        })
    }
}

/// The name of a program: its file name without a program or script extension such as `.exe` or `.py`. Other dots
/// belong to the name, as in `engine-1.2`.
///
/// ```
/// use bartizan_client::program_name;
///
/// assert_eq!(program_name("/opt/engine-1.2.exe".as_ref()), "engine-1.2");
/// ```
pub fn program_name(command: &Path) -> String {
    let name = command.file_name().unwrap_or_default().to_string_lossy();
    let is_program = |ending: &str| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_program(ending) => stem.to_owned(),
        _ => name.into_owned(),
    }
}

/// The extensions of programs and scripts.
const ENDINGS: [&str; 10] = ["exe", "com", "bat", "cmd", "ps1", "sh", "py", "pl", "rb", "jar"];

/// How to start an engine and set it up.
///
/// ```no_run
/// use bartizan_client::EngineConfig;
///
/// let config = EngineConfig::uci("./engine").arg("--net=big.nnue").directory("/opt/engine").option("Hash", 64);
/// let engine = config.log(|direction, line| eprintln!("{direction} {line}")).start()?;
/// # Ok::<(), bartizan_client::ClientError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct EngineConfig {
    /// The name to use instead of the engine's own.
    pub name: Option<String>,
    /// The program: a name to look up in `PATH`, or a path. A relative path is relative to the caller's working
    /// directory.
    pub command: PathBuf,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The engine's working directory; by default the caller's.
    pub directory: Option<PathBuf>,
    /// The protocol that the engine speaks.
    pub protocol: Protocol,
    /// Options and their values, set in this order. See [`Client::set_option`](crate::Client::set_option).
    pub options: Vec<(String, String)>,
    /// The variant of the games. An engine that does not support it is rejected when it starts.
    pub variant: Variant,
    /// How long to wait for the engine.
    pub timeouts: Timeouts,
    /// Receives every line that is sent or received.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub log: Option<Log>,
    /// Ends every wait for the engine when set. See [`EngineConfig::cancel`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub cancel: Option<Arc<AtomicBool>>,
}

impl EngineConfig {
    /// An engine that speaks `protocol`, without arguments and options.
    pub fn new(command: impl Into<PathBuf>, protocol: Protocol) -> Self {
        Self { command: command.into(), protocol, ..Self::default() }
    }

    /// A UCI engine.
    pub fn uci(command: impl Into<PathBuf>) -> Self {
        Self::new(command, Protocol::Uci)
    }

    /// An xboard engine.
    pub fn xboard(command: impl Into<PathBuf>) -> Self {
        Self::new(command, Protocol::Xboard)
    }

    /// Sets the name to use instead of the engine's own.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the engine's working directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Adds an option. See [`Client::set_option`](crate::Client::set_option).
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.options.push((name.into(), value.to_string()));
        self
    }

    /// Sets the variant of the games.
    #[must_use]
    pub fn variant(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// Sets how long to wait for the engine.
    #[must_use]
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Calls `log` with every line, when it is sent and when the client takes it from the queue of received lines.
    #[must_use]
    pub fn log(mut self, log: impl FnMut(LogDirection, &str) + Send + 'static) -> Self {
        self.log = Some(Log::new(log));
        self
    }

    /// Ends every wait for an engine's line with [`ClientError::Cancelled`](crate::ClientError::Cancelled), within
    /// about a tenth of a second after `flag` is set, for example by a signal handler.
    ///
    /// ```no_run
    /// use bartizan_client::{ClientError, EngineConfig, Limits};
    /// use bartizan_position::Game;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    ///
    /// let flag = Arc::new(AtomicBool::new(false));
    /// let mut engine = EngineConfig::uci("stockfish").cancel(flag.clone()).start()?;
    /// std::thread::spawn(move || flag.store(true, Relaxed));
    /// let reply = engine.play(&Game::default(), &Limits::depth(60));
    /// assert!(matches!(reply, Err(ClientError::Cancelled { .. })));
    /// # Ok::<(), bartizan_client::ClientError>(())
    /// ```
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }
}

/// How long to wait for an engine.
///
/// The wait for a move ends `margin` after the time that the limits of the search allow. A search limited only by depth
/// or nodes, or not at all, may take any time, but the engine must not be silent for longer than `silence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
#[non_exhaustive]
pub struct Timeouts {
    /// For answers that need no search: the handshake, `isready`, a new game, and the move after `stop`. 10 s.
    pub answer: Duration,
    /// Added to the time of a search, for the operating system and for engines that overstep their time. 5 s.
    pub margin: Duration,
    /// The maximum silence in a search without a time limit. 1 h.
    pub silence: Duration,
    /// From `quit` until the process is killed. 2 s.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let [answer, margin, silence, quit] = [10, 5, 3_600, 2].map(Duration::from_secs);
        Self { answer, margin, silence, quit }
    }
}

impl Timeouts {
    /// The same, with another limit for answers that need no search.
    #[must_use]
    pub fn with_answer(self, answer: Duration) -> Self {
        Self { answer, ..self }
    }

    /// The same, with another margin beyond the time of a search.
    #[must_use]
    pub fn with_margin(self, margin: Duration) -> Self {
        Self { margin, ..self }
    }

    /// The same, with another limit for silence in a search without a time limit.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// The same, with another limit for the end of the process.
    #[must_use]
    pub fn with_quit(self, quit: Duration) -> Self {
        Self { quit, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_keeps_its_version() {
        for (command, name) in [
            ("./eng-1.2", "eng-1.2"),
            ("/x.y/stockfish", "stockfish"),
            ("engine-1.3.EXE", "engine-1.3"),
            ("run.engine.py", "run.engine"),
            (".sh", ".sh"),
            ("..", ""),
        ] {
            assert_eq!(program_name(Path::new(command)), name);
        }
    }
}
