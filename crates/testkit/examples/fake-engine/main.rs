//! An engine for tests. It plays pseudo-random legal moves and misbehaves on demand; `--help` lists how.

mod faults;
mod player;
mod uci;
mod xboard;

use faults::Faults;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = io::stdout();
    let faults = match Faults::parse(std::env::args().skip(1)) {
        Ok(Some(faults)) => faults,
        Ok(None) => {
            let _ = out.write_all(faults::HELP.as_bytes());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            return ExitCode::from(2);
        }
    };
    let result = if faults.xboard { xboard::run(faults, &mut out) } else { uci::run(faults, &mut out) };
    // An error means that the client has closed the pipe.
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes a line and flushes it.
fn write_line(out: &mut impl Write, line: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
}
