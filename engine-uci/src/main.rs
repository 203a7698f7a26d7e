//! The UCI engine `bartizan`, and its console.
//!
//! Through a pipe it speaks UCI and says nothing unprompted; in a terminal it greets and `help` explains. Words on the
//! command line are one command: it is done, and the program ends.

mod console;
mod input;
mod output;
mod perft;
mod session;
mod translate;

use crate::output::Output;
use crate::session::Session;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let mut session = Session::new(Output::new());
    if words.is_empty() {
        if std::io::stdin().is_terminal() {
            session.greet();
        }
        session.run(&input::lines())
    } else {
        session.run_once(&command_line(&words))
    }
}

/// The words of the command line as one command; `--help` and its kind are written as others write them.
fn command_line(words: &[String]) -> String {
    match words.first().map(String::as_str) {
        Some("--help" | "-h") => "help".to_owned(),
        Some("--version" | "-V") => "version".to_owned(),
        Some("--license") => "license".to_owned(),
        _ => words.join(" "),
    }
}
