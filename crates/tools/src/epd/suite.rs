//! Reads suites.

use crate::input;
use crate::interrupt::Interrupt;
use crate::output::note;
use anyhow::{bail, ensure};
use bartizan_analysis::suite::NamedProblem;
use bartizan_notation::epd::Epd;
use bartizan_notation::list;
use bartizan_types::Escaped;
use std::fmt::Display;
use std::path::Path;

/// The positions of a text, which messages call `name`, with their line numbers.
///
/// # Errors
/// If a line is invalid, or if there are no positions.
pub(crate) fn parse_positions(name: &str, text: &[u8]) -> anyhow::Result<Vec<(usize, Epd)>> {
    let parse = |(line, record): (usize, &str)| match Epd::parse(record) {
        Ok(epd) => Ok((line, epd)),
        Err(error) => bail!("{name} line {line}: {error}"),
    };
    let positions: Vec<_> = list::records(&list::decode(text)).map(parse).collect::<anyhow::Result<_>>()?;
    ensure!(!positions.is_empty(), "{name} has no position");
    Ok(positions)
}

/// Reads a file, and then its [positions](parse_positions).
pub(super) fn read_positions(path: &Path, interrupt: &Interrupt) -> anyhow::Result<Vec<(usize, Epd)>> {
    parse_positions(&input::name(Some(path)), &input::read_positions(Some(path), interrupt)?)
}

/// Reads every Nth position of a file, like [`read_positions`], and leaves out those with fewer legal moves.
pub(super) fn read_every(
    path: &Path,
    every: u32,
    least_moves: u32,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<(usize, Epd)>> {
    let positions = read_positions(path, interrupt)?.into_iter().step_by(every as usize);
    Ok(positions.filter(|(_, epd)| epd.position.count_legal_moves() >= least_moves).collect())
}

/// Reads the problems of a file. A line that is not a problem is skipped with a warning.
///
/// # Errors
/// If the file cannot be read or has no problem.
pub(super) fn read(path: &Path, interrupt: &Interrupt) -> anyhow::Result<Vec<NamedProblem>> {
    let mut problems = Vec::new();
    for (line, record) in list::records(&list::decode(&input::read_positions(Some(path), interrupt)?)) {
        match NamedProblem::parse(record, line) {
            Ok(Some(problem)) => problems.push(problem),
            Ok(None) => skip(path, line, "no bm, am, dm or points"),
            Err(error) => skip(path, line, error),
        }
    }
    ensure!(!problems.is_empty(), "'{}' has no position with bm, am, dm or points", Escaped(path.display()));
    Ok(problems)
}

fn skip(path: &Path, line: usize, why: impl Display) {
    note!("warning: '{}' line {line} skipped: {why}", Escaped(path.display()));
}
