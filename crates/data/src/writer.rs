//! Writing a file, game by game.

use crate::{GameReader, MAGIC, ReadError, SelfplayGame, WriteError, record};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

/// Writes games to a file.
///
/// Each game is one `write_all`, without a buffer: a process that is killed loses at most the game it is writing. Many
/// small games are faster through a [`BufWriter`](std::io::BufWriter).
#[derive(Debug)]
pub struct GameWriter<W> {
    writer: W,
}

impl<W: Write> GameWriter<W> {
    /// Begins a file: writes the first bytes.
    ///
    /// # Errors
    /// When the output fails.
    pub fn new(mut writer: W) -> io::Result<Self> {
        writer.write_all(&MAGIC)?;
        Ok(Self { writer })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`WriteError::TooLong`] for a game of more than [`SelfplayGame::MAX_PLIES`], [`WriteError::Io`] if the output
    /// fails.
    pub fn write(&mut self, game: &SelfplayGame) -> Result<(), WriteError> {
        Ok(self.writer.write_all(&record::encode(game)?)?)
    }
}

impl GameWriter<File> {
    /// Continues a file, which must be open for reading and writing. Returns the writer and the numbers of the games in
    /// the file. An incomplete record at the end is removed; an empty file is begun.
    ///
    /// # Errors
    /// [`ReadError`] if the file is not a self-play file, if the length of a record is wrong, or if the file cannot be
    /// read or changed. The file is not changed then.
    pub fn resume(mut file: File) -> Result<(Self, Vec<u32>), ReadError> {
        let mut first = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        (&mut file).take(MAGIC.len() as u64).read_to_end(&mut first)?;
        // A run that was killed at once leaves an incomplete magic number.
        if first.len() < MAGIC.len() && MAGIC.starts_with(&first) {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return Ok((Self::new(file)?, Vec::new()));
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = GameReader::new(BufReader::new(&mut file))?;
        let ids = reader.read_ids()?;
        let end = reader.offset();
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok((Self { writer: file }, ids))
    }
}
