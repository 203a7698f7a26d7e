//! Writes a file, game by game.

use super::reader::settings_checksum;
use super::record;
use super::{MAGIC, MOST_SETTINGS, ReadError, SelfplayGame, Unfinished, WriteError, block};
use std::fs::File;
use std::io::{self, ErrorKind, Write};

/// Space for the settings to grow, in bytes.
const SPARE: usize = 16;

/// The header before the first game.
pub(crate) fn header(settings: Option<&str>) -> io::Result<Vec<u8>> {
    let Some(settings) = settings else { return Ok(header_of("")) };
    if settings.len() + SPARE > MOST_SETTINGS {
        return Err(io::Error::new(ErrorKind::InvalidInput, "the settings are too long"));
    }
    Ok(header_of(&format!("{settings}{:SPARE$}", "")))
}

/// The header before the first game, with settings that are not too long.
pub(crate) fn header_of(settings: &str) -> Vec<u8> {
    let length = (settings.len() as u32).to_le_bytes();
    [&MAGIC[..], &length, settings.as_bytes(), &settings_checksum(length, settings.as_bytes())].concat()
}

/// Writes games to a file.
///
/// Each game is one `write_all`, without a buffer: a killed process loses at most the game it is writing. Many small
/// games are faster through a [`BufWriter`](std::io::BufWriter).
#[derive(Debug)]
pub struct GameWriter<W> {
    writer: W,
    /// Whether games are written as blocks rather than as the records of older versions.
    has_blocks: bool,
}

impl<W> GameWriter<W> {
    /// Continues at the writer's current position.
    pub(crate) fn of(writer: W, has_blocks: bool) -> Self {
        Self { writer, has_blocks }
    }

    fn encode(&self, game: &SelfplayGame) -> Result<Vec<u8>, WriteError> {
        if self.has_blocks { block::encode(game) } else { record::encode(game) }
    }
}

impl<W: Write> GameWriter<W> {
    /// Begins a file without settings: writes the first bytes.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut writer: W) -> io::Result<Self> {
        writer.write_all(&header(None)?)?;
        Ok(Self::of(writer, true))
    }

    /// Begins a file with settings, in a format of the caller's choice. Trailing spaces are lost.
    ///
    /// # Errors
    /// When the settings are longer than [`MOST_SETTINGS`], or the output fails.
    pub fn with_settings(mut writer: W, settings: &str) -> io::Result<Self> {
        writer.write_all(&header(Some(settings))?)?;
        Ok(Self::of(writer, true))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`WriteError::TooLong`] for a game of more than [`SelfplayGame::MAX_PLIES`], [`WriteError::Illegal`] for an
    /// illegal move, [`WriteError::Io`] if the output fails.
    pub fn write(&mut self, game: &SelfplayGame) -> Result<(), WriteError> {
        Ok(self.writer.write_all(&self.encode(game)?)?)
    }

    /// The output.
    pub fn get_ref(&self) -> &W {
        &self.writer
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.writer
    }
}

impl GameWriter<File> {
    /// Appends a game at the end of the file. If writing fails, as on a full disk, no part of the game remains.
    ///
    /// # Errors
    /// As for [`write`](Self::write).
    pub fn append(&mut self, game: &SelfplayGame) -> Result<(), WriteError> {
        let block = self.encode(game)?;
        Ok(bartizan_files::append(&mut self.writer, &block)?)
    }

    /// Continues a file, which must be open for reading and writing. Returns the writer and the numbers of the games in
    /// the file. Removes an incomplete record at the end; an empty file is begun, without settings. [`Unfinished`]
    /// inspects a file first. A file of an older version keeps its format.
    ///
    /// # Errors
    /// [`ReadError`] if the file is not a self-play file, if the length of a record is wrong, or if the file cannot be
    /// read or changed. The file is then unchanged.
    pub fn resume(file: File) -> Result<(Self, Vec<u32>), ReadError> {
        let unfinished = Unfinished::open(file)?;
        let ids = unfinished.ids().to_vec();
        let writer = if unfinished.is_cut() { unfinished.begin(None)? } else { unfinished.resume()? };
        Ok((writer, ids))
    }
}
