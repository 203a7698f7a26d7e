//! The command line.

use crate::interrupt::Interrupt;
use crate::{epd, learn, matches, screen, selfplay, spsa, tablebase, tune, wdl};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Tools of a chess engine author.
#[derive(Debug, Parser)]
#[command(name = "bartizan-tools", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // Made once.
enum Command {
    /// Play engines against each other: SPRT, gauntlet, round robin; rate the results
    Match(matches::Args),
    /// Try many changes of an engine at once: what each is worth, from one set of games
    Screen(screen::Args),
    /// Tune numbers of an engine by its games (SPSA)
    Spsa(spsa::Args),
    /// Play games of the engine with itself at fixed nodes, in one process: data for tuning
    Selfplay(selfplay::Args),
    /// Run position suites: solve, count, measure time to depth
    Epd(epd::Args),
    /// Show, merge and prune what the engine has learnt
    Learn(learn::Args),
    /// Ask Syzygy endgame tablebases
    Tb(tablebase::Args),
    /// Fit the weights of the evaluation to the results of games
    Tune(tune::Args),
    /// Fit how scores are shown, and what they say about win, draw and loss, to the results of games
    Wdl(wdl::Args),
}

impl Cli {
    /// Does what the command line says.
    ///
    /// # Errors
    /// With a message that names what is wrong.
    pub fn run(self, interrupt: &Interrupt) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Match(args) => matches::run(args, interrupt),
            Command::Screen(args) => screen::run(&args, interrupt),
            Command::Spsa(args) => spsa::run(&args, interrupt),
            Command::Selfplay(args) => selfplay::run(args, interrupt),
            Command::Epd(args) => epd::run(args, interrupt),
            Command::Learn(args) => learn::run(&args),
            Command::Tb(args) => tablebase::run(&args),
            Command::Tune(args) => tune::run(args, interrupt),
            Command::Wdl(args) => wdl::run(args, interrupt),
        }
    }
}
