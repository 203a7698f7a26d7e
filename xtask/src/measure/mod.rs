//! `cargo xtask measure`: runs the short measurements and rewrites their tables in `docs/measurements.md`, so that no
//! number there becomes stale.
//!
//! The prose of that file is written by hand. Each table lies between the lines `<!-- begin NAME -->` and
//! `<!-- end NAME -->` and is replaced as a whole, with its date, commit and machine. README shows some of the numbers,
//! which are taken from the page.

mod book;
mod collections;
mod engine;
mod page;
mod provenance;
mod readme;
mod rules;
mod tools;

pub(crate) use readme::check;
pub(crate) use tools::json;

use crate::error::{Error, Result};
use crate::{files, run};
use clap::ValueEnum;
use serde_json::Value;
use std::path::PathBuf;

/// What to measure.
#[derive(Debug, clap::Args)]
pub(crate) struct Measure {
    /// Sections to measure [default: all]
    #[arg(long, value_enum, value_name = "SECTION", num_args = 1..)]
    only: Vec<Section>,
    /// EPD suites to solve in addition to those of the repository
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// Do not measure; only update the numbers in README.md from the tables of the page
    #[arg(long, conflicts_with_all = ["only", "suite"])]
    readme: bool,
}

/// A table of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Perft, compared with other libraries
    Perft,
    /// The perft suite: leaves counted and mismatches
    PerftSuite,
    /// Nodes per second of `bench`
    Bench,
    /// Start-up and response times, memory
    Response,
    /// Solved positions of test suites
    Suites,
    /// Speedup by a second thread
    Threads,
    /// Throughput of self-play and of the tuner
    Tools,
    /// Reading PGN, compared with other readers
    Pgn,
    /// Filtering collections of games, compared with pgn-extract
    Collections,
    /// Building opening books, compared with Polyglot
    Book,
}

impl Section {
    fn run(self, measure: &Measure) -> Result<String> {
        match self {
            Self::Perft => rules::perft(),
            Self::PerftSuite => rules::perft_suite(),
            Self::Bench => engine::speed(),
            Self::Response => engine::response(),
            Self::Suites => tools::suites(&measure.suite),
            Self::Threads => tools::threads(),
            Self::Tools => tools::throughput(),
            Self::Pgn => tools::pgn(),
            Self::Collections => collections::filter(),
            Self::Book => book::build(),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Measures and rewrites the page. Each section is written as soon as it is measured: an interruption loses only one.
/// README is updated at the same time.
pub(crate) fn run(measure: &Measure) -> Result<String> {
    if measure.readme {
        readme::write()?;
        return Ok("README has the numbers of the page".to_owned());
    }
    let sections = if measure.only.is_empty() { Section::value_variants() } else { &measure.only };
    let provenance = provenance::describe()?;
    let mut skipped = Vec::new();
    for &section in sections {
        let name = section.name();
        let text = match section.run(measure) {
            // The other sections do not need the missing program.
            Err(Error::Skipped(why)) if sections.len() > 1 => {
                skipped.push(format!("\nSKIPPED: {why}"));
                continue;
            }
            result => result?,
        };
        let command = format!("Command: `cargo xtask measure --only {name}`.");
        rewrite(page::MEASUREMENTS, &name, &format!("{}\n\n{provenance} {command}", text.trim_end()))?;
        readme::write()?;
    }
    Ok(format!("{} sections measured{}", sections.len() - skipped.len(), skipped.concat()))
}

/// Replaces a section of a page.
fn rewrite(page: &str, section: &str, body: &str) -> Result<()> {
    let path = files::root().join(page);
    let text = page::replace(&files::read(&path)?, section, body)
        .ok_or_else(|| Error::Check(format!("{page}: no section '{section}'")))?;
    files::replace(&path, &text)
}

/// The release build of one of the workspace's programs, built if necessary.
pub(crate) fn program(package: &str) -> Result<PathBuf> {
    let command = run::args(&["build", "--release", "--quiet", "--package", package, "--message-format", "json"]);
    let output = run::cargo_output(&command)?;
    let artifact = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| {
            (message["target"]["name"] == package).then(|| message["executable"].as_str().map(PathBuf::from))
        })
        .flatten();
    artifact.ok_or_else(|| Error::Check(format!("`cargo {}` names no program", command.join(" "))))
}

/// Another program, if it is installed. Debian has some in a folder for games.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// The median of some numbers; 0 if there are none.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        length if length % 2 == 1 => numbers[middle],
        _ => f64::midpoint(numbers[middle - 1], numbers[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < f64::EPSILON);
        assert!(median(Vec::new()).abs() < f64::EPSILON);
    }

    #[test]
    fn the_pages_have_every_section() {
        let page = files::read(&files::root().join(page::MEASUREMENTS)).unwrap();
        for section in Section::value_variants() {
            assert!(page::replace(&page, &section.name(), "").is_some(), "{}", section.name());
        }
    }
}
