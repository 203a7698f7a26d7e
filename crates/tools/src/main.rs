//! `bartizan-tools`: see `--help`.

use anyhow::Context;
use bartizan_client::EngineSpecErrorKind;
use bartizan_match::EngineSpec;
use bartizan_tools::cli::Cli;
use bartizan_tools::interrupt::{INTERRUPTED, Interrupt, Interrupted};
use bartizan_tools::output::OutputError;
use bartizan_types::{Escaped, Excerpt};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser};
use std::io::{self, Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            explain(&mut error);
            suggest_group(&mut error);
            shorten(&mut error);
            return print(&error);
        }
    };
    match Interrupt::listen().and_then(|interrupt| run(cli, &interrupt)) {
        Ok(code) => code,
        Err(error) => fail(&error),
    }
}

/// Prints what clap says in place of a command.
fn print(error: &clap::Error) -> ExitCode {
    // Help and version are output that must be delivered; an invalid command line has its own exit code.
    match u8::try_from(error.exit_code()).unwrap_or(2) {
        0 => error.print().map_or_else(|error| fail(&OutputError::from(error).into()), |()| ExitCode::SUCCESS),
        code => {
            // An error quotes its arguments.
            let _ = write!(stderr(), "{}", Escaped::lines(error.render()));
            ExitCode::from(code)
        }
    }
}

/// Runs the command; on Windows, where the main thread has 1 MiB of stack, in a thread with enough stack for a search.
fn run(cli: Cli, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    const STACK_SIZE: usize = 8 << 20;
    if !cfg!(windows) {
        return cli.run(interrupt);
    }
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        let thread = builder.spawn_scoped(scope, || cli.run(interrupt)).context("cannot start a thread")?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Maximum length of an error in characters. A path or a name from a settings file may be as long as the file.
const LONGEST: usize = 4_000;

/// Quotes only the beginning of an invalid argument.
fn shorten(error: &mut clap::Error) {
    for kind in [ContextKind::InvalidValue, ContextKind::InvalidArg, ContextKind::InvalidSubcommand] {
        if let Some(ContextValue::String(text)) = error.get(kind) {
            let text = Excerpt::with_length(text, Excerpt::LINE).to_string();
            error.insert(kind, ContextValue::String(text));
        }
    }
}

/// Explains how to describe an engine, if one of its keys is a separate argument, as in cutechess-cli.
fn explain(error: &mut clap::Error) {
    let is_key = |kind| match error.get(kind) {
        Some(ContextValue::String(argument)) => argument.split_once('=').is_some_and(|(key, value)| {
            !matches!(EngineSpec::default().set(key, value), Err(EngineSpecErrorKind::UnknownKey(_)))
        }),
        _ => false,
    };
    if is_key(ContextKind::InvalidArg) || is_key(ContextKind::InvalidSubcommand) {
        let tip = "an engine is one argument with quotes: --engine \"cmd=./engine name=x option.Hash=16\"";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Suggests the group of a command that is called without it: `annotate` is `pgn annotate`.
fn suggest_group(error: &mut clap::Error) {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let mut cli = Cli::command();
    cli.build();
    let groups = cli.get_subcommands().filter(|group| group.find_subcommand(name).is_some());
    let commands: Vec<_> = groups.map(|group| format!("{} {name}", group.get_name())).collect();
    if !commands.is_empty() {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(commands));
    }
}

/// An error with its causes, without duplicates: some errors quote their cause.
fn causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        text if text.ends_with(&cause) => text.to_owned(),
        text => format!("{text}: {cause}"),
    })
}

/// Reports an error. If the reader of the output has ended, no message is needed.
fn fail(error: &anyhow::Error) -> ExitCode {
    if !error.downcast_ref::<OutputError>().is_some_and(OutputError::is_closed_pipe) {
        let text = causes(error);
        // If this fails, there is no other way to report it.
        let _: io::Result<()> = writeln!(stderr(), "error: {}", Excerpt::with_length(&text, LONGEST));
    }
    if error.is::<Interrupted>() { ExitCode::from(INTERRUPTED) } else { ExitCode::FAILURE }
}
