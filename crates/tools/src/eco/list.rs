//! `eco list`: the table of openings.

use super::to_json;
use crate::output::say;
use bartizan_book::eco;
use std::process::ExitCode;

const EXAMPLE: &str = "\
Example:
  bartizan-tools eco list --code B9 --name english";

/// The arguments of `eco list`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Args {
    /// Beginning of the codes to list, such as B, B9 or B90
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// Text in the names to list, ignoring case
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let code = args.code.as_deref().unwrap_or_default().to_ascii_uppercase();
    let name = args.name.as_deref().unwrap_or_default().to_ascii_lowercase();
    let mut found = false;
    for opening in eco::openings() {
        if opening.code().starts_with(&code) && opening.name().to_ascii_lowercase().contains(&name) {
            found = true;
            if args.json {
                say!("{}", to_json(opening))?;
            } else {
                say!("{opening}  {}", opening.moves())?;
            }
        }
    }
    // As with grep, the exit status tells a script that there is none.
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
