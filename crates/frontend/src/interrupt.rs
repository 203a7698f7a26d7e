//! Ctrl-C, SIGTERM and SIGHUP.

use crate::Interrupter;
use crate::terminal::Mode;
use bartizan_engine::StopFlag;
use std::time::{Duration, Instant};

/// Exit code of a program ended by SIGINT: 128 + 2. SIGTERM and SIGHUP give the same.
const INTERRUPTED: i32 = 130;

/// Signals within this time after the first count as one: `timeout`, for example, signals the program and then its
/// group, to which the program belongs.
const SAME_WISH: Duration = Duration::from_millis(500);

/// The user's interrupts of a program that runs the commands of its command line.
#[derive(Debug)]
pub struct Interrupt(StopFlag);

impl Interrupt {
    /// Installs a handler: the first signal stops a search or a test suite; one that comes at least half a second later
    /// ends the program at once, as does the first if there is nothing to stop. If the system refuses the handler, each
    /// signal ends the program.
    pub fn listen(interrupter: Interrupter) -> Self {
        let stop = StopFlag::new();
        let interrupt = Self(stop.clone());
        let mut first: Option<Instant> = None;
        handle(move || match first {
            Some(first) if first.elapsed() < SAME_WISH => {}
            Some(_) => exit(),
            None => {
                first = Some(Instant::now());
                stop.stop();
                if !interrupter.interrupt() {
                    exit();
                }
            }
        });
        interrupt
    }

    /// Whether a signal has come.
    pub fn is_set(&self) -> bool {
        self.0.is_stopped()
    }
}

/// Makes a signal end the program at once, with exit code 130.
pub fn exit_on_interrupt() {
    handle(|| exit());
}

/// Makes a signal stop the task, or end the program if there is none or if it is busy with something else.
pub(crate) fn stop_or_exit(interrupter: Interrupter) {
    handle(move || {
        if !interrupter.interrupt() {
            exit();
        }
    });
}

/// Makes a signal end the program, with the terminal in this mode.
pub(crate) fn exit_in_mode(mode: Mode) {
    handle(move || {
        mode.restore();
        exit();
    });
}

fn handle(handler: impl FnMut() + Send + 'static) {
    // If the system refuses it, each signal ends the program.
    let _: Result<(), ctrlc::Error> = ctrlc::set_handler(handler);
}

#[allow(clippy::exit)] // There is nothing to wait for.
fn exit() -> ! {
    std::process::exit(INTERRUPTED);
}
