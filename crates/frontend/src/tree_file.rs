//! The file to which a search writes its tree; with the feature `trace`.

use bartizan_engine::{TreeSummary, TreeTrace};
use bartizan_files::Replacement;
use parking_lot::Mutex;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file for the tree of one search. It appears, complete, with [`TreeFile::finish`]; until then an old file stays.
#[derive(Debug)]
pub struct TreeFile {
    path: PathBuf,
    file: SharedFile,
    trace: TreeTrace,
}

impl TreeFile {
    /// Starts a file of at most about [`TreeTrace::MOST_BYTES`].
    ///
    /// # Errors
    /// If it cannot be created, or another kind of file has this name.
    pub fn new(path: &Path) -> io::Result<Self> {
        bartizan_files::check_kind(path, "a trace", |start| start.is_empty() || start.starts_with(b"bartizan-trace "))?;
        let file = SharedFile(Arc::new(Mutex::new(Some(BufWriter::new(Replacement::new(path)?)))));
        let trace = TreeTrace::new(file.clone(), TreeTrace::MOST_BYTES);
        Ok(Self { path: path.to_owned(), file, trace })
    }

    /// What the search gets.
    pub fn trace(&self) -> TreeTrace {
        self.trace.clone()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Completes the file, after the search.
    ///
    /// # Errors
    /// The first failure to write; an old file then stays.
    pub fn finish(self) -> io::Result<TreeSummary> {
        let summary = self.trace.finish()?;
        if let Some(file) = self.file.0.lock().take() {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()?;
        }
        Ok(summary)
    }
}

/// The file, shared by the search that writes it and the owner who completes it.
#[derive(Clone, Debug)]
struct SharedFile(Arc<Mutex<Option<BufWriter<Replacement>>>>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().as_mut().map_or(Ok(()), Write::flush)
    }
}
