//! The xboard/Winboard engine `bartizan-xboard`.
//!
//! It speaks the Chess Engine Communication Protocol, version 2. With `-t`, it prints a trace in lines that begin with
//! `#`. Run interactively, it prints a banner; `help` lists the commands.

mod args;
mod clock;
mod features;
mod memory;
mod moves;
mod resign_draw;
mod xboard;

use crate::args::{Action, Args};
use crate::xboard::Xboard;
use bartizan_engine::NAME;
use bartizan_frontend::console::command_names;
use bartizan_frontend::{FrontEnd, open_terminal, run, run_interactive};
use std::io::{IsTerminal, stdin};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let (mut output, editor) = open_terminal("> ", command_names::<Xboard>());
    let args = match Args::parse(words) {
        Ok(Action::Run(args)) => args,
        Ok(Action::Help) => {
            output.line(args::HELP);
            return written(output.is_closed());
        }
        Ok(Action::Version) => {
            output.line(format_args!("bartizan-xboard {}", env!("CARGO_PKG_VERSION")));
            return written(output.is_closed());
        }
        Err(error) => {
            output.complain(format_args!("error: {error}; try --help"));
            return ExitCode::from(2);
        }
    };
    let mut xboard = Xboard::new(output, args.trace);
    if let Err(error) = xboard.configure(&args) {
        xboard.complain(format_args!("error: {error}"));
        return ExitCode::from(2);
    }
    if stdin().is_terminal() {
        xboard.expect_typing();
        xboard.print(format_args!("{NAME}. Chess engine for xboard and WinBoard; type help for commands."));
    }
    match editor {
        Some(editor) => run_interactive(&mut xboard, editor),
        None => {
            xboard.session().listen_for_interrupts();
            run(&mut xboard, stdin());
        }
    }
    written(xboard.is_closed())
}

/// The exit code, depending on whether the output could be written.
fn written(is_closed: bool) -> ExitCode {
    if is_closed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
