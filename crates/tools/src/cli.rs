//! The command line.

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
#[cfg(feature = "pages")]
use crate::pages;
use crate::{
    board, book, data, eco, epd, learn, matches, pgn, puzzles, repertoire, report, screen, selfplay, spsa, tablebase,
    trace, train, tune, wdl,
};
use clap::builder::{StyledStr, Styles};
use clap::{Parser, Subcommand};
use std::fmt::Write;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
`bartizan-tools <COMMAND> --help` shows the options and examples of a command.

Examples:
  bartizan-tools report mygame.pgn --out report.html
  bartizan-tools eco lookup 1. e4 c5 2. Nf3
  bartizan-tools board --moves '1. e4 e5 2. Nf3' --out board.svg

Exit codes:
  0    success
  1    error, including output that cannot be written (full disk, closed pipe)
  2    invalid command line
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; finished work is kept. A second
       signal, half a second later, ends the program at once";

/// Tools for chess players and engine authors
#[derive(Debug, Parser)]
#[command(name = "bartizan-tools", version, help_template = template(), after_help = AFTER_HELP, term_width = 80)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // There is only one value.
enum Command {
    /// Explain games on a page: what was lost where, and why
    Report(Lazy<Box<report::Args>>),
    /// Find the chances that players missed, as puzzles to solve
    Puzzles(Lazy<Box<puzzles::Args>>),
    /// Find where games left a repertoire, and what happened then
    Repertoire(Lazy<Box<repertoire::Args>>),
    /// Filter, sort, split, count and annotate games
    Pgn(Lazy<pgn::Args>),
    /// Name openings and tag games with ECO codes
    Eco(Lazy<eco::Args>),
    /// Build, check, show and compare opening books
    Book(Lazy<book::Args>),
    /// Draw a position as an SVG picture
    Board(Lazy<board::Args>),
    /// Explain endings, probe and check tablebases, make mate tables
    Tb(Lazy<tablebase::Args>),
    /// Show, merge and prune learning files
    Learn(Lazy<learn::Args>),
    /// Play engine matches (SPRT, Elo) and rate the results
    Match(Lazy<matches::Args>),
    /// Measure many changes of an engine with one set of games
    Screen(Lazy<screen::Args>),
    /// Tune numeric options of an engine with games (SPSA)
    Spsa(Lazy<spsa::Args>),
    /// Run position suites: solve, perft, time to depth
    Epd(Lazy<epd::Args>),
    /// Show the tree of a search, as text or as a page that folds
    Trace(Lazy<trace::Args>),
    /// Play the engine against itself for training data
    Selfplay(Lazy<selfplay::Args>),
    /// Prepare self-play games for training a network
    Data(Lazy<data::Args>),
    /// Train a network on positions from games
    Train(Lazy<train::Args>),
    /// Fit the evaluation's weights to game results
    Tune(Lazy<tune::Args>),
    /// Fit score normalisation and win/draw/loss chances to results
    Wdl(Lazy<wdl::Args>),
    /// Write the manual pages and shell completions of this program
    #[cfg(feature = "pages")]
    Pages(Lazy<pages::Args>),
}

/// The commands in `--help`, by the reader that they are for.
const GROUPS: [(&str, &[&str]); 2] = [
    ("For players", &["report", "puzzles", "repertoire", "pgn", "eco", "book", "board", "tb", "learn"]),
    (
        "For engine authors",
        &["match", "screen", "spsa", "epd", "trace", "selfplay", "data", "train", "tune", "wdl", "pages"],
    ),
];

/// The layout of `--help`. clap itself cannot group commands.
fn template() -> StyledStr {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let commands = Command::augment_subcommands(clap::Command::new(""));
    let mut text = "{about}\n\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{header}{group}:{header:#}\n");
        // `pages` exists only with the feature of this name.
        for command in names.iter().filter_map(|name| commands.find_subcommand(name)) {
            let about = command.get_about().cloned().unwrap_or_default();
            let _ = writeln!(text, "  {literal}{:<10}{literal:#}  {about}", command.get_name());
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// Names what is wrong.
    pub fn run(self, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Match(Lazy(args)) => matches::run(args, interrupt),
            Command::Screen(Lazy(args)) => screen::run(&args, interrupt),
            Command::Spsa(Lazy(args)) => spsa::run(&args, interrupt),
            Command::Selfplay(Lazy(args)) => selfplay::run(args, interrupt),
            Command::Data(Lazy(args)) => data::run(&args, interrupt),
            Command::Book(Lazy(args)) => book::run(&args, interrupt),
            Command::Epd(Lazy(args)) => epd::run(args, interrupt),
            Command::Board(Lazy(args)) => board::run(&args),
            Command::Eco(Lazy(args)) => eco::run(&args, interrupt),
            Command::Report(Lazy(args)) => report::run(&args, interrupt),
            Command::Pgn(Lazy(args)) => pgn::run(&args, interrupt),
            Command::Puzzles(Lazy(args)) => puzzles::run(&args, interrupt),
            Command::Repertoire(Lazy(args)) => repertoire::run(&args, interrupt),
            Command::Learn(Lazy(args)) => learn::run(&args),
            Command::Trace(Lazy(args)) => trace::run(&args, interrupt),
            Command::Tb(Lazy(args)) => tablebase::run(&args, interrupt),
            Command::Train(Lazy(args)) => train::run(args, interrupt),
            Command::Tune(Lazy(args)) => tune::run(args, interrupt),
            Command::Wdl(Lazy(args)) => wdl::run(args, interrupt),
            #[cfg(feature = "pages")]
            Command::Pages(Lazy(args)) => pages::run(&args, <Self as clap::CommandFactory>::command()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn help_lists_every_command() {
        let commands = Cli::command();
        let mut all: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        if !cfg!(feature = "pages") {
            all.push("pages");
        }
        all.sort_unstable();
        listed.sort_unstable();
        assert_eq!(all, listed);
    }

    /// No line of any help text is wider than a terminal of 80 columns.
    #[test]
    fn help_fits_80_columns() {
        fn check(command: &mut clap::Command) {
            for text in [command.render_help(), command.render_long_help()] {
                let text = text.to_string();
                let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
                assert!(wide.is_empty(), "{}: {wide:#?}", command.get_name());
            }
            command.get_subcommands_mut().for_each(check);
        }
        let mut command = Cli::command();
        command.build();
        check(&mut command);
    }
}
