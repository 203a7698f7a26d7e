//! Reads a file, game by game.

use super::block::{BlockHead, CHECKSUM};
use super::record::{HEAD, LENGTH_FIELD, RecordHead};
use super::{MAGIC, MOST_SETTINGS, OLD_MAGIC, OLD_MAGIC_WITH_SETTINGS, ReadError, RecordFault, SelfplayGame};
use std::io::{self, BufRead, BufReader, Read, Seek};

/// A game up to its moves.
enum Head {
    Record(RecordHead),
    Block(BlockHead),
}

impl Head {
    fn id(&self) -> u32 {
        match self {
            Self::Record(head) => head.id,
            Self::Block(head) => head.id,
        }
    }

    /// Bytes that follow.
    fn rest(&self) -> usize {
        match self {
            Self::Record(head) => head.moves_len(),
            Self::Block(head) => head.rest(),
        }
    }

    /// Bytes of the whole.
    fn len(&self) -> u64 {
        let read = match self {
            Self::Record(_) => HEAD,
            Self::Block(head) => head.len(),
        };
        (read + self.rest()) as u64
    }
}

/// An iterator over the games of a file. Keeps one game in memory.
///
/// After an invalid record the reader continues with the next one, unless [`ReadError::is_fatal`].
#[derive(Debug)]
pub struct GameReader<R> {
    reader: R,
    /// Whether the games are in blocks rather than in the records of older versions.
    has_blocks: bool,
    settings: Option<String>,
    /// Where the next record begins.
    offset: u64,
    /// Records begun so far.
    record: u64,
    has_ended: bool,
}

impl<R: BufRead> GameReader<R> {
    /// Reads the header before the first game.
    ///
    /// # Errors
    /// [`ReadError::Magic`] if the input is not a self-play file, [`ReadError::Settings`] if its settings are damaged,
    /// [`ReadError::Io`] if it cannot be read.
    pub fn new(mut reader: R) -> Result<Self, ReadError> {
        let mut magic = [0; MAGIC.len()];
        let length = fill(&mut reader, &mut magic)?;
        let has_blocks = magic == MAGIC;
        let (settings, offset) = match magic {
            _ if length < MAGIC.len() => return Err(ReadError::Magic),
            OLD_MAGIC => (None, MAGIC.len()),
            MAGIC | OLD_MAGIC_WITH_SETTINGS => {
                let (settings, length) = settings(&mut reader, has_blocks)?;
                (settings, MAGIC.len() + length)
            }
            _ => return Err(ReadError::Magic),
        };
        Ok(Self { reader, has_blocks, settings, offset: offset as u64, record: 0, has_ended: false })
    }

    /// Whether the games are in blocks rather than in the records of older versions.
    pub(crate) fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// The settings in the file; only the program that played the games can interpret them.
    pub fn settings(&self) -> Option<&str> {
        self.settings.as_deref()
    }

    /// The file offset after the last record read, valid or not.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next record up to its moves; `None` at the end of the file.
    fn next_head(&mut self) -> Result<Option<Head>, ReadError> {
        self.record += 1;
        if self.has_blocks {
            let reader = &mut self.reader;
            let (mut byte, mut is_zero) = ([0], true);
            let head = BlockHead::read(|| {
                let is_read = fill(reader, &mut byte)? == 1;
                is_zero &= byte == [0];
                Ok(is_read.then_some(byte[0]))
            })?;
            return match head {
                Ok(head) => Ok(head.map(Head::Block)),
                Err(None) => Err(self.incomplete()),
                Err(Some(_)) if is_zero && rest_is_zero(&mut self.reader)? => Err(self.incomplete()),
                Err(Some(fault)) => Err(self.invalid(fault)),
            };
        }
        let mut head = [0; HEAD];
        match fill(&mut self.reader, &mut head)? {
            0 => Ok(None),
            HEAD => RecordHead::decode(&head).map(|head| Some(Head::Record(head))).map_err(|fault| self.invalid(fault)),
            _ => Err(self.incomplete()),
        }
    }

