//! The UCI engine `bartizan`, and its console.
//!
//! Through a pipe it speaks UCI and prints nothing unprompted; at the end of the input it completes tasks that end by
//! themselves, and exits. Run interactively, it prints a banner; `help` lists the commands. Arguments form one command:
//! the program runs it to its end and exits; `play` is a game against the engine, `review` reviews a game of a file. If
//! the first argument contains a space, each argument is a command. `--config FILE` before them names a settings file,
//! and with `--no-config` no other one is read. Ctrl-C stops a search that the command line has started: it answers,
//! and the program ends.

mod traced;
mod typed;
mod uci;

use crate::uci::Uci;
use bartizan_engine::{AUTHOR, NAME};
use bartizan_frontend::console::{command_names, is_command};
use bartizan_frontend::{
    FileSettings, FrontEnd, InteractiveGame, Interrupt, Output, ReviewCommand, ReviewStep, TerminalStyle,
    exit_on_interrupt, open_terminal, run_command, run_interactive, run_to_end,
};
use bartizan_types::Excerpt;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let (files, words) = match take_files(&words) {
        Ok(parts) => parts,
        Err(error) => return refuse(error),
    };
    let read =
        if files.has_personal && !must_be_same_everywhere(words) { FileSettings::find } else { FileSettings::only };
    match read(files.config) {
        Ok(settings) => start(&settings, words),
        Err(error) => refuse(error),
    }
}

/// Reports invalid arguments.
fn refuse(error: impl Display) -> ExitCode {
    Output::new(stdout(), stderr()).complain(format_args!("error: {error}"));
    ExitCode::from(2)
}

fn start(settings: &FileSettings, words: &[String]) -> ExitCode {
    if let [command, arguments @ ..] = words
        && command == "play"
    {
        return play(settings, arguments);
    }
    if let [command, arguments @ ..] = words
        && command == "review"
    {
        return review(arguments);
    }
    if let Some(option) = words.first().filter(|word| word.starts_with('-') && command_of(word).is_none()) {
        return refuse(format_args!("unknown option '{}'; try --help", Excerpt::new(option)));
    }
    let (output, editor) = open_terminal("> ", command_names::<Uci>());
    let mut uci = Uci::new(output, settings);
    if !words.is_empty() {
        uci.expect_typing();
        let interrupt = Interrupt::listen(uci.session().interrupter());
        for line in command_lines(words) {
            run_command(&mut uci, &line);
            if uci.session().is_over() || uci.lacks_position() || interrupt.is_set() {
                break;
            }
        }
        return ended(uci.has_failed());
    }
    if stdin().is_terminal() {
        uci.expect_typing();
        uci.print(format_args!("{NAME} by {AUTHOR}. UCI chess engine for chess GUIs; type help for commands."));
    }
    match editor {
        Some(editor) => run_interactive(&mut uci, editor),
        None => {
            uci.session().listen_for_interrupts();
            run_to_end(&mut uci, stdin());
        }
    }
    ended(uci.is_closed())
}

