//! The numbers in README, copied from the page of measurements.

use super::{page, rewrite};
use crate::error::{Error, Result};
use crate::{files, generated};

/// The page, and the section of it that is generated.
const README: &str = "README.md";
const SECTION: &str = "numbers";

/// Writes the page's numbers into README.
pub(crate) fn write() -> Result<()> {
    rewrite(README, SECTION, &numbers(&measurements()?)?)
}

/// Fails unless README has the page's numbers. Returns a summary of what was checked.
pub(crate) fn check() -> Result<String> {
    let path = files::root().join(README);
    let found = files::read(&path)?;
    let expected = page::replace(&found, SECTION, &numbers(&measurements()?)?).ok_or_else(missing)?;
    generated::compare(&path, &found, &expected, "cargo xtask measure --readme")?;
    Ok(format!("{README} agrees with {}", page::MEASUREMENTS))
}

fn missing() -> Error {
    Error::Check(format!("{README}: no section '{SECTION}'"))
}

fn measurements() -> Result<String> {
    files::read(&files::root().join(page::MEASUREMENTS))
}

/// The most important numbers of a page of measurements.
fn numbers(measurements: &str) -> Result<String> {
    let cell = |section: &str, row: &str, column| {
        let missing = || format!("{}: section '{section}' has no row '{row}'", page::MEASUREMENTS);
        page::cell(measurements, section, row, column).ok_or_else(|| Error::Check(missing()))
    };
    // The second position is Kiwipete.
    let (leaves, ratio) = (cell("perft", "bartizan |", 2)?, cell("perft", "bartizan / cozy-chess", 2)?);
    let (speed, _) = cell("bench", "16 MB", 2)?.split_once(" (").unwrap_or_default();
    let start = cell("response", "process start to `uciok`", 1)?;
    let threads = cell("threads", "2", 3)?;
    let games = cell("tools", "`selfplay`, 5,000 nodes a move", 1)?;
    Ok(format!(
        "| | |\n|---|---|\n\
         | perft, Kiwipete to depth 5, one thread, no hash | {leaves} million leaves/s ({ratio} times cozy-chess) |\n\
         | search, one thread, `Hash` 16 | {speed} nodes/s |\n\
         | process start to `uciok` | {start} |\n\
         | two threads reach the same depth | {threads} than one |\n\
         | self-play at 5,000 nodes a move, all cores | {games} |\n\n\
         From the tables of [all measurements](docs/measurements.md), each of which names its date, commit and machine."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readme_has_the_numbers_of_the_page() {
        check().unwrap();
    }

    #[test]
    fn numbers_are_those_of_the_tables() {
        let page = measurements().unwrap();
        let start = page::cell(&page, "response", "process start", 1).unwrap();
        let changed = page.replace(&format!("| {start} |"), "| 7.5 ms |");
        assert!(numbers(&changed).unwrap().contains("| process start to `uciok` | 7.5 ms |\n"));
        let error = numbers(&page.replace("| `selfplay`", "| `games`")).unwrap_err().to_string();
        assert_eq!(error, "docs/measurements.md: section 'tools' has no row '`selfplay`, 5,000 nodes a move'");
    }
}
