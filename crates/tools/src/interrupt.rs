//! Ctrl-C: the first one ends the program at the next safe point, the second one at once.

use bartizan_match::StopHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The user's wish to end the program.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the handler for Ctrl-C and SIGTERM. A program may call this once.
    ///
    /// # Errors
    /// If the handler cannot be installed.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let shared = interrupt.clone();
        ctrlc::set_handler(move || {
            // Relaxed: the flag publishes no other data.
            if shared.0.swap(true, Relaxed) {
                #[allow(clippy::exit)] // The second Ctrl-C ends the program at once.
                std::process::exit(130);
            }
        })?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// A handle by which this stops a match.
    pub fn stop_handle(&self) -> StopHandle {
        self.0.clone().into()
    }
}
