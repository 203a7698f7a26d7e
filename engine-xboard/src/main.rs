//! The xboard/Winboard engine `bartizan-xboard`.
//!
//! It does not play yet, and says so in the words of the protocol: a GUI that starts it gets an error message to show
//! and not a hung engine. Until then the UCI engine can be used from xboard: `xboard -fUCI -fcp bartizan`.
#![allow(clippy::print_stdout)] // A program for the terminal: printing is its output.

use std::io::{BufRead, Write};

const MESSAGE: &str = "bartizan-xboard does not play yet; use the UCI engine: xboard -fUCI -fcp bartizan";

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("--version" | "-V") => {
            return writeln!(std::io::stdout(), "bartizan-xboard {}", env!("CARGO_PKG_VERSION"));
        }
        Some("--help" | "-h") => return writeln!(std::io::stdout(), "{MESSAGE}"),
        _ => {}
    }
    let mut stdout = std::io::stdout();
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split_whitespace();
        match words.next() {
            Some("quit") => break,
            Some("protover") => {
                writeln!(stdout, "feature myname=\"{}\" sigint=0 sigterm=0 done=1", bartizan_engine::NAME)?;
            }
            // Everything that would make it play.
            Some("new" | "go" | "setboard" | "usermove" | "analyze") => writeln!(stdout, "tellusererror {MESSAGE}")?,
            Some("ping") => writeln!(stdout, "pong {}", words.next().unwrap_or("0"))?,
            _ => {}
        }
        stdout.flush()?;
    }
    Ok(())
}
