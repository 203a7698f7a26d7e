//! The command line.

use crate::interrupt::Interrupt;
use crate::lazy::Lazy;
#[cfg(feature = "pages")]
use crate::pages;
use crate::{board, book, data, eco, epd, learn, matches, pgn, screen, selfplay, spsa, tablebase, train, tune, wdl};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    an error, also when the output cannot be written (a full disk, a closed pipe)
  2    a wrong command line
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP; what was finished is kept. A second signal, half a
       second later, ends the program at once";

/// Tools for chess engine development: matches, tuning, test suites, training data
#[derive(Debug, Parser)]
#[command(name = "bartizan-tools", version, about, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // There is only one value.
enum Command {
    /// Play engine matches, with SPRT and Elo, and rate the results
    Match(Lazy<matches::Args>),
    /// Measure many changes of an engine with one set of games
    Screen(Lazy<screen::Args>),
    /// Tune numeric options of an engine by games (SPSA)
    Spsa(Lazy<spsa::Args>),
    /// Play games of the engine against itself, as training data
    Selfplay(Lazy<selfplay::Args>),
    /// Prepare games of self-play for the training of a network: count, divide, filter, shuffle
    Data(Lazy<data::Args>),
    /// Build, show and compare opening books
    Book(Lazy<book::Args>),
    /// Run position suites: test, perft, time to depth
    Epd(Lazy<epd::Args>),
    /// Draw a position as an SVG picture
    Board(Lazy<board::Args>),
    /// Name openings: ECO codes in PGN files, and the table of them
    Eco(Lazy<eco::Args>),
    /// Filter, sort, split and count collections of games, remove duplicates, annotate games
    Pgn(Lazy<pgn::Args>),
    /// Show, merge and prune learning files
    Learn(Lazy<learn::Args>),
    /// Query Syzygy endgame tablebases; make, verify and query distance-to-mate tables
    Tb(Lazy<tablebase::Args>),
    /// Train a network on positions of games
    Train(Lazy<train::Args>),
    /// Fit the evaluation's weights to game results
    Tune(Lazy<tune::Args>),
    /// Fit the normalisation of scores and their win, draw and loss chances to game results
    Wdl(Lazy<wdl::Args>),
    /// Write the manual pages and the shell completions of this program
    #[cfg(feature = "pages")]
    Pages(Lazy<pages::Args>),
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
            Command::Pgn(Lazy(args)) => pgn::run(&args, interrupt),
            Command::Learn(Lazy(args)) => learn::run(&args),
            Command::Tb(Lazy(args)) => tablebase::run(&args, interrupt),
            Command::Train(Lazy(args)) => train::run(args, interrupt),
            Command::Tune(Lazy(args)) => tune::run(args, interrupt),
            Command::Wdl(Lazy(args)) => wdl::run(args, interrupt),
            #[cfg(feature = "pages")]
            Command::Pages(Lazy(args)) => pages::run(&args, <Self as clap::CommandFactory>::command()),
        }
    }
}
