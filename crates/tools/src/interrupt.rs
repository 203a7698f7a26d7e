//! Ctrl-C: asked for once, obeyed at the next good moment; a second one ends the program at once.

use bartizan_match::StopHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the user wants the program to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C (and SIGTERM). Call once in a program.
    ///
    /// # Errors
    /// When the system does not let us listen.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        ctrlc::set_handler(move || {
            // Relaxed: the flag says "soon" and publishes nothing else.
            if heard.0.swap(true, Relaxed) {
                #[allow(clippy::exit)] // The second Ctrl-C means now.
                std::process::exit(130);
            }
        })?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C came.
    pub fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// A handle by which this stops a match.
    pub fn stop_handle(&self) -> StopHandle {
        self.0.clone().into()
    }
}
