//! Inputs that may block: standard input and named pipes.

use crate::files::cannot_read;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::note;
use anyhow::{Context, bail, ensure};
use bartizan_files::{InputKind, InterruptibleReader};
use bartizan_types::Escaped;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub(crate) use bartizan_notation::list::{read_line, read_lines};

/// Standard input, of which the reading fails when the user interrupts the program.
pub(crate) struct InterruptibleStdin;

impl InterruptibleStdin {
    /// Begins to read standard input. Data that was read but not taken is lost.
    ///
    /// # Errors
    /// If it is a folder or a device without an end.
    pub(crate) fn for_standard_input(interrupt: &Interrupt) -> anyhow::Result<InterruptibleReader> {
        bartizan_files::check_standard_input().context("cannot read standard input")?;
        waiting("standard input", interrupt, || Ok(stdin())).context("cannot start a thread that reads standard input")
    }
}

fn waiting<R: Read>(
    name: &str,
    interrupt: &Interrupt,
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
) -> io::Result<InterruptibleReader> {
    let interrupt = interrupt.clone();
    InterruptibleReader::start(name, move || interrupt.is_set(), open)
}

/// How long to wait for the writer of a named pipe before a note says so.
const PATIENCE: Duration = Duration::from_secs(2);

/// Opens a named pipe in a thread that waits for a writer.
fn open_named_pipe(path: &Path, interrupt: &Interrupt) -> io::Result<InterruptibleReader> {
    let (interrupt, path) = (interrupt.clone(), path.to_owned());
    // Relaxed suffices: only the flag itself is read.
    let has_writer = Arc::new(AtomicBool::new(false));
    let (opened, name, start, was_noted) = (has_writer.clone(), name(Some(&path)), Instant::now(), Cell::new(false));
    let is_stopped = move || {
        if start.elapsed() > PATIENCE && !was_noted.get() && !has_writer.load(Relaxed) {
            was_noted.set(true);
            note!("{name} is a named pipe: waiting for a program that writes to it");
        }
        interrupt.is_set()
    };
    InterruptibleReader::start("named pipe", is_stopped, move || {
        File::open(path).inspect(|_| opened.store(true, Relaxed))
    })
}

/// Whether an input can be read only once.
///
/// # Errors
/// As [`InputKind::of`].
pub(crate) fn is_stream(path: &Path) -> io::Result<bool> {
    Ok(InputKind::of(path)? != InputKind::File)
}

/// Rejects an input that can be read only once, where it is read several times.
///
/// # Errors
/// If the path names a pipe, and as [`InputKind::of`].
pub(crate) fn refuse_stream(path: &Path) -> anyhow::Result<()> {
    let is_stream = is_stream(path).with_context(|| cannot_read(path))?;
    ensure!(
        !is_stream,
        "'{}' can be read only once and must be read several times; choose a regular file",
        Escaped(path.display())
    );
    Ok(())
}

/// Opens a file, or a pipe on which reading fails when the user interrupts the program.
///
/// # Errors
/// As [`bartizan_files::open_input`], except that a named pipe is opened, too.
pub(crate) fn open(path: &Path, interrupt: &Interrupt) -> io::Result<Box<dyn Read + Send>> {
    Ok(match InputKind::of(path)? {
        InputKind::File => Box::new(bartizan_files::open_regular(path)?),
        InputKind::NamedPipe => Box::new(open_named_pipe(path, interrupt)?),
        InputKind::Stream => {
            let path = path.to_owned();
            Box::new(waiting("pipe", interrupt, move || bartizan_files::open_input(path))?)
        }
    })
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
