//! The UCI engine `bartizan`, and its console.
//!
//! Through a pipe it speaks UCI and prints nothing unasked. Run interactively, it prints a banner; `help` lists the
//! commands. Arguments are one command: it is run to its end, and the program exits. `--config FILE` before them names a
//! settings file.

mod translate;
mod uci;

use crate::uci::Uci;
use bartizan_engine::{AUTHOR, NAME};
use bartizan_frontend::{Output, Settings, run, run_command};
use std::io::{IsTerminal, stderr, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let mut output = Output::new(stdout(), stderr());
    let (config, words) = match take_config(&words) {
        Ok(parts) => parts,
        Err(error) => {
            output.complain(format_args!("error: {error}"));
            return ExitCode::from(2);
        }
    };
    let mut uci = Uci::new(output, &Settings::find(config.map(Path::new)));
    if !words.is_empty() {
        run_command(&mut uci, &command_line(words));
        return if uci.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    if stdin().is_terminal() {
        uci.print(format_args!("{NAME} by {AUTHOR}. A UCI engine: add it to a chess program, or type help."));
    }
    run(&mut uci, stdin());
    ExitCode::SUCCESS
}

/// The settings file at the beginning of the command line, if there is one, and the words after it.
fn take_config(words: &[String]) -> Result<(Option<&str>, &[String]), &'static str> {
    match words {
        [option, rest @ ..] if option == "--config" => match rest {
            [file, rest @ ..] => Ok((Some(file), rest)),
            [] => Err("'--config' needs a file"),
        },
        [option, rest @ ..] => Ok(match option.strip_prefix("--config=") {
            Some(file) => (Some(file), rest),
            None => (None, words),
        }),
        [] => Ok((None, words)),
    }
}

/// The words of the command line as one command; `--help` and others work as in other programs.
fn command_line(words: &[String]) -> String {
    match words.first().map(String::as_str) {
        Some("--help" | "-h") => "help".to_owned(),
        Some("--version" | "-V") => "version".to_owned(),
        Some("--license") => "license".to_owned(),
        _ => words.join(" "),
    }
}
