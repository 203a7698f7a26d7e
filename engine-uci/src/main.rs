//! The UCI engine `bartizan`, and its console.
//!
//! Through a pipe it speaks UCI and says nothing unprompted; in a terminal it greets and `help` explains. Words on the
//! command line are one command: it is done, and the program ends. `--config FILE` before them names a settings file.

mod console;
mod output;
mod session;
mod translate;

use crate::output::Output;
use crate::session::Session;
use bartizan_engine::Settings;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let (config, words) = match take_config(&words) {
        Ok(parts) => parts,
        Err(error) => {
            Output::complain(error);
            return ExitCode::from(2);
        }
    };
    let mut session = Session::new(Output::new());
    session.configure(&Settings::find(config.map(Path::new)));
    if words.is_empty() {
        if std::io::stdin().is_terminal() {
            session.greet();
        }
        session.run(&bartizan_engine::read_lines(std::io::stdin()))
    } else {
        session.run_once(&command_line(words))
    }
}

/// The settings file that comes first on the command line, if one does, and the words behind it.
fn take_config(words: &[String]) -> Result<(Option<&str>, &[String]), &'static str> {
    match words {
        [option, rest @ ..] if option == "--config" => match rest {
            [file, rest @ ..] => Ok((Some(file), rest)),
            [] => Err("--config needs a file"),
        },
        [option, rest @ ..] => Ok(match option.strip_prefix("--config=") {
            Some(file) => (Some(file), rest),
            None => (None, words),
        }),
        [] => Ok((None, words)),
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
