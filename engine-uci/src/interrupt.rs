//! Ctrl-C, SIGTERM and SIGHUP while the commands of the command line run.

use bartizan_frontend::Interrupter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Exit code of a program that was ended by SIGINT: 128 + 2. SIGTERM and SIGHUP give the same.
const INTERRUPTED: i32 = 130;

/// The user's wish to end the program.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs a handler: the first signal stops a search or a test suite, the second one ends the program at once, as
    /// does the first where there is neither. Where the system refuses the handler, each signal ends the program.
    pub(crate) fn listen(interrupter: Interrupter) -> Self {
        let interrupt = Self(Arc::default());
        let is_set = Arc::clone(&interrupt.0);
        let handler = move || {
            // Relaxed: the flag publishes no other data.
            if is_set.swap(true, Relaxed) || !interrupter.interrupt() {
                #[allow(clippy::exit)] // There is nothing to wait for.
                std::process::exit(INTERRUPTED);
            }
        };
        let _: Result<(), ctrlc::Error> = ctrlc::set_handler(handler);
        interrupt
    }

    /// Whether a signal has come.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Relaxed)
    }
}
