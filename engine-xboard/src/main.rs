//! The xboard/Winboard engine `bartizan-xboard`.
//!
//! It speaks the Chess Engine Communication Protocol, version 2. With `-t` it says what it does in lines that begin with
//! `#`; in a terminal `help` lists the words for people.

mod args;
mod clock;
mod console;
mod features;
mod manners;
mod memory;
mod moves;
mod opponent;
mod output;
mod play;
mod session;
mod task;

use crate::args::{Action, Args};
use crate::output::Output;
use crate::session::Session;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let mut output = Output::new();
    let args = match Args::parse(words) {
        Ok(Action::Run(args)) => args,
        Ok(Action::Help) => {
            output.line(args::HELP);
            return ExitCode::SUCCESS;
        }
        Ok(Action::Version) => {
            output.line(format_args!("bartizan-xboard {}", env!("CARGO_PKG_VERSION")));
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            output.complain(&format!("{error}; try --help"));
            return ExitCode::from(2);
        }
    };
    let mut session = Session::new(output, args.trace);
    if let Err(error) = session.configure(&args) {
        session.output.complain(&error.to_string());
        return ExitCode::from(2);
    }
    if std::io::stdin().is_terminal() {
        session.greet();
    }
    session.run(&bartizan_engine::read_lines(std::io::stdin()))
}
