//! A log of the lines exchanged with an engine.

use std::fmt::{self, Display};
use std::sync::{Arc, Mutex, PoisonError};

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogDirection {
    /// From the client to the engine.
    ToEngine,
    /// From the engine to the client.
    FromEngine,
}

/// `>` for lines to the engine, `<` for lines from it.
impl Display for LogDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ToEngine => ">",
            Self::FromEngine => "<",
        })
    }
}

/// Receives every line exchanged with an engine. Clones share the receiver.
///
/// See [`EngineConfig::log`](crate::EngineConfig::log).
#[derive(Clone)]
pub struct Log(Arc<Mutex<Receive>>);

type Receive = dyn FnMut(LogDirection, &str) + Send;

impl Log {
    /// A log that calls `receive` with every line.
    pub fn new(receive: impl FnMut(LogDirection, &str) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(receive)))
    }

    pub(crate) fn write(&self, direction: LogDirection, line: &str) {
        let mut receive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        receive(direction, line);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").finish_non_exhaustive()
    }
}
