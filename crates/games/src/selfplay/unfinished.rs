//! Continuing a file.

use super::block::CHECKSUM;
use super::record::LENGTH_FIELD;
use super::writer::{GameWriter, header, header_of};
use super::{GameReader, MAGIC, MOST_SETTINGS, OLD_MAGIC, OLD_MAGIC_WITH_SETTINGS, ReadError, SelfplayGame};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

/// A file to which games may be added. It stays unchanged until [`resume`](Self::resume) or [`begin`](Self::begin).
#[derive(Debug)]
pub struct Unfinished {
    file: File,
    has_blocks: bool,
    /// Offset of the end of the complete games.
    end: u64,
    ids: Vec<u32>,
    settings: Option<String>,
    /// The content of the file, if it ends before its first game.
    begun: Option<Vec<u8>>,
}

impl Unfinished {
    /// Reads a file, which must be open for reading and writing.
    ///
    /// # Errors
    /// [`ReadError`] if the file is not a self-play file, if the length of a record is wrong, or if the file cannot be
    /// read.
    pub fn open(mut file: File) -> Result<Self, ReadError> {
        file.seek(SeekFrom::Start(0))?;
        let mut reader = match GameReader::new(BufReader::new(&mut file)) {
            Ok(reader) => reader,
            Err(error @ (ReadError::Magic | ReadError::Settings("incomplete"))) => return Self::cut(file, error),
            Err(error) => return Err(error),
        };
        let (settings, has_blocks) = (reader.settings().map(str::to_owned), reader.has_blocks());
        let ids = reader.read_ids()?;
        let end = reader.offset();
        Ok(Self { file, has_blocks, end, ids, settings, begun: None })
    }

    /// A file that ends before its first game, left by a run that was killed at once.
    fn cut(mut file: File, error: ReadError) -> Result<Self, ReadError> {
        let longest = MAGIC.len() + LENGTH_FIELD + MOST_SETTINGS + CHECKSUM;
        let mut begun = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        (&mut file).take(longest as u64).read_to_end(&mut begun)?;
        let is_ours = match error {
            ReadError::Magic => {
                [MAGIC, OLD_MAGIC, OLD_MAGIC_WITH_SETTINGS].iter().any(|magic| magic.starts_with(&begun))
            }
            _ => begun.len() < longest,
        };
        if !is_ours {
            return Err(error);
        }
        Ok(Self { file, has_blocks: true, end: 0, ids: Vec::new(), settings: None, begun: Some(begun) })
    }

    /// The settings of the file; `None` if it has none, or ends before them.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// The numbers of the complete games.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Whether the file ends before its first game: it is empty, or its header is incomplete.
    pub fn is_cut(&self) -> bool {
        self.begun.is_some()
    }

    /// The first games of the file, at most `most`.
    ///
    /// # Errors
    /// [`ReadError`] if one of them is invalid.
    pub fn first_games(&mut self, most: usize) -> Result<Vec<SelfplayGame>, ReadError> {
        if self.is_cut() {
            return Ok(Vec::new());
        }
        self.file.seek(SeekFrom::Start(0))?;
        GameReader::new(BufReader::new(&mut self.file))?.take(most.min(self.ids.len())).collect()
    }

    /// Changes the settings in the file. They may be at most a few bytes longer than the original ones.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] if the file has no settings or too little space for these; otherwise as for writing.
    pub fn change_settings(&mut self, settings: &str) -> io::Result<()> {
        let too_long = || io::Error::new(ErrorKind::InvalidInput, "the file has too little space for these settings");
        if self.settings.is_none() {
            return Err(too_long());
        }
        let mut field = [0; LENGTH_FIELD];
        self.file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        self.file.read_exact(&mut field)?;
        let space = (u32::from_le_bytes(field) as usize).checked_sub(settings.len()).ok_or_else(too_long)?;
        let header = header_of(&format!("{settings}{:space$}", ""));
        let checksum = if self.has_blocks { CHECKSUM } else { 0 };
        // The length stays unchanged, and old files have no checksum.
        let changed = &header[MAGIC.len() + LENGTH_FIELD..header.len() - CHECKSUM + checksum];
        self.file.seek(SeekFrom::Start((MAGIC.len() + LENGTH_FIELD) as u64))?;
        self.file.write_all(changed)?;
        self.settings = Some(settings.to_owned());
        Ok(())
    }

    /// Removes an incomplete record at the end, and continues after the complete games.
    ///
    /// # Errors
    /// If the file cannot be changed, or ends before its first game.
    pub fn resume(mut self) -> io::Result<GameWriter<File>> {
        if self.is_cut() {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the file ends before its first game"));
        }
        if self.file.metadata()?.len() != self.end {
            self.file.set_len(self.end)?;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(GameWriter::of(self.file, self.has_blocks))
    }

    /// Begins a file that [is cut](Self::is_cut). Its content must be the beginning of a file with these settings, or
    /// empty.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidData`] if the file has other content, which is kept; otherwise as for writing.
    pub fn begin(mut self, settings: Option<&str>) -> io::Result<GameWriter<File>> {
        let header = header(settings)?;
        let begun = self
            .begun
            .take()
            .filter(|begun| header.starts_with(begun))
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "the file has been begun with other settings"))?;
        self.file.seek(SeekFrom::Start(begun.len() as u64))?;
        self.file.write_all(&header[begun.len()..])?;
        Ok(GameWriter::of(self.file, true))
    }
}
