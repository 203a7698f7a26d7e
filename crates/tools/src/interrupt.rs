//! Ctrl-C, SIGTERM and SIGHUP: the first one ends the program at the next safe point, one that comes half a second
//! later ends it at once, with its engines.

use anyhow::Context;
use bartizan_parallel::StopFlag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Exit code of a program ended by SIGINT: 128 + 2. SIGTERM and SIGHUP give the same.
pub const INTERRUPTED: u8 = 130;

/// Signals within this time after the first count as one: `timeout`, for example, signals the program and then its
/// group, to which the program belongs.
const SAME_WISH: Duration = Duration::from_millis(500);

/// The error of a command that was interrupted before it had a result.
#[derive(Debug)]
pub struct Interrupted(pub(crate) String);

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The user's wish to end the program.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(StopFlag);

impl Interrupt {
    /// Installs the handler for Ctrl-C, SIGTERM and SIGHUP. May be called only once.
    ///
    /// # Errors
    /// If the handler cannot be installed.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let shared = interrupt.clone();
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                shared.0.stop();
            }
            Some(first) if first.elapsed() < SAME_WISH => {}
            Some(_) => {
                // They do not receive the signal.
                bartizan_client::kill_all();
                #[allow(clippy::exit)] // The second Ctrl-C ends the program at once.
                std::process::exit(INTERRUPTED.into());
            }
        })
        .context("cannot listen for signals")?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed, or another signal requested the end.
    pub fn is_set(&self) -> bool {
        self.0.is_stopped()
    }

    /// The flag itself, which ends the wait for an engine.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.flag()
    }

    /// The stop request in the libraries' form.
    pub fn stop(&self) -> StopFlag {
        self.0.clone()
    }
}
