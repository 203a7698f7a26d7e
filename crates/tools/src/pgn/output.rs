//! Where games are written.

use crate::files::cannot_write;
use crate::games::Place;
use crate::output::OutputError;
use anyhow::Context;
use bartizan_files::{Compression, Compressor, Replacement};
use bartizan_notation::pgn::game_separator;
use bartizan_types::Escaped;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write, stdout};
use std::path::{Path, PathBuf};

/// Where the games go, for the commands that may write over their input.
#[derive(Debug, clap::Args)]
pub(crate) struct OutArgs {
    /// Output file, also as .gz, .bz2 or .zst, written when everything is done; may be the input file [default:
    /// standard output]
    #[arg(id = "out", short = 'o', long = "out", value_name = "FILE")]
    pub(crate) path: Option<PathBuf>,
}

impl OutArgs {
    /// Begins to write.
    pub(crate) fn open(&self) -> anyhow::Result<Output> {
        Output::new(self.path.as_deref())
    }
}

/// A file that appears as a whole when it is committed, or standard output. A file is compressed if its name ends with
/// `.gz`, `.bz2` or `.zst`.
pub(crate) struct Output {
    /// `None` for standard output.
    path: Option<PathBuf>,
    writer: BufWriter<Compressor<Sink>>,
    /// The number of the last text, and what separates it from the next game.
    last: Option<(u64, &'static str)>,
    /// Whether the texts are games of PGN, which an empty line separates, and not lines of a table.
    is_pgn: bool,
}

enum Sink {
    Stdout(Stdout),
    /// Standard output that a terminal interprets.
    Terminal(Stdout),
    File(Replacement),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Terminal(stdout) => {
                write!(stdout, "{}", Escaped::lines(String::from_utf8_lossy(bytes)))?;
                Ok(bytes.len())
            }
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) | Self::Terminal(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

impl Output {
    /// Begins to write a file; no path and `-` mean standard output.
    pub(crate) fn new(path: Option<&Path>) -> anyhow::Result<Self> {
        let path = path.filter(|path| path.as_os_str() != "-");
        let sink = match path {
            None if stdout().is_terminal() => Sink::Terminal(stdout()),
            None => Sink::Stdout(stdout()),
            Some(path) => Sink::File(Replacement::new(path).with_context(|| cannot_write(path))?),
        };
        let compressor = Compressor::new(sink, path.and_then(Compression::of_name));
        Ok(Self {
            path: path.map(Path::to_owned),
            writer: BufWriter::with_capacity(1 << 16, compressor),
            last: None,
            is_pgn: true,
        })
    }

    /// The texts are whole lines, so nothing separates them.
    pub(crate) fn of_lines(self) -> Self {
        Self { is_pgn: false, ..self }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.writer.write_all(bytes);
        written.map_err(|error| failed(self.path.as_deref(), error))
    }

    /// Writes a line of a table or list.
    pub(crate) fn write_line(&mut self, line: impl Display) -> anyhow::Result<()> {
        let written = writeln!(self.writer, "{line}");
        written.map_err(|error| failed(self.path.as_deref(), error))
    }

    /// Writes the text of a game with its number in the input. Consecutive texts of the input are left as they are;
    /// others are separated by an empty line, and a byte order mark is kept only at the beginning.
    pub(crate) fn write_game(&mut self, number: u64, text: &[u8]) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let mut text = text;
        match self.last.replace((number, game_separator(text))) {
            Some((before, separator)) if before + 1 != number && self.is_pgn => {
                text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
                self.write(separator.as_bytes())?;
            }
            _ => {}
        }
        self.write(text)
    }

    /// Ends the output. A file is moved into place.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let Self { path, writer, .. } = self;
        let ended = writer.into_inner().map_err(io::Error::from).and_then(Compressor::finish);
        let written = ended.and_then(|sink| match sink {
            Sink::Stdout(mut stdout) | Sink::Terminal(mut stdout) => stdout.flush(),
            Sink::File(file) => file.commit(),
        });
        written.map_err(|error| failed(path.as_deref(), error))
    }
}

fn failed(path: Option<&Path>, error: io::Error) -> anyhow::Error {
    match path {
        None => OutputError::from(error).into(),
        Some(path) => anyhow::Error::new(error).context(cannot_write(path)),
    }
}

/// Writes a text to a file as a whole; see [`Output`].
pub(crate) fn write_text(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut out = Output::new(Some(path))?;
    out.write(text.as_bytes())?;
    out.commit()
}

/// Numbers the texts of the input.
#[derive(Default)]
pub(crate) struct Numbering(u64);

impl Numbering {
    /// The number of the next text. The first one of a file does not count as following the one before.
    pub(crate) fn next(&mut self, place: Place<'_>) -> u64 {
        self.0 += if place.line == 1 { 2 } else { 1 };
        self.0
    }
}
