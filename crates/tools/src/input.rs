//! Inputs that may block: standard input and named pipes.

use crate::interrupt::{Interrupt, Interrupted};
use anyhow::{Context, bail, ensure};
use bartizan_types::Escaped;
use std::fs::{self, File};
use std::io::{self, Read, stdin};
use std::path::Path;

pub(crate) use bartizan_notation::list::{read_line, read_lines};

/// Standard input, of which the reading fails when the user interrupts the program.
pub(crate) struct InterruptibleStdin;

impl InterruptibleStdin {
    /// Begins to read standard input. Data that was read but not taken is lost.
    pub(crate) fn for_standard_input(interrupt: &Interrupt) -> anyhow::Result<bartizan_files::InterruptibleReader> {
        waiting("standard input", interrupt, || Ok(stdin())).context("cannot start a thread that reads standard input")
    }
}

fn waiting<R: Read>(
    name: &str,
    interrupt: &Interrupt,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> io::Result<bartizan_files::InterruptibleReader> {
    let interrupt = interrupt.clone();
    bartizan_files::InterruptibleReader::start(name, move || interrupt.is_set(), open)
}

/// Whether a path names something other than a file or a folder: a named pipe or a device. It can be read only once,
/// and may block.
pub(crate) fn is_stream(path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Rejects an input that can be read only once, where it is read several times.
///
/// # Errors
/// If the path names a named pipe or a device.
pub(crate) fn refuse_stream(path: &Path) -> anyhow::Result<()> {
    // Opening something that does not exist fails anyway.
    let is_stream = is_stream(path).unwrap_or(false);
    ensure!(
        !is_stream,
        "'{}' can be read only once and must be read several times; choose a regular file",
        Escaped(path.display())
    );
    Ok(())
}

/// Opens a file, or a named pipe or device on which reading fails when the user interrupts the program.
pub(crate) fn open(path: &Path, interrupt: &Interrupt) -> io::Result<Box<dyn Read + Send>> {
    if !is_stream(path)? {
        return Ok(Box::new(File::open(path)?));
    }
    let path = path.to_owned();
    Ok(Box::new(waiting("named pipe", interrupt, move || File::open(path))?))
}

/// The name of an input for messages. Without a path it is standard input.
pub(crate) fn name(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard input".to_owned(), |path| format!("'{}'", Escaped(path.display())))
}

/// The text of an input with lines of positions, possibly compressed.
///
/// # Errors
/// If it cannot be read, if a line is too long, or if the user interrupts the program.
pub(crate) fn read_positions(path: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<Vec<u8>> {
    let input = match path {
        Some(path) => open(path, interrupt),
        None => Ok(Box::new(InterruptibleStdin::for_standard_input(interrupt)?) as _),
    };
    let text = input.and_then(bartizan_files::decompress).and_then(read_lines);
    if interrupt.is_set() {
        bail!(Interrupted(format!("while reading {}", name(path))));
    }
    text.with_context(|| format!("cannot read {}", name(path)))
}
