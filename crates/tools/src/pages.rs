//! `pages`: manual pages and shell completions, for packagers.

use anyhow::Context as _;
use bartizan_types::Escaped;
use clap::{Command, ValueEnum};
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools pages target/pages";

/// Write `man/*.1` and `completions/*` into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Output folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages and completions of a program.
///
/// # Errors
/// Names the file that cannot be written.
pub(crate) fn run(args: &Args, program: Command) -> anyhow::Result<ExitCode> {
    let (man, completions) = (args.folder.join("man"), args.folder.join("completions"));
    for folder in [&man, &completions] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create '{}'", Escaped(folder.display())))?;
    }
    clap_mangen::generate_to(program.clone(), &man)
        .with_context(|| format!("cannot write to '{}'", Escaped(man.display())))?;
    for &shell in Shell::value_variants() {
        let (mut command, name) = (program.clone(), "bartizan-tools");
        clap_complete::generate_to(shell, &mut command, name, &completions)
            .with_context(|| format!("cannot write to '{}'", Escaped(completions.display())))?;
    }
    Ok(ExitCode::SUCCESS)
}
