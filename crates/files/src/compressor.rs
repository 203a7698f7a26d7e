//! Writing compressed files, recognised by their name.

use crate::Compression;
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Write};

/// Compresses what is written to it. [`finish`](Self::finish) writes the end; without it the output may lack it.
///
/// ```
/// use bartizan_files::{Compression, Compressor, decompress};
/// use std::io::{Cursor, Read, Write};
///
/// let mut file = Compressor::new(Vec::new(), Compression::of_name("games.pgn.gz"));
/// file.write_all(b"1. e4 *")?;
/// let mut text = String::new();
/// decompress(Cursor::new(file.finish()?))?.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Compressor<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Bzip2(BzEncoder<W>),
    Zstandard(Frames<W>),
}

impl<W: Write> Compressor<W> {
    /// Compresses for `output`; with `None`, data is passed through unchanged.
    pub fn new(output: W, compression: Option<Compression>) -> Self {
        Self(match compression {
            None => Kind::Plain(output),
            Some(Compression::Gzip) => Kind::Gzip(GzEncoder::new(output, flate2::Compression::default())),
            Some(Compression::Bzip2) => Kind::Bzip2(BzEncoder::new(output, bzip2::Compression::default())),
            Some(Compression::Zstandard) => Kind::Zstandard(Frames { output, frame: Vec::new(), is_empty: true }),
        })
    }

    /// Ends the compressed data. Returns the output, which has not been flushed.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Kind::Plain(output) => Ok(output),
            Kind::Gzip(encoder) => encoder.finish(),
            Kind::Bzip2(encoder) => encoder.finish(),
            Kind::Zstandard(frames) => frames.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Plain(output) => output.write(bytes),
            Kind::Gzip(encoder) => encoder.write(bytes),
            Kind::Bzip2(encoder) => encoder.write(bytes),
            Kind::Zstandard(frames) => frames.write(bytes),
        }
    }

    /// Flushes what the encoder can output now; [`finish`](Self::finish) writes the rest.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Plain(output) => output.flush(),
            Kind::Gzip(encoder) => encoder.flush(),
            Kind::Bzip2(encoder) => encoder.flush(),
            Kind::Zstandard(frames) => frames.output.flush(),
        }
    }
}

/// Writes a Zstandard file in frames, because the encoder needs all data of a frame at once.
struct Frames<W> {
    output: W,
    /// The data of the next frame.
    frame: Vec<u8>,
    /// Whether no frame has been written.
    is_empty: bool,
}

impl<W: Write> Frames<W> {
    /// The bytes of data in a frame. The encoder looks back no further than a block of 128 KiB.
    const SIZE: usize = 1 << 20;

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.frame.len() >= Self::SIZE {
            self.end()?;
        }
        let taken = bytes.len().min(Self::SIZE - self.frame.len());
        self.frame.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn end(&mut self) -> io::Result<()> {
        self.output.write_all(&compress_to_vec(self.frame.as_slice(), CompressionLevel::Fastest))?;
        self.is_empty = false;
        self.frame.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        // A file without a frame is not a Zstandard file.
        if self.is_empty || !self.frame.is_empty() {
            self.end()?;
        }
        Ok(self.output)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;
    use std::io::{Cursor, Read};

    #[test]
    fn what_is_compressed_is_read_again() {
        let game = |number: usize| format!("[Event \"{number}\"]\n\n1. e4 e5 {{{}}} *\n\n", number.pow(3));
        // Of the last size, more than a frame of Zstandard.
        for (name, games) in [
            ("a.pgn", 9),
            ("a.pgn.gz", 0),
            ("a.gz", 300),
            ("a.BZ2", 0),
            ("a.bz2", 300),
            ("a.zst", 0),
            ("a.zst", 30_000),
        ] {
            let text: String = (0..games).map(game).collect();
            let compression = Compression::of_name(name);
            let mut compressor = Compressor::new(Vec::new(), compression);
            for part in text.as_bytes().chunks(100_003) {
                compressor.write_all(part).unwrap();
                compressor.flush().unwrap();
            }
            let bytes = compressor.finish().unwrap();
            assert_eq!(Compression::of(&bytes), compression, "{name}");
            assert!(games < 10 || bytes.len() < text.len() / 2, "{name}: {} of {}", bytes.len(), text.len());
            let mut read = String::new();
            crate::decompress(Cursor::new(bytes)).unwrap().read_to_string(&mut read).unwrap();
            assert!(read == text, "{name}");
        }
    }
}