    fn next_game(&mut self) -> Result<Option<SelfplayGame>, ReadError> {
        let Some(head) = self.next_head()? else { return Ok(None) };
        let mut rest = vec![0; head.rest()];
        if fill(&mut self.reader, &mut rest)? < rest.len() {
            return Err(self.incomplete());
        }
        let game = match &head {
            Head::Record(head) => head.game(&rest),
            Head::Block(head) => head.game(&rest),
        };
        let game = game.map_err(|fault| self.invalid(fault));
        self.offset += head.len();
        game.map(Some)
    }

    fn invalid(&self, fault: RecordFault) -> ReadError {
        ReadError::Record { record: self.record, offset: self.offset, fault }
    }

    fn incomplete(&self) -> ReadError {
        ReadError::Incomplete { record: self.record, offset: self.offset }
    }
}

impl<R: Read + Seek> GameReader<BufReader<R>> {
    /// Reads the numbers of the games up to the first incomplete record; [`GameReader::offset`] is then its start. The
    /// moves are skipped unchecked.
    ///
    /// # Errors
    /// [`ReadError`] if the length of a record is wrong or the file cannot be read.
    pub(crate) fn read_ids(&mut self) -> Result<Vec<u32>, ReadError> {
        let end = {
            let here = self.reader.stream_position()?;
            let end = self.reader.seek(io::SeekFrom::End(0))?;
            self.reader.seek(io::SeekFrom::Start(here))?;
            end
        };
        let mut ids = Vec::new();
        loop {
            let head = match self.next_head() {
                Ok(Some(head)) => head,
                Ok(None) | Err(ReadError::Incomplete { .. }) => return Ok(ids),
                Err(error) => return Err(error),
            };
            let next = self.offset + head.len();
            if next > end {
                return Ok(ids);
            }
            self.reader.seek_relative(head.rest() as i64)?;
            self.offset = next;
            ids.push(head.id());
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<SelfplayGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let item = self.next_game().transpose();
        self.has_ended = match &item {
            None => true,
            Some(Err(error)) => error.is_fatal(),
            Some(Ok(_)) => false,
        };
        item
    }
}

/// Reads the settings, and the number of bytes that they take with length and checksum; `None` if there are none.
fn settings(reader: &mut impl Read, is_checked: bool) -> Result<(Option<String>, usize), ReadError> {
    let incomplete = ReadError::Settings("incomplete");
    let mut field = [0; LENGTH_FIELD];
    if fill(reader, &mut field)? < field.len() {
        return Err(incomplete);
    }
    let length = u32::from_le_bytes(field) as usize;
    if length > MOST_SETTINGS {
        return Err(ReadError::Settings("too long"));
    }
    let checksum = if is_checked { CHECKSUM } else { 0 };
    let mut text = vec![0; length + checksum];
    if fill(reader, &mut text)? < text.len() {
        return Err(incomplete);
    }
    let found = text.split_off(length);
    if is_checked && found != settings_checksum(field, &text) {
        return Err(ReadError::Settings("damaged: their checksum is wrong"));
    }
    let mut text = String::from_utf8(text).map_err(|_| ReadError::Settings("not UTF-8"))?;
    text.truncate(text.trim_end_matches(' ').len());
    Ok(((length > 0 || !is_checked).then_some(text), LENGTH_FIELD + length + checksum))
}

/// The checksum after the settings: of their length and their bytes.
pub(crate) fn settings_checksum(length: [u8; LENGTH_FIELD], settings: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(settings);
    hasher.finalize().to_le_bytes()
}

/// Whether only zeros follow, as where a power cut has kept the length of a file and not its content.
fn rest_is_zero(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() || bytes.iter().any(|&byte| byte != 0) {
            return Ok(bytes.is_empty());
        }
        let length = bytes.len();
        reader.consume(length);
    }
}

/// Reads until the buffer is full or the input ends; returns the number of bytes read.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