/// The exit code of a program that succeeded or failed.
fn ended(has_failed: bool) -> ExitCode {
    if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A game in the terminal.
fn play(settings: &FileSettings, arguments: &[String]) -> ExitCode {
    let (mut output, editor) = open_terminal("> ", InteractiveGame::command_names());
    if let [word] = arguments
        && ["help", "--help", "-h"].contains(&word.as_str())
    {
        output.line(format_args!(
            "Play a game against the engine.\n\n{}\n\n{}",
            InteractiveGame::USAGE,
            InteractiveGame::HELP
        ));
        return ended(output.is_closed());
    }
    let mut play = match InteractiveGame::new(output, settings, arguments) {
        Ok(play) => play,
        Err(error) => return refuse(error),
    };
    play.start();
    match editor {
        Some(editor) => run_interactive(&mut play, editor),
        None => {
            play.session().listen_for_interrupts();
            run_to_end(&mut play, stdin());
        }
    }
    ended(play.session().output.is_closed())
}

/// The review of a game. A signal ends the program at once: nothing is written but the finished review.
fn review(arguments: &[String]) -> ExitCode {
    let mut output = Output::new(stdout(), stderr()).with_style(TerminalStyle::of_stdout());
    if let [word] = arguments
        && ["help", "--help", "-h"].contains(&word.as_str())
    {
        output.line(format_args!("Review a game.\n\n{}\n\n{}", ReviewCommand::USAGE, ReviewCommand::HELP));
        return ended(output.is_closed());
    }
    let command = match ReviewCommand::parse(arguments) {
        Ok(command) => command,
        Err(error) => return refuse(error),
    };
    exit_on_interrupt();
    let reviewed = command.run(&mut output, progress());
    if let Err(error) = &reviewed {
        output.complain(format_args!("error: {error}"));
    }
    ended(reviewed.is_err() || output.is_closed())
}

/// Shows the progress of a review on standard error, if that is a terminal.
fn progress() -> impl FnMut(ReviewStep) {
    let is_shown = stderr().is_terminal();
    move |step| {
        if is_shown {
            let (what, done, total) = match step {
                ReviewStep::Positions { done, total } => ("positions", done, total),
                ReviewStep::Details { done, total } => ("reasons", done, total),
            };
            let text = if done < total { format!("{done} of {total} {what}") } else { String::new() };
            // The last text of a line clears it. Without a terminal there is nothing to do.
            let _ = write!(stderr(), "\r{text:30}\r{text}").and_then(|()| stderr().flush());
        }
    }
}

/// The settings files to read.
struct Files<'a> {
    /// The one named on the command line.
    config: Option<&'a Path>,
    /// Whether to read those beside the program and in the user's folder.
    has_personal: bool,
}

/// The settings files, from the options at the beginning of the command line, and the remaining words.
fn take_files(mut words: &[String]) -> Result<(Files<'_>, &[String]), &'static str> {
    let mut files = Files { config: None, has_personal: true };
    while let [option, rest @ ..] = words {
        let unread = words;
        words = rest;
        match option.strip_prefix("--config=") {
            Some(file) => files.config = Some(Path::new(file)),
            None if option == "--config" => {
                let (file, rest) = rest.split_first().ok_or("'--config' needs a file")?;
                (files.config, words) = (Some(Path::new(file)), rest);
            }
            None if option == "--no-config" => files.has_personal = false,
            None => return Ok((files, unread)),
        }
    }
    Ok((files, words))
}

/// Whether the words contain a command whose output is compared between machines, and which a user's settings must not
/// change.
fn must_be_same_everywhere(words: &[String]) -> bool {
    let name = |line: &String| line.split_whitespace().next().unwrap_or_default().to_lowercase();
    command_lines(words).iter().any(|line| ["bench", "genfens"].contains(&name(line).as_str()))
}

/// The commands of the command line. If the first argument contains a space, each argument is a whole command:
/// OpenBench starts `bartizan "genfens 8 seed 1 book None" "quit"`. Otherwise the arguments are the words of one
/// command; `--help` and others work as in other programs. Console commands accept file names with spaces in quotation
/// marks.
fn command_lines(words: &[String]) -> Vec<String> {
    let first = words.first().map_or("", String::as_str);
    let has_blank = |word: &str| word.contains(char::is_whitespace);
    match command_of(first) {
        Some(command) => vec![command.to_owned()],
        None if has_blank(first) => words.to_vec(),
        None if is_command::<Uci>(first) => {
            let quoted = words.iter().map(|word| if has_blank(word) { format!("\"{word}\"") } else { word.clone() });
            vec![quoted.collect::<Vec<_>>().join(" ")]
        }
        None => vec![words.join(" ")],
    }
}

/// The command that a command-line option stands for.
fn command_of(option: &str) -> Option<&'static str> {
    match option {
        "--help" | "-h" => Some("help"),
        "--version" | "-V" | "-v" => Some("version"),
        "--license" => Some("license"),
        _ => None,
    }
}
