//! The mode of the terminal, which the line editor changes while it reads.

#[cfg(unix)]
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
#[cfg(unix)]
use nix::unistd::{getpgrp, tcgetpgrp};

/// The mode in which a terminal was.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    #[cfg(unix)]
    termios: Option<Termios>,
}

impl Mode {
    /// The current mode of the terminal that is the standard input.
    pub(super) fn of_stdin() -> Self {
        Self {
            #[cfg(unix)]
            termios: tcgetattr(std::io::stdin()).ok(),
        }
    }

    /// Restores this terminal mode, if the terminal still exists. A program in the background must not change it.
    pub(crate) fn restore(&self) {
        #[cfg(unix)]
        if let Some(termios) = &self.termios
            && tcgetpgrp(std::io::stdin()) == Ok(getpgrp())
        {
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, termios);
        }
    }
}
