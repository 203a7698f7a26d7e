//! Where texts come from: a path, bytes, or a Python object with `read`.

use crate::errors::io_error;
use crate::interrupt::detached;
use bartizan_files::decompress;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use std::io::{self, Cursor, Read};
use std::path::PathBuf;

/// How much is read between two looks for signals, in bytes.
const PORTION: usize = 1 << 20;

/// The bytes to read from.
pub(crate) struct Source {
    reader: Box<dyn Read + Send + Sync>,
    /// What may be read before the next look for signals.
    left: usize,
}

impl Source {
    /// Opens a path (`str`, `PathLike`), which may be compressed with gzip, bzip2 or zstd, takes bytes, or reads an
    /// open file in text or binary mode.
    pub(crate) fn open(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = source.py();
        if let Ok(bytes) = source.cast::<PyBytes>() {
            return Ok(Self::new(Cursor::new(bytes.as_bytes().to_vec())));
        }
        if let Ok(bytes) = source.cast::<PyByteArray>() {
            return Ok(Self::new(Cursor::new(bytes.to_vec())));
        }
        if !source.is_instance_of::<PyString>() && source.hasattr("read")? {
            let reader = PyReader { object: source.clone().unbind(), rest: Vec::new(), at: 0 };
            return Ok(Self::new(reader));
        }
        let path: PathBuf = source.extract().map_err(|_| {
            PyTypeError::new_err("the source is a path, bytes, or a file with 'read'; for a text, pass text.encode()")
        })?;
        // Opening may wait, for example for a pipe.
        let opened = detached(py, || bartizan_files::open_input(&path).and_then(decompress))?;
        let opened = opened.map_err(|error| match io_error(error) {
            error if error.is_instance_of::<pyo3::exceptions::PyOSError>(py) => {
                let _ = error.value(py).setattr("filename", path.as_os_str());
                error
            }
            error => error,
        })?;
        Ok(Self::new(Shared(std::sync::Mutex::new(opened))))
    }

    fn new(reader: impl Read + Send + Sync + 'static) -> Self {
        Self { reader: Box::new(reader), left: PORTION }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            Python::attach(|py| py.check_signals()).map_err(io::Error::other)?;
            self.left = PORTION;
        }
        let length = buffer.len().min(self.left);
        let read = self.reader.read(&mut buffer[..length])?;
        self.left -= read;
        Ok(read)
    }
}

/// A reader that several threads may own, though only one uses it.
struct Shared(std::sync::Mutex<Box<dyn Read + Send>>);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).read(buffer)
    }
}

/// An object with `read`. What it raises comes back as the source of an I/O error.
struct PyReader {
    object: Py<PyAny>,
    rest: Vec<u8>,
    at: usize,
}

impl PyReader {
    /// Calls `read(size)`.
    fn fill(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            let read = self.object.bind(py).call_method1("read", (PORTION,))?;
            self.rest = if let Ok(text) = read.cast::<PyString>() {
                // Lone surrogates, as `surrogateescape` makes them from invalid bytes, are bytes again.
                match text.to_str() {
                    Ok(text) => text.as_bytes().to_vec(),
                    Err(_) => read.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()?,
                }
            } else if let Ok(bytes) = read.cast::<PyBytes>() {
                bytes.as_bytes().to_vec()
            } else {
                return Err(PyTypeError::new_err(format!(
                    "read() returned {}, not str or bytes",
                    read.get_type().name()?
                )));
            };
            self.at = 0;
            Ok(())
        })
    }
}

impl Read for PyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.rest.len() {
            self.fill().map_err(io::Error::other)?;
        }
        let length = buffer.len().min(self.rest.len() - self.at);
        buffer[..length].copy_from_slice(&self.rest[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
