//! The integration tests in one program: to link one for each file would take longer than to run them.

mod common;
#[cfg(unix)]
mod process;
mod uci;
mod xboard;
