//! `trace`: parts of the tree that a search has written.

use crate::files;
use crate::input;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::say_part;
use anyhow::{Context, bail};
use bartizan_analysis::tree::{SearchTree, TreePart};
use bartizan_types::Escaped;
use std::path::PathBuf;
use std::process::ExitCode;

/// Levels of a page.
const PAGE_LEVELS: usize = 100;

const EXAMPLE: &str = "\
`bartizan`, built with the feature trace, writes such a file with
`go depth 6 trace tree.txt`. A node whose move is '-' searches the same
position again for another purpose; 0000 is a null move.

Examples:
  bartizan-tools trace tree.txt
  bartizan-tools trace tree.txt --path e2e4 --levels 2
  bartizan-tools trace tree.txt --iteration 5 --html tree.html";

/// The arguments of `trace`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// Trace of a search, also as .gz, .bz2 or .zst
    file: PathBuf,
    /// Root searches of this depth [default: the last one]
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true)]
    iteration: Option<i16>,
    /// Moves from the root to the nodes to show [default: none, the root]
    #[arg(long, value_name = "MOVE,...", value_delimiter = ',')]
    path: Vec<String>,
    /// Levels to show below these nodes [default: 1; 100 with --html]
    #[arg(long, visible_alias = "depth", value_name = "N")]
    levels: Option<usize>,
    /// Maximum number of children to show of a node
    #[arg(long, value_name = "N", default_value_t = 100)]
    children: usize,
    /// Maximum number of nodes to show; those closest to the root come first
    #[arg(long, value_name = "N", default_value_t = 20_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    nodes: u32,
    /// HTML output file with a tree that folds, instead of text
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Shows a part of the tree.
///
/// # Errors
/// Names the file and the line, or the part that does not exist.
pub(crate) fn run(args: &Args, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
    if let Some(html) = &args.html {
        files::refuse_input(html, [&args.file])?;
        files::refuse_compressed(html)?;
    }
    let file = input::open(&args.file, interrupt).and_then(bartizan_files::decompress);
    let tree = file.with_context(|| files::cannot_read(&args.file)).and_then(|file| {
        SearchTree::read(file).with_context(|| format!("invalid trace '{}'", Escaped(args.file.display())))
    });
    if interrupt.is_set() {
        bail!(Interrupted(format!("while reading '{}'", Escaped(args.file.display()))));
    }
    let tree = tree?;
    let part = TreePart {
        iteration: args.iteration,
        path: args.path.clone(),
        levels: args.levels.unwrap_or(if args.html.is_some() { PAGE_LEVELS } else { 1 }),
        children: args.children,
        nodes: args.nodes as usize,
    };
    match &args.html {
        Some(html) => files::replace(html, tree.page(&part)?.to_string().as_bytes())?,
        None => say_part!("{}", tree.text(&part)?)?,
    }
    Ok(ExitCode::SUCCESS)
}
