//! Compressed files, recognised by their content.

use crate::ZeroGuard;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.bz2`
    Bzip2,
    /// `.zst`
    Zstandard,
}

impl Compression {
    /// The compression of a file that begins with these bytes; `None` if it is not compressed. Six bytes suffice.
    pub fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            // Followed by the magic number of a block, or of the end of an empty file.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Some(Self::Bzip2),
            // A frame, or a frame to skip, as pzstd writes it first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// The compression that the extension of a name denotes, in either case; `None` if it denotes none.
    pub fn of_name(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?;
        let all = [("gz", Self::Gzip), ("bz2", Self::Bzip2), ("zst", Self::Zstandard)];
        all.into_iter().find(|(known, _)| extension.eq_ignore_ascii_case(known)).map(|(_, compression)| compression)
    }
}

/// Whether a file name ends with an extension such as `pgn`, in either case. The extension of a compressed file may
/// follow it.
///
/// ```
/// assert!(bartizan_files::has_extension("games.pgn.gz", "pgn"));
/// assert!(!bartizan_files::has_extension("games.epd", "pgn"));
/// ```
pub fn has_extension(path: impl AsRef<Path>, extension: &str) -> bool {
    let path = path.as_ref();
    let is_packed = Compression::of_name(path).is_some();
    let name = if is_packed { path.file_stem().unwrap_or_default().as_ref() } else { path };
    name.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Opens an input as [`open_input`](crate::open_input) does. If it is compressed (`.gz`, `.bz2`, `.zst`), the reader
/// decompresses it. The content decides, not the name. A long run of zero bytes is an error of the reader: see
/// [`ZeroGuard`].
///
/// # Errors
/// As [`open_input`](crate::open_input). Damaged compressed data is an error of the reader.
pub fn open(path: impl AsRef<Path>) -> io::Result<Box<dyn Read + Send>> {
    decompress(crate::open_input(path)?)
}

/// Decompresses an input, if it is compressed: see [`open`].
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// bartizan_files::decompress(&b"1. e4 *"[..])?.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read.
pub fn decompress<R: Read + Send + 'static>(mut input: R) -> io::Result<Box<dyn Read + Send>> {
    let mut start = Vec::new();
    (&mut input).take(6).read_to_end(&mut start)?;
    let compression = Compression::of(&start);
    let whole = Cursor::new(start).chain(input);
    let content: Box<dyn Read + Send> = match compression {
        None => Box::new(whole),
        Some(Compression::Gzip) => Box::new(MultiGzDecoder::new(whole)),
        Some(Compression::Bzip2) => Box::new(MultiBzDecoder::new(whole)),
        Some(Compression::Zstandard) => Box::new(Frames { input: Some(BufReader::new(whole)), frame: None }),
    };
    Ok(Box::new(ZeroGuard::new(content)))
}

/// The frames of a Zstandard file in sequence; verifies their checksums.
struct Frames<R: Read> {
    /// The input, while no frame is being read.
    input: Option<BufReader<R>>,
    frame: Option<StreamingDecoder<BufReader<R>, FrameDecoder>>,
}

impl<R: Read> Frames<R> {
    /// Begins the next frame. Returns whether there is one.
    fn begin(&mut self) -> io::Result<bool> {
        let Some(mut input) = self.input.take() else { return Ok(false) };
        while skip_frame(&mut input)? {}
        if input.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let frame = StreamingDecoder::new(input).map_err(|error| invalid(&error))?;
        self.frame = Some(frame);
        Ok(true)
    }

    /// Ends the frame, all of which has been read.
    fn end(&mut self) -> io::Result<()> {
        let Some((input, decoder)) = self.frame.take().map(StreamingDecoder::into_parts) else { return Ok(()) };
        let stored = decoder.get_checksum_from_data();
        if stored.is_some() && stored != decoder.get_calculated_checksum() {
            return Err(io::Error::new(ErrorKind::InvalidData, "damaged Zstandard data: the checksum does not match"));
        }
        self.input = Some(input);
        Ok(())
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(frame) = &mut self.frame {
                let length = frame.read(to).map_err(|error| invalid(&error))?;
                if length > 0 {
                    return Ok(length);
                }
                self.end()?;
            }
            if !self.begin()? {
                return Ok(0);
            }
        }
    }
}

/// Skips a skippable frame. Returns whether there was one.
fn skip_frame<R: Read>(input: &mut BufReader<R>) -> io::Result<bool> {
    // The first byte decides: a frame of data begins with 0x28.
    if !matches!(input.fill_buf()?.first(), Some(0x50..=0x5f)) {
        return Ok(false);
    }
    let mut header = [0; 8];
    input.read_exact(&mut header)?;
    let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    io::copy(&mut input.take(length.into()), &mut io::sink())?;
    Ok(true)
}

fn invalid(error: &dyn std::error::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("damaged Zstandard data: {error}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test reports by panicking.

    use super::*;

    /// `printf 'one\n' | COMMAND; printf 'two\n' | COMMAND`: two members, streams or frames.
    const GZIP: &str = "1f8b0800000000000003cbcf4be502009fa817f8040000001f8b08000000000000032b29cfe702007408179604\
        000000";
    const BZIP2: &str = "425a68393141592653597813c082000001c10000100201a000219a68334d0cbc5dc914e14241e04f0208425a68\
        393141592653592eb71ad700000141800010000084802000219a68334d073c5dc914e14240badc6b5c";
    const ZSTANDARD: &str = "28b52ffd04582100006f6e650adf16680928b52ffd045821000074776f0a0f2d04f9";

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
    }

    fn read(input: Vec<u8>) -> io::Result<String> {
        let mut text = String::new();
        decompress(Cursor::new(input))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn an_extension_may_be_followed_by_that_of_a_compression() {
        for name in ["a.pgn", "b/a.PGN", "a.pgn.gz", "a.Pgn.ZST", "a.b.pgn.bz2"] {
            assert!(has_extension(name, "pgn"), "{name}");
        }
        for name in ["pgn", ".pgn", "pgn.gz", "a.gz", "a.pgn.epd", "a.pgn/b", ""] {
            assert!(!has_extension(name, "pgn"), "{name}");
        }
    }

    #[test]
    fn the_content_decides() {
        for hex in [GZIP, BZIP2, ZSTANDARD] {
            assert_eq!(read(bytes(hex)).unwrap(), "one\ntwo\n");
            // Cut off.
            let whole = bytes(hex);
            assert!(read(whole[..whole.len() - 5].to_vec()).is_err(), "{hex}");
            assert!(read(whole[..9].to_vec()).is_err(), "{hex}");
            // One byte of the first text, or of its checksum.
            for damaged in [12, whole.len() / 2 - 1] {
                let mut bytes = whole.clone();
                bytes[damaged] ^= 1;
                assert!(read(bytes).is_err(), "{hex}");
            }
        }
        // A frame to skip.
        let skipped = bytes(&format!("502a4d1802000000ffff{ZSTANDARD}"));
        assert_eq!(read(skipped).unwrap(), "one\ntwo\n");
        for text in ["", "1", "BZh", "[Event \"x\"]\n\n1. e4 *\n"] {
            assert_eq!(read(text.as_bytes().to_vec()).unwrap(), text);
        }
    }
}
